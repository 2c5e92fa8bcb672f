import { AudienceError } from 'audience-core';
import { count, PartialFailure, ResourceError, textOf } from '../host.js';
import type { Raw } from '../host.js';
import { isGiven } from '../people.js';
import type { Run } from '../run.js';
import { Fingerprint, isFingerprintOf, summaryOf } from './check.js';
import type { Inputs } from './inputs.js';
import { retains, typesNow } from './inputs.js';
import { withLeaving } from './leavers.js';
import { isGone, Ledger } from './ledger.js';
import type { LedgerEntry } from './ledger.js';
import { nameOfSource, readRecords } from './records.js';
import type { ContactRecord } from './records.js';
import type { Outputs } from './state.js';
import { idOf, upsertOne } from './upsert-one.js';
import { limited, runAll } from './work.js';
import type { Task } from './work.js';

/** What there is to say where a file has changed since the plan, after its name. */
export const CHANGED_MEANWHILE =
  "is not what was planned: it was changed meanwhile. Nobody was changed. Run 'pulumi up' again.";

/** What upserts go on from. */
export interface Before {
  /** State of the last run, in this service. */
  readonly before: Outputs | undefined;
  /** Of the list, where it has one. */
  readonly salt: string | undefined;
  readonly generation: number;
  /** Whether the ledger drops those who left: somebody else sees to them, or nobody needs to. */
  readonly forgetsLeaving: boolean;
}

/**
 * Upserts what is new or changed.
 *
 * @throws PartialFailure when some could not be: it names each with its place and keeps the rest as done.
 * @throws ResourceError where the records are not those that were planned.
 */
