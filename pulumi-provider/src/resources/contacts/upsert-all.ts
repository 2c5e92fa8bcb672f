import { problem, textOf } from '../../messages.js';
import type { Problem } from '../../messages.js';
import { PartialFailure } from '../errors.js';
import { locationOf } from '../declarations.js';
import type { Declaration, Resource } from '../declarations.js';
import { keysOf } from '../contact-record/identity.js';
import type { Values } from '../contact-record/values.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import type { Inputs } from './inputs.js';
import { twice } from './list.js';
import type { List } from './list.js';
import { Matcher } from './match.js';
import { nameOfSource } from './file/options.js';
import { Counts } from './plan.js';
import type { DeclaredRows } from './declared-rows.js';
import { formatEntries, UNCLEAR, unsure } from './state.js';
import type { Before, Entry, Hashes, Outputs } from './state.js';
import { upsertRow } from './upsert-row.js';
import type { RowResult } from './upsert-row.js';
import { groupedByReason, workOn } from './work.js';

const MAX_REASONS = 7;

/** Problems by the index of the row and by field, where another declaration has another value. */
type Clashes = Map<number, Map<string, Problem>>;

/** Upserts new and changed rows, and returns the state. Throws PartialFailure when some rows failed. */
export async function upsertAll(
  id: string,
  inputs: Inputs,
  list: List,
  before: Before,
  run: Run,
): Promise<Raw> {
  const { hashes } = before;
  const { rows, reading } = list;
  const matcher = new Matcher(before, list, run.rejoins);
  const clashes: Clashes = new Map();
  const { results, stopped } = await workOn(
    rows,
    async (row, index) => {
      const result = await upsertRow(row, matcher.match(row), inputs.createWithEvent, run);
      if (result.id !== undefined) noteClash(new WrittenRow(list, index), result.id, run, clashes);
      return result;
    },
    run.host,
  );
  const ends = results.map((result, index): RowResult => {
    if (result === undefined) {
      // A row that was not reached keeps its entry.
      const row = rows.at(index);
      return { kind: 'failed', keep: row === undefined ? [] : matcher.match(row).keep };
    }
    const fields = clashes.get(index);
    if (fields === undefined) return result;
    const entry = result.entry && unsure(result.entry, fields.keys());
    const [why] = fields.values();
    return { ...result, kind: 'failed', entry, ...(why !== undefined && { problem: why }) };
  });
  const failures = ends.flatMap(({ problem: why }, index) =>
    why === undefined ? [] : [{ location: rows.at(index)?.location ?? '', why: textOf(why) }],
  );
  const count = (kind: RowResult['kind']): number => ends.filter((end) => end.kind === kind).length;
  const failed = count('failed');
  const isDone = failed === 0 && stopped === undefined;
  const outs: Outputs = {
    ...inputs,
    count: ends.length,
    added: count('added'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    notListedAnyMore: matcher.notListedAnyMore,
    skipped: reading.skipped.length,
    endsInLineEnd: reading.endsInLineEnd,
    fingerprint: isDone ? list.fingerprint : '',
    service: hashes.service(run.client.baseUrl),
    salt: hashes.salt,
    ...formatEntries(entriesAfter(ends, rows, hashes, matcher.skipped)),
  };
  tell(ends, nameOfSource(inputs), run);
  if (isDone) return outs;
  const reasons = groupedByReason(failures);
  throw new PartialFailure(id, outs, [
    problem('contacts.failed', { done: ends.length - failed, all: ends.length }),
    ...(stopped === undefined ? [] : [problem('contacts.stopped', { why: textOf(stopped) })]),
    ...reasons.slice(0, MAX_REASONS),
    ...(reasons.length > MAX_REASONS
      ? [problem('contacts.more', { count: reasons.length - MAX_REASONS })]
      : []),
  ]);
}

/** Reports what a run did not do, beside its failures. */
function tell(ends: readonly RowResult[], source: string, { host: { reporter } }: Run): void {
  const count = (kind: RowResult['kind']): number => ends.filter((end) => end.kind === kind).length;
  const groups = new Counts();
  for (const { notJoined = [] } of ends) for (const group of notJoined) groups.add(group);
  for (const [group, number] of groups)
    reporter.warn(problem('contacts.notJoined', { count: number, group }));
  if (count('gone') > 0) reporter.warn(problem('contacts.gone', { count: count('gone'), source }));
  if (count('nothing') > 0) reporter.info(problem('contacts.nothing', { count: count('nothing') }));
}

/** A row that is read again when it is asked for: a run keeps no row as an object. */
class WrittenRow implements Declaration {
  constructor(
    readonly list: List,
    readonly index: number,
  ) {}

  get resource(): Resource {
    return this.list.reading.resource;
  }

  get location(): string {
    return this.list.rows.at(this.index)?.location ?? '';
  }

  get values(): Values {
    return this.list.rows.at(this.index)?.values ?? {};
  }
}

/** Notes rows that are one contact, by the id of the response. */
function noteClash(row: WrittenRow, id: string, { declarations }: Run, clashes: Clashes): void {
  const clash = declarations.add(keysOf({ id }), row);
  if (clash === undefined) return;
  const { field, other } = clash;
  const note = (index: number, another: Declaration): void => {
    const why = twice(locationOf(another), field);
    clashes.set(index, (clashes.get(index) ?? new Map<string, Problem>()).set(field, why));
  };
  note(row.index, other);
  if (other instanceof WrittenRow && other.list === row.list) note(other.index, row);
}

/** Entries after a run. Each identifier has one entry. */
function entriesAfter(
  ends: readonly RowResult[],
  rows: DeclaredRows,
  hashes: Hashes,
  skipped: readonly Entry[],
): Entry[] {
  const written = ends.flatMap(({ entry }) => entry ?? []);
  const emails = new Map<string | undefined, number>();
  const userIds = new Set<string | undefined>();
  const note = ({ email, userId }: Entry): void => {
    if (email !== undefined && email !== UNCLEAR) emails.set(email, (emails.get(email) ?? 0) + 1);
    if (userId !== undefined) userIds.add(userId);
  };
  for (const entry of written) note(entry);
  const kept = [...ends.flatMap(({ keep = [] }) => keep), ...skipped].filter((entry) => {
    const isFree = !emails.has(entry.email) && !userIds.has(entry.userId);
    if (isFree) note(entry);
    return isFree;
  });
  const all = [...written, ...kept];
  const isShared = ({ email }: Entry): boolean => email !== undefined && (emails.get(email) ?? 0) > 1;
  if (!all.some(isShared)) return all;
  const identities = Array.from(rows, (row) => hashes.identityOf(row));
  const declared = new Map(identities.map(({ email, userId }) => [userId, email]));
  // An entry loses its email if another row was written with it, unless its own row declares it.
  return all.map((entry) => {
    const { email, userId } = entry;
    const isLost = userId !== undefined && declared.has(userId) && declared.get(userId) !== email;
    return isShared(entry) && isLost ? { ...entry, email: undefined } : entry;
  });
}
