import { count, isRaw, textOf } from '../host.js';
import type { Raw } from '../host.js';
import { effectsOf, fieldOfColumn, groupOfColumn, valueOfColumn } from '../contact-fields.js';
import { add } from './check.js';
import type { Summary } from './check.js';
import type { Inputs } from './inputs.js';
import { isGone } from './ledger.js';
import type { ColumnChanges, Ledger, LedgerEntry } from './ledger.js';
import { FOR_CHECKS, readForChecks } from '../read-for-checks.js';
import type { Run } from '../run.js';
import { lookUp } from '../service-contacts.js';
import { nameOfSource, readRecords } from './records.js';
import type { ContactRecord, RecordSource } from './records.js';
import type { Outputs } from './state.js';

/** What a run will do with the contacts of one declaration. */
export interface Plan {
  readonly added: number;
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
  /** Records of known people that get the address of somebody who leaves. */
  readonly taken: readonly Move[];
  /** Places of records that pass their email addresses on in a circle: the service takes none of them first. */
  readonly circle: readonly string[];
}

/** A record that gives somebody known another email address. */
interface Move {
  readonly location: string;
  readonly email: string;
  readonly userId: string | undefined;
  /** The old and the new address, as the ledger's keys. */
  readonly from: string;
  readonly to: string;
}

const NAMED = 5;

/** Compares the records with what was upserted. */
export async function planOf(source: RecordSource, ledger: Ledger): Promise<Plan> {
  const found = new Set<LedgerEntry>();
  const moves: Move[] = [];
  let [added, changed, unchanged, unsubscribed] = [0, 0, 0, 0];
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
    const isNew = entries.every(isGone);
    if (isNew) added += 1;
    else changed += 1;
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
  if (email === undefined || from === undefined || to === undefined) return undefined;
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
  for (const { location, email, userId } of taken.slice(0, NAMED)) {
    const holder = await readForChecks(`Whether the address of ${location} is free`, host.reporter, () =>
      lookUp(client, email, FOR_CHECKS),
    );
    if (holder !== undefined && (holder.userId ?? undefined) !== userId) still.push(location);
  }
  return still;
}

/** Why email addresses cannot be given as declared; `undefined` where they can. */
export function addressProblem(
  { circle }: Plan,
  taken: readonly string[],
  source: RecordSource,
  label: string,
): string | undefined {
  const list = `${label} (${nameOfSource(source)})`;
  if (circle.length > 0) {
    return `${list}: ${circle.slice(0, NAMED).join(', ')} pass their email addresses on in a circle, and the service gives nobody an address that another still has. Give one of them another address first, run 'pulumi up', and then the one that is meant.`;
  }
  if (taken.length > 0) {
    return `${list}: ${taken.join(', ')} ${taken.length === 1 ? 'gets' : 'get'} the email address of a contact that leaves, and the service gives nobody an address that another still has. Take the record that leaves out first, and run 'pulumi up'; give that contact another address in the service; then change the address here.`;
  }
  return undefined;
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
  const names = written
    .filter((column) => groupOfColumn(column) === undefined)
    .map(fieldOfColumn)
    .filter((name) => !lost.includes(name));
  const known = new Set(entries.flatMap(({ keys }) => keys));
  const keys = ledger.keysOf(fields);
  if (keys.length !== known.size || keys.some((key) => !known.has(key))) names.push('email or userId');
  if (written.length + cleared.length + names.length === 0) names.push('spelling only');
  return { written: names, cleared: [...lost, ...cleared.map(fieldOfColumn)] };
}

const WRITTEN_AGAIN = 'written as a whole, email and userId too, as the service has other values or may';

/** Names of the columns that a record declares as `null`. */
function lostOf(fields: Raw, columns: readonly string[]): string[] {
  return columns.filter((column) => valueOfColumn(fields, column) === null).map(fieldOfColumn);
}

/** What becomes of those who leave, by what state says: `retain`, `unsubscribe` or `clear`. */
const FATES = {
  retain: 'stay in the service as they are',
  unsubscribe: 'are unsubscribed for good when the run ends',
  clear: 'lose the values that were declared when the run ends',
} as const;

/** What is done with a contact whose record is removed. */
export type Fate = keyof typeof FATES;