export async function upsertAll(
  id: string,
  inputs: Inputs,
  { before, salt, generation, forgetsLeaving }: Before,
  run: Run,
): Promise<Raw> {
  const ledger = before === undefined ? new Ledger(salt) : Ledger.read(before);
  const found = new Set<LedgerEntry>();
  /** Addresses that somebody else was upserted with. */
  const ofOthers = new Set<string>();
  let [added, changed, unidentified] = [0, 0, 0];
  const isUnidentified = (known: readonly LedgerEntry[]): boolean =>
    !retains(inputs) && known.some(({ identity }) => identity.id === undefined);
  /** Ids of contacts that several records lead to. */
  const shared = new Set<string>();
  const claim = ({ fields }: ContactRecord, id: string | null | undefined): void => {
    const owner = run.people.ownerOf({ email: textOf(fields['email']), userId: textOf(fields['userId']) });
    if (!isGiven(id) || owner === undefined) return;
    const other = run.people.claim({ id }, owner);
    if (other === undefined) return;
    shared.add(id);
    run.host.reporter.warn(
      `${owner.location} and ${other.location} are one contact of the service (id ${id}): whichever is written last wins. Keep one of them.`,
    );
  };
  const summary = await summaryOf(inputs, (record) => {
    const { fields } = record;
    const known = ledger.find(fields);
    for (const entry of known) found.add(entry);
    // State of a list that takes nothing from anybody names nobody.
    if (!retains(inputs)) ledger.identify(fields);
    const taken = ledger.addressOfAnother(fields, known);
    if (taken !== undefined) ofOthers.add(taken);
    if (known.every(isGone)) added += 1;
    else if (!ledger.holds(fields)) changed += 1;
    else if (isUnidentified(known)) unidentified += 1;
    else for (const { identity } of known) claim(record, identity.id);
  });
  if (!isFingerprintOf(inputs.fingerprint, summary)) {
    throw new ResourceError(`${nameOfSource(inputs)} ${CHANGED_MEANWHILE}`);
  }
  const types = await typesNow(inputs, summary, run);
  const leaving = ledger.all().filter((entry) => !found.has(entry));
  const isReplaced = before !== undefined && generation !== before.generation;
  const takesNobody = [before ?? {}, inputs].some(retains);
  // Who had an address that a record takes over is known until that record is done.
  const isPassedOn = ({ keys }: LedgerEntry): boolean => keys.some((key) => ofOthers.has(key));
  if (forgetsLeaving) for (const entry of leaving) if (!isPassedOn(entry)) ledger.delete(entry);
  // Of those who leave a list that is replaced, the deletion of the old copy speaks.
  if (leaving.length > 0 && takesNobody && !isReplaced) {
    run.host.reporter.warn(
      `${count(leaving.length, 'contact')} no longer declared ${leaving.length === 1 ? 'stays' : 'stay'} in the service, which has no call to delete one. Set onRemove to 'unsubscribe' or 'clear' for more.`,
    );
  }

  let nameless = 0;
  const learnId = async (record: ContactRecord, isThere: boolean): Promise<void> => {
    const read = await idOf(record.fields, isThere, run);
    if (read === 'not read') {
      nameless += 1;
      return;
    }
    ledger.identify(record.fields, read?.id);
    claim(record, read?.id);
  };

  // The records are read a second time, and the file may have changed since the first.
  const fingerprint = new Fingerprint();
  async function* tasks(): AsyncGenerator<Task, void> {
    for await (const record of readRecords(inputs)) {
      fingerprint.add(record);
      if (ledger.holds(record.fields)) {
        // A removal tells by the id whether an address is still that person's.
        if (isUnidentified(ledger.find(record.fields)))
          yield { ...record, run: () => learnId(record, false) };
        continue;
      }
      yield {
        ...record,
        run: async () => {
          const known = ledger.find(record.fields).filter((entry) => !isGone(entry));
          const isKnownBy = (name: 'email' | 'userId'): boolean =>
            ledger
              .keysOf({ [name]: record.fields[name] })
              .some((key) => known.some(({ keys }) => keys.includes(key)));
          const before = {
            isNew: known.length === 0,
            isKnownByEmail: isKnownBy('email'),
            isKnownByUserId: isKnownBy('userId'),
            isOfAnother: ledger.keysOf({ email: record.fields['email'] }).some((key) => ofOthers.has(key)),
            identity: known.map(({ identity }) => identity).find(({ id }) => id !== undefined),
            columns: ledger.changes(record.fields, known),
          };
          try {
            const id = await upsertOne(record, before, types, inputs, run);
            ledger.set(record.fields, id);
            claim(record, id);
          } catch (error) {
            if (error instanceof AudienceError && error.unclear) ledger.doubt(record.fields);
            throw error;
          }
          if (isUnidentified(ledger.find(record.fields))) await learnId(record, true);
        },
      };
    }
  }

  // Whoever sets `retain` calls off what is pending.
  const pending = takesNobody ? [] : before?.left;
  const left = isReplaced ? withLeaving(before.left, leaving) : pending;
  const total = added + changed + unidentified;
  const { succeeded, failures } = await runAll(tasks(), total, run.host);
  if (forgetsLeaving && failures.length === 0) {
    const passedOn = new Set(leaving.filter(isPassedOn).flatMap(({ keys }) => keys.slice(1)));
    for (const entry of ledger.all()) if (entry.keys.some((key) => passedOn.has(key))) ledger.delete(entry);
  }
  // What the service has of them is what one of the records says: all are written again.
  for (const id of shared) ledger.forgetContentOf(id);
  const isAsPlanned =
    failures.length === 0 &&
    shared.size + nameless === 0 &&
    fingerprint.digest() === summary.fingerprint &&
    (forgetsLeaving || leaving.length === 0);
  const outs: Outputs = {
    ...inputs,
    fingerprint: isAsPlanned ? (inputs.fingerprint ?? '') : '',
    count: summary.count,
    label: run.contacts.declarantOf(inputs)?.label ?? before?.label ?? 'Contacts',
    service: run.client.baseUrl,
    generation,
    left,
    ...ledger.store(),
    ...(retains(inputs) ? {} : { identities: ledger.identities() }),
  };
  if (failures.length > 0) {
    const report = `${succeeded} of ${total} contacts are done, ${total - succeeded} are not. The next 'pulumi up' goes on from there; what is refused has to be corrected first.`;
    throw new PartialFailure(id, outs, [report, ...limited(failures)]);
  }
  if (nameless > 0) {
    run.host.reporter.warn(
      `Contacts (${nameOfSource(inputs)}): the service did not tell the id of ${count(nameless, 'contact')}, by which a removal knows the person. The next 'pulumi up' asks again; until then nobody is removed of whom only an email is known.`,
    );
  }
  run.host.reporter.info(
    `Contacts (${nameOfSource(inputs)}): ${count(added + changed, 'contact')} done, ${added.toLocaleString('en')} new and ${changed.toLocaleString('en')} changed; ${(summary.count - added - changed).toLocaleString('en')} were as declared.`,
  );
  return outs;
}
