import { textOf } from '../raw.js';
import type { Raw } from '../raw.js';
import { columnsOf, effectsOf, fieldOfColumn, groupOfColumn, valueOfColumn } from '../contact/columns.js';
import { add, declaresBoth } from './check.js';
import { isGone } from './ledger.js';
import type { ColumnChanges, Ledger, LedgerEntry } from './ledger.js';
import { FOR_CHECKS, readForChecks } from '../read-for-checks.js';
import { isGiven } from '../people.js';
import type { Run } from '../run.js';
import { lookUp } from '../service-contacts.js';
import { readRecords } from './records.js';
import type { ContactRecord, RecordSource } from './records.js';

/** What a run will do with the contacts of one declaration. */
export interface Plan {
  readonly added: number;
  /** Whether some of the new ones declare both identifiers. */
  readonly hasBoth: boolean;
  readonly changed: number;
  readonly unchanged: number;
  /** How many get another value, by field. */
  readonly fields: ReadonlyMap<string, number>;
  /** How many lose their value, by field. */
  readonly cleared: ReadonlyMap<string, number>;
  /** What else is done to how many of the new and changed, by words: groups that they join or leave. */
  readonly others: ReadonlyMap<string, number>;
  /** How many of the new and changed declare `subscribed: false`, which nobody but the contact takes back. */
  readonly unsubscribed: number;
  /** Those that were upserted and are declared no more. */
  readonly leaving: readonly LedgerEntry[];
  /** The first few, by their places. */
  readonly first: readonly string[];
  /** Records that get the address of somebody who leaves. */
  readonly taken: readonly Move[];
  /** Places of records that swap email addresses among themselves: the service takes none of them first. */
  readonly circle: readonly string[];
  /** Places of records that have the identifiers of two known contacts of the service. */
  readonly joined: readonly string[];
}

/** A record with an email address that it did not have, or that somebody else has. */
interface Move {
  readonly location: string;
  readonly email: string;
  readonly userId: string | undefined;
  /** The old address, of somebody known, and the new one, as the ledger's keys. */
  readonly from: string | undefined;
  readonly to: string;
}

/** How many are named one by one. */
export const NAMED = 5;

/** Compares the records with what was upserted. */
export async function planOf(source: RecordSource, ledger: Ledger): Promise<Plan> {
  const found = new Set<LedgerEntry>();
  const moves: Move[] = [];
  const joined: string[] = [];
  let [added, changed, unchanged, unsubscribed, hasBoth] = [0, 0, 0, 0, false];
  const fields = new Map<string, number>();
  const cleared = new Map<string, number>();
  const others = new Map<string, number>();
  const first: string[] = [];
  for await (const record of readRecords(source)) {
    const entries = ledger.find(record.fields);
    for (const entry of entries) found.add(entry);
    if (entries.length > 0 && ledger.holds(record.fields)) {
      unchanged += 1;
      continue;
    }
    const ids = entries.filter((entry) => !isGone(entry)).flatMap(({ identity }) => identity.id ?? []);
    if (new Set(ids).size > 1) joined.push(record.location);
    const isNew = entries.every(isGone);
    if (isNew) {
      added += 1;
      hasBoth ||= declaresBoth(record);
    } else changed += 1;
    const columns = ledger.changes(record.fields, isNew ? [] : entries);
    if (record.fields['subscribed'] === false && columns.written.includes('subscribed')) unsubscribed += 1;
    const change = isNew ? { written: [], cleared: [] } : changeOf(record, columns, entries, ledger);
    const telling = columns.written.filter((column) => isNew || groupOfColumn(column) !== undefined);
    const effects = effectsOf(record.fields, telling);
    const move = moveOf(record, entries, ledger);
    if (move !== undefined) moves.push(move);
    for (const name of change.written) add(fields, name);
    for (const words of effects) add(others, words);
    if (!isNew && columns.isAll) add(others, WRITTEN_AGAIN);
    for (const name of change.cleared) add(cleared, name);
    if (first.length >= NAMED) continue;
    const names = [...change.written, ...effects, ...change.cleared.map((name) => `${name} cleared`)];
    if (!isNew && columns.isAll) names.unshift('as a whole');
    first.push(`${record.location} ${isNew ? 'new' : `changed (${names.join(', ')})`}`);
  }
  const leaving = ledger.all().filter((entry) => !found.has(entry));
  const leavingKeys = new Set(leaving.filter((entry) => !isGone(entry)).flatMap(({ keys }) => keys));
  return {
    added,
    hasBoth,
    changed,
    unchanged,
    unsubscribed,
    fields,
    cleared,
    others,
    leaving,
    first,
    taken: moves.filter(({ to }) => leavingKeys.has(to)),
    circle: circleOf(moves),
    joined,
  };
}

