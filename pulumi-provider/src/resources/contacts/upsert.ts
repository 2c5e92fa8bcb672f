import { AudienceError } from 'audience-core';
import { PartialFailure, ResourceError } from '../errors.js';
import { textOf } from '../raw.js';
import { contactsOf, digits } from '../words.js';
import type { Raw } from '../raw.js';
import { IN_THE_SERVICE } from '../on-removal.js';
import type { Claim } from '../declarations.js';
import { isGiven } from '../people.js';
import type { Run } from '../run.js';
import { fieldOfColumn } from '../contact/columns.js';
import type { PropertyTypes } from '../known-properties.js';
import { Fingerprint, isFingerprintOf, summaryOf } from './check.js';
import type { Summary } from './check.js';
import { clearedSince, clearedTooLate, withoutTaking } from './declared-elsewhere.js';
import type { Inputs } from './inputs.js';
import { retains, typesNow } from './inputs.js';
import { withLeaving } from './leavers.js';
import { isGone, Ledger } from './ledger.js';
import type { LedgerEntry } from './ledger.js';
import { nameOfSource, readRecords } from './records.js';
import type { ContactRecord } from './records.js';
import { UNNAMED } from './state.js';
import type { Outputs } from './state.js';
import { readId, upsertOne } from './upsert-one.js';
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
export async function upsertAll(id: string, inputs: Inputs, from: Before, run: Run): Promise<Raw> {
  const upserts = new Upserts(inputs, from, run);
  const { total, types, summary } = await upserts.readRecords();
  const { succeeded, failures } = await runAll(upserts.tasks(types), total, run.host);
  const outs = upserts.outputs(summary, failures.length === 0);
  if (failures.length > 0) {
    const report = `${digits(succeeded)} of ${contactsOf(total)} are done, ${digits(total - succeeded)} are not. The next 'pulumi up' goes on from there; what is refused has to be corrected first.`;
    throw new PartialFailure(id, outs, [report, ...limited(failures)]);
  }
  upserts.sayDone(summary);
  return outs;
}

class Upserts {
  readonly #ledger: Ledger;
  /** Addresses that somebody else was upserted with. */
  readonly #ofOthers = new Set<string>();
  /** Ids of contacts that several records lead to. */
  readonly #shared = new Set<string>();
  /** Of the records as they are read for the second time: the file may have changed since the first. */
  readonly #fingerprint = new Fingerprint();
  #leaving: readonly LedgerEntry[] = [];
  #added = 0;
  #changed = 0;
  /** How many were upserted and have no id in state: the service did not tell it. */
  #nameless = 0;

  constructor(
    private readonly inputs: Inputs,
    private readonly from: Before,
    private readonly run: Run,
  ) {
    this.#ledger = from.before === undefined ? new Ledger(from.salt) : Ledger.read(from.before);
  }

