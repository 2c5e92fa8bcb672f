import { problem, textOf } from '../../messages.js';
import type { Problem } from '../../messages.js';
import { PartialFailure } from '../errors.js';
import { locationOf } from '../declarations.js';
import type { Declaration } from '../declarations.js';
import { keysOf } from '../contact-record/identity.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import type { Inputs } from './inputs.js';
import { twice } from './list.js';
import type { List } from './list.js';
import { Matcher } from './match.js';
import { nameOfSource } from './file/options.js';
import { Counts } from './plan.js';
import type { DeclaredRow } from './declared-rows.js';
import { formatEntries, UNCLEAR, unsure } from './state.js';
import type { Before, Entry, Hashes, Outputs } from './state.js';
import { upsertRow } from './upsert-row.js';
import type { RowResult } from './upsert-row.js';
import { groupedByReason, workOn } from './work.js';

const MAX_REASONS = 7;

type End = RowResult & { readonly row: DeclaredRow };

/** Problems by row and by field, where another declaration has another value. */
type Clashes = Map<Declaration, Map<string, Problem>>;

/** Upserts new and changed rows, and returns the state. Throws PartialFailure when some rows failed. */
export async function upsertAll(
  id: string,
  inputs: Inputs,
  list: List,
  before: Before,
  run: Run,
): Promise<Raw> {
  const { hashes } = before;
  const matcher = new Matcher(before, list, run.rejoins);
  const matches = Array.from(list.rows, (row) => ({ row, match: matcher.match(row) }));
  const clashes: Clashes = new Map();
  const { results, stopped } = await workOn(
    matches,
    async ({ row, match }) => {
      const result = await upsertRow(row, match, inputs.createWithEvent, run);
      if (result.id !== undefined) noteClash(row, result.id, run, clashes);
      return result;
    },
    run.host,
  );
  const ends = matches.map(({ row, match: { keep } }, index): End => {
    // A row that was not reached keeps its entry.
    const result = results[index] ?? { kind: 'failed', keep };
    const fields = clashes.get(row);
    if (fields === undefined) return { ...result, row };
    const entry = result.entry && unsure(result.entry, fields.keys());
    const [why] = fields.values();
    return { ...result, row, kind: 'failed', entry, ...(why !== undefined && { problem: why }) };
  });
  const failures = ends.flatMap(({ row: { location }, problem: why }) =>
    why === undefined ? [] : [{ location, why: textOf(why) }],
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
    skipped: list.reading.skipped.length,
    endsInLineEnd: list.reading.endsInLineEnd,
    fingerprint: isDone ? list.fingerprint : '',
    service: hashes.service(run.client.baseUrl),
    salt: hashes.salt,
    ...formatEntries(entriesAfter(ends, hashes, matcher.skipped)),
  };
  tell(ends, nameOfSource(inputs), run);
  if (isDone) return outs;
  const rows = groupedByReason(failures);
  throw new PartialFailure(id, outs, [
    problem('contacts.failed', { done: ends.length - failed, all: ends.length }),
    ...(stopped === undefined ? [] : [problem('contacts.stopped', { why: textOf(stopped) })]),
    ...rows.slice(0, MAX_REASONS),
    ...(rows.length > MAX_REASONS ? [problem('contacts.more', { count: rows.length - MAX_REASONS })] : []),
  ]);
}

/** Reports what a run did not do, beside its failures. */
function tell(ends: readonly End[], source: string, { host: { reporter } }: Run): void {
  const count = (kind: RowResult['kind']): number => ends.filter((end) => end.kind === kind).length;
  const groups = new Counts();
  for (const { notJoined = [] } of ends) for (const group of notJoined) groups.add(group);
  for (const [group, number] of groups)
    reporter.warn(problem('contacts.notJoined', { count: number, group }));
  if (count('gone') > 0) reporter.warn(problem('contacts.gone', { count: count('gone'), source }));
  if (count('nothing') > 0) reporter.info(problem('contacts.nothing', { count: count('nothing') }));
}

/** Notes rows that are one contact, by the id of the response. */
function noteClash(row: DeclaredRow, id: string, { declarations }: Run, clashes: Clashes): void {
  const clash = declarations.add(keysOf({ id }), row);
  if (clash === undefined) return;
  const { field, other } = clash;
  const note = (one: Declaration, another: Declaration): void => {
    const why = twice(locationOf(another), field);
    clashes.set(one, (clashes.get(one) ?? new Map<string, Problem>()).set(field, why));
  };
  note(row, other);
  note(other, row);
}

/** Entries after a run. Each identifier has one entry. */
function entriesAfter(ends: readonly End[], hashes: Hashes, skipped: readonly Entry[]): Entry[] {
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
  const identities = ends.map(({ row }) => hashes.identityOf(row));
  const declared = new Map(identities.map(({ email, userId }) => [userId, email]));
  // An entry loses its email if another row was written with it, unless its own row declares it.
  return [...written, ...kept].map((entry) => {
    const { email, userId } = entry;
    const isShared = email !== undefined && (emails.get(email) ?? 0) > 1;
    const isLost = userId !== undefined && declared.has(userId) && declared.get(userId) !== email;
    return isShared && isLost ? { ...entry, email: undefined } : entry;
  });
}