function moveOf(
  { fields, location }: ContactRecord,
  entries: readonly LedgerEntry[],
  ledger: Ledger,
): Move | undefined {
  const [email, userId] = [textOf(fields['email']), textOf(fields['userId'])];
  const [from] = entries.flatMap(({ keys }) => keys);
  const [to] = ledger.keysOf({ email });
  if (email === undefined || to === undefined) return undefined;
  if (from === undefined && ledger.addressOfAnother(fields, entries) === undefined) return undefined;
  return entries.some(({ keys }) => keys.includes(to)) ? undefined : { location, email, userId, from, to };
}

/** Places of the first circle, in the order of the records. */
function circleOf(moves: readonly Move[]): string[] {
  const byAddress = new Map(moves.map((move) => [move.from, move]));
  for (const start of moves) {
    const round = new Set<Move>();
    for (
      let move: Move | undefined = start;
      move !== undefined && !round.has(move);
      move = byAddress.get(move.to)
    ) {
      round.add(move);
      if (move.to === start.from)
        return moves.filter((one) => round.has(one)).map(({ location }) => location);
    }
  }
  return [];
}

/** Those of them whose address the service has with somebody else: it gives nobody what another still has. */
export async function stillTaken({ taken }: Plan, { client, host }: Run): Promise<string[]> {
  const still: string[] = [];
  for (const { location, email, userId, from } of taken.slice(0, NAMED)) {
    const holder = await readForChecks(`Whether the address of ${location} is free`, host.reporter, () =>
      lookUp(client, email, FOR_CHECKS),
    );
    // Somebody new may have the address of whoever has no userId.
    const isOfAnother =
      from === undefined
        ? isGiven(holder?.userId) && holder.userId !== userId
        : holder !== undefined && (holder.userId ?? undefined) !== userId;
    if (isOfAnother) still.push(location);
  }
  return still;
}

/** Names of what is written and cleared, for people. */
function changeOf(
  { fields }: ContactRecord,
  { written, cleared, isAll }: ColumnChanges,
  entries: readonly LedgerEntry[],
  ledger: Ledger,
): { written: string[]; cleared: string[] } {
  const lost = lostOf(fields, written);
  if (isAll) return { written: [], cleared: [...lost, ...cleared.map(fieldOfColumn)] };
  const declared = columnsOf(fields);
  const dropped = entries
    .flatMap(({ columns }) => [...columns.keys()])
    .filter((column) => !declared.includes(column));
  const names = written
    .filter((column) => groupOfColumn(column) === undefined)
    .map(fieldOfColumn)
    .filter((name) => !lost.includes(name));
  const known = new Set(entries.flatMap(({ keys }) => keys));
  const keys = ledger.keysOf(fields);
  if (keys.length !== known.size || keys.some((key) => !known.has(key))) names.push('email or userId');
  if (written.length + cleared.length + names.length === 0)
    names.push(dropped.length > 0 ? `no longer declared: ${dropped.join(' and ')}` : 'spelling only');
  return { written: names, cleared: [...lost, ...cleared.map(fieldOfColumn)] };
}

const WRITTEN_AGAIN = 'written as a whole, email and userId too, as the service has other values or may';

/** Names of the columns that a record declares as `null`. */
function lostOf(fields: Raw, columns: readonly string[]): string[] {
  return columns.filter((column) => valueOfColumn(fields, column) === null).map(fieldOfColumn);
}