  /**
   * Looks who is new, changed or leaving.
   *
   * @throws ResourceError where the records are not those that were planned.
   */
  async readRecords(): Promise<{ total: number; types: PropertyTypes; summary: Summary }> {
    const { inputs, run } = this;
    const found = new Set<LedgerEntry>();
    let unidentified = 0;
    const isAnyCleared = !run.cleared.isEmpty;
    const summary = await summaryOf(inputs, (record) => {
      const { fields } = record;
      if (isAnyCleared) this.#ledger.forgetColumns(fields, clearedSince(fields, this.#ledger, run));
      const known = this.#ledger.find(fields);
      for (const entry of known) found.add(entry);
      // State of a list that takes nothing from anybody names nobody.
      if (!retains(inputs)) this.#ledger.identify(fields);
      const taken = this.#ledger.addressOfAnother(fields, known);
      if (taken !== undefined) this.#ofOthers.add(taken);
      if (known.every(isGone)) this.#added += 1;
      else if (!this.#ledger.holds(fields)) this.#changed += 1;
      else if (this.#isUnidentified(known)) unidentified += 1;
      else for (const { identity } of known) this.#claim(record, identity.id);
    });
    if (!isFingerprintOf(inputs.fingerprint, summary)) {
      throw new ResourceError(`${nameOfSource(inputs)} ${CHANGED_MEANWHILE}`);
    }
    const types = await typesNow(inputs, summary, run);
    this.#leaving = this.#ledger.all().filter((entry) => !found.has(entry));
    if (this.from.forgetsLeaving)
      for (const entry of this.#leaving) if (!this.#isPassedOn(entry)) this.#ledger.delete(entry);
    // Of those who leave a list that is replaced, the deletion of the old copy speaks.
    if (this.#leaving.length > 0 && this.#takesNobody && !this.#isReplaced) {
      run.host.reporter.warn(
        `${contactsOf(this.#leaving.length)} no longer declared ${this.#leaving.length === 1 ? 'stays' : 'stay'} ${IN_THE_SERVICE}`,
      );
    }
    return { total: this.#added + this.#changed + unidentified, types, summary };
  }

  /** What is to be done, record by record. */
  async *tasks(types: PropertyTypes): AsyncGenerator<Task, void> {
    for await (const record of readRecords(this.inputs)) {
      this.#fingerprint.add(record);
      if (!this.#ledger.holds(record.fields)) yield { ...record, run: () => this.#upsert(record, types) };
      // A removal tells by the id whether an address is still that person's.
      else if (this.#isUnidentified(this.#ledger.find(record.fields)))
        yield { ...record, run: () => this.#learnId(record, false) };
    }
  }

  /** What state keeps of what was done. */
  outputs(summary: Summary, isDone: boolean): Outputs {
    const { inputs, run } = this;
    const { before, generation, forgetsLeaving } = this.from;
    if (forgetsLeaving && isDone) this.#forgetPassedOn();
    // What the service has of them is what one of the records says: all are written again.
    for (const id of this.#shared) this.#ledger.forgetContentOf(id);
    const isAsPlanned =
      isDone &&
      this.#shared.size + this.#nameless === 0 &&
      this.#fingerprint.digest() === summary.fingerprint &&
      (forgetsLeaving || this.#leaving.length === 0);
    // Whoever sets `retain` calls off what is pending.
    const pending = this.#takesNobody ? [] : before?.left;
    return {
      ...inputs,
      fingerprint: isAsPlanned ? (inputs.fingerprint ?? '') : '',
      count: summary.count,
      label: this.#label,
      service: run.client.baseUrl,
      generation,
      left: this.#isReplaced ? withLeaving(before?.left, this.#leaving) : pending,
      ...this.#ledger.store(),
      ...(retains(inputs) ? {} : { identities: this.#ledger.identities() }),
    };
  }

  get #label(): string {
    return this.run.contacts.declarantOf(this.inputs)?.label ?? this.from.before?.label ?? UNNAMED;
  }

  sayDone({ count: all }: Summary): void {
    const { reporter } = this.run.host;
    const list = `${this.#label} (${nameOfSource(this.inputs)})`;
    if (this.#nameless > 0) {
      reporter.warn(
        `${list}: the service did not tell the id of ${contactsOf(this.#nameless)}, by which a removal knows the person. The next 'pulumi up' asks again; until then, contacts that are known only by email are not removed.`,
      );
    }
    const done = this.#added + this.#changed;
    reporter.info(
      `${list}: ${contactsOf(done)} done, ${digits(this.#added)} new and ${digits(this.#changed)} changed; ${digits(all - done)} were as declared.`,
    );
  }

  async #upsert(record: ContactRecord, types: PropertyTypes): Promise<void> {
    const { fields } = record;
    const known = this.#ledger.find(fields).filter((entry) => !isGone(entry));
    const isKnownBy = (name: 'email' | 'userId'): boolean =>
      this.#ledger
        .keysOf({ [name]: fields[name] })
        .some((key) => known.some(({ keys }) => keys.includes(key)));
    const identity = known.map((one) => one.identity).find(({ id }) => id !== undefined);
    const list = `${this.#label} (${nameOfSource(this.inputs)})`;
    const columns = await withoutTaking(
      list,
      record,
      this.#ledger.changes(fields, known),
      identity,
      this.run,
    );
    const before = {
      isNew: known.length === 0,
      isKnownByEmail: isKnownBy('email'),
      isKnownByUserId: isKnownBy('userId'),
      isAddressTaken: this.#ledger.keysOf({ email: fields['email'] }).some((key) => this.#ofOthers.has(key)),
      identity,
      columns,
    };
    try {
      const told = await upsertOne(record, before, types, this.inputs, this.run);
      // Who declares the contact by another identifier knows it by the id.
      const read =
        told === undefined && columns.cleared.length > 0 ? await readId(fields, true, this.run) : undefined;
      const id = told ?? (read === 'not read' ? undefined : read?.id);
      this.#ledger.set(fields, id);
      this.run.cleared.note({ id }, columns.cleared.map(fieldOfColumn));
      const other = this.#claim(record, id);
      if (other !== undefined && columns.cleared.length > 0)
        throw new ResourceError(clearedTooLate(columns, other));
    } catch (error) {
      if (error instanceof AudienceError && error.unclear) this.#ledger.doubt(fields);
      throw error;
    }
    if (this.#isUnidentified(this.#ledger.find(fields))) await this.#learnId(record, true);
  }

  /** @param isThere whether it has just been written. */
  async #learnId(record: ContactRecord, isThere: boolean): Promise<void> {
    const read = await readId(record.fields, isThere, this.run);
    if (read === 'not read') {
      this.#nameless += 1;
      return;
    }
    this.#ledger.identify(record.fields, read?.id);
    this.#claim(record, read?.id);
  }

  /**
   * Notes whom a record leads to, and says where another one does as well.
   *
   * @returns the other one.
   */
  #claim({ fields }: ContactRecord, id: string | null | undefined): Claim | undefined {
    const { people, host } = this.run;
    const owner = people.ownerOf({ email: textOf(fields['email']), userId: textOf(fields['userId']) });
    if (!isGiven(id) || owner === undefined) return undefined;
    const other = people.claim({ id }, owner);
    if (other === undefined) return undefined;
    this.#shared.add(id);
    host.reporter.warn(
      `${owner.location} and ${other.location} are one contact of the service (id ${id}): whichever is written last wins. Keep one of them.`,
    );
    return other;
  }

  #isUnidentified(known: readonly LedgerEntry[]): boolean {
    return !retains(this.inputs) && known.some(({ identity }) => identity.id === undefined);
  }

  /** Whether another record takes this one's address over: it is known until that record is done. */
  #isPassedOn({ keys }: LedgerEntry): boolean {
    return keys.some((key) => this.#ofOthers.has(key));
  }

  #forgetPassedOn(): void {
    const leaving = this.#leaving.filter((entry) => this.#isPassedOn(entry));
    const userIds = new Set(leaving.flatMap(({ keys }) => keys.slice(1)));
    for (const entry of this.#ledger.all())
      if (entry.keys.some((key) => userIds.has(key))) this.#ledger.delete(entry);
  }

  get #isReplaced(): boolean {
    const { before, generation } = this.from;
    return before !== undefined && generation !== before.generation;
  }

  get #takesNobody(): boolean {
    return [this.from.before ?? {}, this.inputs].some(retains);
  }
}
