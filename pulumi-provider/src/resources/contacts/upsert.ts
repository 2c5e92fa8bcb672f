import { AudienceError } from 'audience-core';
import type { Contact } from 'audience-core';
import { declaredFields, fieldOfColumn, groupOfColumn, keptFields } from '../contact-fields.js';
import type { Changes, ContactFields } from '../contact-fields.js';
import { isEmail } from '../contact-state.js';
import { SENT_BEFORE, upsert } from '../contact-upsert.js';
import type { CreationEvent, EventFate } from '../contact-upsert.js';
import { count, isRaw, PartialFailure, ResourceError, textOf } from '../host.js';
import type { Raw } from '../host.js';
import type { PropertyTypes } from '../known-properties.js';
import { agrees, isAddress, isGiven } from '../people.js';
import type { Identity } from '../people.js';
import type { Run } from '../run.js';
import { locate, lookUp, update } from '../service-contacts.js';
import { encodedRecord, Fingerprint, summaryOf } from './check.js';
import type { Inputs } from './inputs.js';
import { retains, typesNow } from './inputs.js';
import { isGone, Ledger } from './ledger.js';
import type { ColumnChanges, LedgerEntry } from './ledger.js';
import { nameOfSource, readRecords } from './records.js';
import type { ContactRecord } from './records.js';
import type { Outputs } from './state.js';
import { IN_BULK, limited, runAll } from './work.js';
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
  const summary = await summaryOf(inputs, ({ fields }) => {
    const known = ledger.find(fields);
    for (const entry of known) found.add(entry);
    ledger.identify(fields);
    if (ledger.isOfAnother(fields))
      for (const key of ledger.keysOf({ email: fields['email'] })) ofOthers.add(key);
    if (known.every(isGone)) added += 1;
    else if (!ledger.holds(fields)) changed += 1;
    else if (isUnidentified(known)) unidentified += 1;
  });
  if (inputs.fingerprint !== summary.fingerprint) {
    throw new ResourceError(`${nameOfSource(inputs)} ${CHANGED_MEANWHILE}`);
  }
  const types = await typesNow(inputs, summary, run);
  const leaving = ledger.all().filter((entry) => !found.has(entry));
  const retained = [before ?? {}, inputs].some(retains);
  // Who had an address that a record takes over is known until that record is done.
  const isPassedOn = ({ keys }: LedgerEntry): boolean => keys.some((key) => ofOthers.has(key));
  if (forgetsLeaving) for (const entry of leaving) if (!isPassedOn(entry)) ledger.delete(entry);
  if (leaving.length > 0 && retained) {
    run.host.reporter.warn(
      `${count(leaving.length, 'contact')} no longer declared ${leaving.length === 1 ? 'stays' : 'stay'} in the service, which has no call to delete one. Set onRemove to 'unsubscribe' or 'clear' for more.`,
    );
  }

  const learnId = async (fields: Raw): Promise<void> => ledger.identify(fields, await idOf(fields, run));

  // The records are read a second time, and the file may have changed since the first.
  const fingerprint = new Fingerprint();
  async function* tasks(): AsyncGenerator<Task, void> {
    for await (const record of readRecords(inputs)) {
      fingerprint.add(record);
      if (ledger.holds(record.fields)) {
        // A removal tells by the id whether an address is still that person's.
        if (isUnidentified(ledger.find(record.fields)))
          yield { ...record, run: () => learnId(record.fields) };
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
            ledger.set(record.fields, await upsertOne(record, before, types, inputs, run));
          } catch (error) {
            if (error instanceof AudienceError && error.unclear) ledger.doubt(record.fields);
            throw error;
          }
          if (isUnidentified(ledger.find(record.fields))) await learnId(record.fields);
        },
      };
    }
  }

  const total = added + changed + unidentified;
  const { succeeded, failures } = await runAll(tasks(), total, run.host);
  if (forgetsLeaving && failures.length === 0) {
    const passedOn = new Set(leaving.filter(isPassedOn).flatMap(({ keys }) => keys.slice(1)));
    for (const entry of ledger.all()) if (entry.keys.some((key) => passedOn.has(key))) ledger.delete(entry);
  }
  const isAsPlanned =
    failures.length === 0 &&
    fingerprint.digest() === summary.fingerprint &&
    (forgetsLeaving || leaving.length === 0);
  const outs: Outputs = {
    ...inputs,
    fingerprint: isAsPlanned ? summary.fingerprint : '',
    count: summary.count,
    label: run.contacts.declarantOf(inputs)?.label ?? before?.label,
    service: run.client.baseUrl,
    generation,
    ...ledger.store(),
    ...(retains(inputs) ? {} : { identities: ledger.identities() }),
  };
  if (failures.length > 0) {
    const report = `${succeeded} of ${total} contacts are done, ${total - succeeded} are not. Run 'pulumi up' again to go on from there.`;
    throw new PartialFailure(id, outs, [report, ...limited(failures)]);
  }
  run.host.reporter.info(
    `Contacts (${nameOfSource(inputs)}): ${count(added + changed, 'contact')} done, ${added.toLocaleString('en')} new and ${changed.toLocaleString('en')} changed; ${(summary.count - added - changed).toLocaleString('en')} were as declared.`,
  );
  return outs;
}