/** The plan in one line of words and numbers. */
export function describePlan(
  plan: Plan,
  source: Inputs,
  label: string,
  fate: Fate,
  createWithEvent: unknown,
): string {
  const { added, changed, unchanged, leaving } = plan;
  const parts = [`${added.toLocaleString('en')} new`];
  const details = [listed(plan.fields), prefixed('cleared: ', listed(plan.cleared))].filter(
    (text) => text !== '',
  );
  parts.push(
    `${changed.toLocaleString('en')} changed${details.length === 0 ? '' : ` (${details.join('; ')})`}`,
    `${unchanged.toLocaleString('en')} unchanged`,
  );
  if (plan.unsubscribed > 0) parts.push(unsubscribes(plan.unsubscribed));
  for (const [words, number] of plan.others) parts.push(`${number.toLocaleString('en')} of them ${words}`);
  if (leaving.length > 0) {
    parts.push(
      `${leaving.length.toLocaleString('en')} leaving, who ${FATES[fate]} unless this run declares them elsewhere`,
    );
  }
  const first = plan.first.length === 0 ? '' : ` First: ${plan.first.join('; ')}.`;
  return `${label} (${nameOfSource(source)}): ${parts.join(', ')}.${first}${plan.added > 0 ? ` ${unknownOfNew(createWithEvent)}` : ''}`;
}

/** The plan of a list that state does not have yet. */
export function describeNew({ count: number, unsubscribed, effects }: Summary): string {
  const parts = [`${number.toLocaleString('en')} new`];
  if (unsubscribed > 0) parts.push(unsubscribes(unsubscribed));
  for (const [words, affected] of effects) parts.push(`${affected.toLocaleString('en')} of them ${words}`);
  return parts.join(', ');
}

/** What stands for records that an output of another resource brings. */
export const KNOWN_LATER = 'what is declared is known during the run only';

/** The plan where inputs are not known yet: the most that can happen. */
export function describeUnknown({ count: before, label, onRemove, maxRemovals }: Outputs, news: Raw): string {
  const most = mostRemovals(
    before,
    typeof news['maxRemovals'] === 'number' ? news['maxRemovals'] : maxRemovals,
  );
  const fate = onRemove ?? 'retain';
  const losses = 'any of them may be changed, cleared of values or unsubscribed, as their records then say';
  const leave =
    fate === 'retain' && news['onRemove'] === 'retain'
      ? ''
      : `; and of those who leave, up to ${most.toLocaleString('en')} ${fate === 'retain' ? 'may lose what onRemove then says' : `would ${WOULD[fate]}`}`;
  return `${label ?? 'Contacts'} (${count(before, 'contact')}): ${KNOWN_LATER}: ${losses}${leave}.`;
}

/** What is not known of new contacts, as it would take a read of each, and what is done with those that are not there. */
export function unknownOfNew(createWithEvent: unknown): string {
  const unchecked =
    'Not checked of new ones before they are written: whether each exists, and whether email and userId are one person.';
  return createWithEvent === undefined
    ? `${unchecked} Whoever does not exist fails, as createWithEvent names no event that creates them.`
    : `${unchecked} Whoever does not exist is sent ${eventIn(createWithEvent)}, which creates the contact and triggers its automations.`;
}

function eventIn(createWithEvent: unknown): string {
  const name = isRaw(createWithEvent) ? createWithEvent['eventName'] : undefined;
  return typeof name === 'string' ? `the event '${name}'` : 'an event that is known during the run only';
}

/** What records with `subscribed: false` do: it cannot be undone. */
function unsubscribes(number: number): string {
  return `${number.toLocaleString('en')} of them with subscribed: false, who are unsubscribed for good`;
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, number]) => `${name} ${number.toLocaleString('en')}`).join(', ');
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text;
}

/** Why so many must not leave at once; `undefined` where they may. */
export function removalProblem(
  leaving: number,
  before: number,
  allowed: number | undefined,
  source: RecordSource,
  label: string,
  fate: Fate,
): string | undefined {
  const most = mostRemovals(before, allowed);
  if (leaving <= most) return undefined;
  const would = WOULD[fate];
  return `${label} (${nameOfSource(source)}): ${count(leaving, 'contact')} of the last run's ${before.toLocaleString('en')} left it and would ${would}, and at most ${most.toLocaleString('en')} may leave in one run. If that is meant, set maxRemovals: ${leaving}; if not, look whether the file was cut off.`;
}

/** Why so many must not leave with their whole resource, of which nobody is asked at preview. */
export function deletionProblem(
  leaving: number,
  before: number,
  allowed: number | undefined,
  source: RecordSource,
  fate: Fate,
): string | undefined {
  const most = mostRemovals(before, allowed);
  if (leaving <= most) return undefined;
  return `Contacts (${nameOfSource(source)}) are no longer declared: ${leaving.toLocaleString('en')} of the last run's ${count(before, 'contact')} would ${WOULD[fate]}, and at most ${most.toLocaleString('en')} may leave in one run. Nobody was changed. If that is meant, declare them once more as they were, with maxRemovals: ${leaving}, run 'pulumi up', and then take them out; if not, declare them again, here or in another list: who is declared is left alone.`;
}

function mostRemovals(before: number, allowed: number | undefined): number {
  return allowed ?? Math.max(10, Math.ceil(before / 10));
}

const WOULD = {
  retain: 'stay as they are',
  unsubscribe: 'be unsubscribed for good',
  clear: 'lose the values that were declared',
} as const satisfies Record<Fate, string>;