/** What is declared otherwise than before, and `null` for what was declared and is no more. */
function changesOf(fields: ContactFields, { written, cleared }: ColumnChanges): Changes {
  const { subscriptionGroups, ...declared } = declaredFields(fields);
  const names = new Set(written.map(fieldOfColumn));
  const groups = new Set(written.flatMap((column) => groupOfColumn(column) ?? []));
  const memberships = Object.entries(isRaw(subscriptionGroups) ? subscriptionGroups : {}).filter(([id]) =>
    groups.has(id),
  );
  return {
    ...Object.fromEntries(Object.entries(declared).filter(([name]) => names.has(name))),
    ...(memberships.length === 0 ? {} : { subscriptionGroups: Object.fromEntries(memberships) }),
    ...Object.fromEntries(cleared.map((column) => [fieldOfColumn(column), null])),
  };
}

/** What the ledger has of the person of a record. */
interface KnownRecord {
  readonly isNew: boolean;
  readonly isKnownByEmail: boolean;
  readonly isKnownByUserId: boolean;
  /** Whether its address was somebody else's, who has another userId. */
  readonly isOfAnother: boolean;
  /** Where the service's id is known. */
  readonly identity: Identity | undefined;
  readonly columns: ColumnChanges;
}

/** @returns the contact's id, where the service told it. */
async function upsertOne(
  record: ContactRecord,
  before: KnownRecord,
  types: PropertyTypes,
  { createWithEvent, ...source }: Inputs,
  run: Run,
): Promise<string | undefined> {
  const encoded = encodedRecord(record, types, source);
  if (encoded === undefined) {
    throw new ResourceError('it is not what was checked before: the file was changed meanwhile');
  }
  const fields = keptFields(encoded);
  const { email, userId } = fields;
  const changes = changesOf(fields, before.columns);
  const claim = (id: string | undefined): string | undefined => {
    const owner = run.people.ownerOf({ email, userId });
    const other = id !== undefined && owner !== undefined ? run.people.claim({ id }, owner) : undefined;
    if (owner !== undefined && other !== undefined) {
      run.host.reporter.warn(
        `${owner.location} and ${other.location} are one contact of the service (id ${id ?? ''}): whichever is written last wins. Keep one of them.`,
      );
    }
    return id;
  };
  if (before.identity !== undefined) return claim(await updateKnown(before.identity, fields, changes, run));
  if (before.isOfAnother && email !== undefined) {
    const holder = await lookUp(run.client, email, IN_BULK);
    if (isGiven(holder?.userId) && holder.userId !== userId) throw new ResourceError(STILL_OF_ANOTHER);
  }
  // A contact that was upserted before may have got another email since: its userId still finds it.
  if (before.isKnownByUserId && isAddress(userId)) {
    const all =
      email === undefined || (before.isKnownByEmail && !before.columns.isAll)
        ? changes
        : { ...changes, email };
    const updated = await update(run.client, userId, all, IN_BULK);
    if (updated !== undefined) return claim(updated.id);
  }
  // Whoever was there and is gone may have been erased: nobody is created anew that the plan did not call new.
  const event = before.isNew ? createWithEvent : undefined;
  const upserted = await upsert({ email, userId }, event, changes, run, IN_BULK);
  if (upserted.done) return claim(upserted.id);
  throw new ResourceError(before.isNew ? absence(upserted.event, createWithEvent) : GONE);
}

/**
 * Updates the contact that state knows by its id: an address may be another's by now.
 *
 * @throws ResourceError when it is gone, or its address leads to another.
 */
async function updateKnown(
  identity: Identity,
  { email, userId }: ContactFields,
  changes: Changes,
  { client }: Run,
): Promise<string | undefined> {
  const isIt = ({ id }: Contact): boolean => id === identity.id;
  const { contact, other } = await locate(client, [identity, { email, userId }], isIt, IN_BULK);
  if (contact === undefined) throw new ResourceError(other === undefined ? GONE : ANOTHER);
  const isMoved = email !== undefined && !isEmail(contact.email, email);
  // An email is only changed under a userId.
  const byUserId = [contact.userId, userId].find(isAddress);
  const address = isMoved || !isGiven(contact.email) ? byUserId : contact.email;
  if (address === undefined) throw new ResourceError(NO_WAY_TO_EMAIL);
  const must = async (identifier: string, all: Changes): Promise<void> => {
    if ((await update(client, identifier, all, IN_BULK)) === undefined) throw new ResourceError(GONE);
  };
  if (isMoved && contact.userId !== address && isGiven(contact.email))
    await must(contact.email, { userId: address });
  await must(address, {
    ...changes,
    ...(isMoved ? { email } : {}),
    ...(userId === undefined || contact.userId === userId ? {} : { userId }),
  });
  return contact.id;
}

const ANOTHER =
  "its address leads to another contact of the service than the one that was written before; nobody was changed. Correct the address, or take the record out, run 'pulumi up', and declare it anew";

const STILL_OF_ANOTHER =
  'its address is still that of the contact with another userId, whom an earlier run wrote; nobody was changed. Give that contact another address first; if it is the same person with a new userId, leave the userId out for one run';

const NO_WAY_TO_EMAIL =
  'its email is another in the service, which changes one only for a contact that it can find by a userId without an @; nobody was changed';

/** The service's id of a contact, which not every service tells when it is written; where it cannot be read, later. */
async function idOf(fields: Raw, { client }: Run): Promise<string | undefined> {
  const declared = { email: textOf(fields['email']), userId: textOf(fields['userId']) };
  const identifier = declared.email ?? declared.userId;
  if (identifier === undefined) return undefined;
  try {
    const found = await lookUp(client, identifier, IN_BULK);
    return found !== undefined && agrees(found, declared) ? found.id : undefined;
  } catch (error) {
    if (error instanceof AudienceError) return undefined;
    throw error;
  }
}

const GONE =
  "it was in the service at the last run and is gone, or under other identifiers by now; nobody was created. Take the record out, or run 'pulumi refresh', after which it counts as new";

function absence(sent: EventFate, event: CreationEvent | undefined): string {
  const name = `the event '${event?.eventName ?? ''}'`;
  if (sent === 'sent before') return `${name} ${SENT_BEFORE}`;
  if (sent === 'sent') return `${name} was sent, but the service does not show the contact yet`;
  if (sent === 'unclear') {
    return `${name} may have been sent: the service gave no clear response, and does not show the contact yet`;
  }
  return 'there is no such contact in the service; set createWithEvent, so that an event creates it';
}
