import { AudienceError } from 'audience-core';
import { problem, textOf, type Problem } from '../../messages/index.js';
import type { Made } from '../behaviour.js';
import { causeOf, ResourceError } from '../errors.js';
import { locationOf, type Clash } from '../declarations.js';
import type { CreationEvent } from '../contact-record/fields.js';
import { keysOf } from '../contact-record/identity.js';
import { codeOf, newMark } from '../contact-record/rejoin.js';
import { upsert } from '../contact-record/upsert.js';
import { groupName } from '../contact-record/values.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { DeclaredRow } from './declared-rows.js';
import { contentOf, withPlainFile } from './content.js';
import { nameOfSource, readInputs } from './inputs.js';
import { listKey, readList } from './list.js';
import { Matcher, type Match } from './match.js';
import { formatEntries, marksIn, UNCLEAR, unsure, type Before, type Entry, type Outputs } from './state.js';
import { workOn } from './work.js';

const MAX_REASONS = 7;

/** Upserts new and changed rows, and returns the state. Throws ResourceError, with the state, when some rows failed. */
export async function upsertAll(id: string, raw: Raw, before: Before, run: Run): Promise<Made> {
  const checked = readInputs(raw);
  const inputs = withPlainFile(checked);
  const source = nameOfSource(inputs);
  const list = run.lists.get(listKey(checked));
  const rows = list === undefined || list === 'ignored' ? await readList(inputs, run) : list;
  const { untyped: names, fingerprint } = rows;
  if (fingerprint !== (contentOf(checked.file) ?? fingerprint))
    throw new ResourceError(problem('contacts.changedSince', { source }));
  if (names.length > 0) throw new ResourceError(problem('contacts.typesUnknown', { names }));
  const { hashes } = before;
  const matcher = new Matcher(before, rows, run.rejoinCodes);
  /** By the number of a row: where another declaration has another value of a field. */
  const clashes = new Map<number, Pick<Clash, 'field' | 'where'>>();
  const { results, stopped } = await workOn(
    rows,
    async (row, index) => {
      const result = await upsertRow(row, matcher.match(row), inputs.createWithEvent, run);
      const [key] = keysOf({ id: result.id });
      if (key === undefined) return result;
      rows.noteId(key, index);
      const clash = run.declarations.clash([key], row);
      if (clash === undefined) return result;
      const { field, other, where } = clash;
      clashes.set(row.number, { field, where });
      if (other instanceof DeclaredRow && other.resource === row.resource)
        clashes.set(other.number, { field, where: locationOf(row) });
      return result;
    },
    run.host,
  );
  const ends = Array.from(rows, (row, index): RowResult => {
    const result = results[index];
    // A row that was not reached keeps its entry.
    if (result === undefined) return { kind: 'failed', keep: matcher.match(row).keep };
    const clash = clashes.get(row.number);
    if (clash === undefined) return result;
    const entry = result.entry && unsure(result.entry, [clash.field]);
    return { ...result, kind: 'failed', entry, problem: problem('contacts.twice', clash) };
  });
  const { failed = [], gone = [], nothing = [] } = Object.groupBy(ends, ({ kind }) => kind);
  const isDone = failed.length === 0 && stopped === undefined;
  const entries = withoutTaken([
    ...ends.flatMap(({ entry }) => entry ?? []),
    ...ends.flatMap(({ keep = [] }) => keep),
    ...matcher.skipped,
  ]);
  const outs: Outputs = {
    ...inputs,
    count: ends.length,
    endsInLineEnd: rows.endsInLineEnd,
    written: isDone ? fingerprint : '',
    service: hashes.service(run.client.baseUrl),
    salt: hashes.salt,
    ...formatEntries(entries),
  };
  const { reporter } = run.host;
  const notJoined = new Set(ends.flatMap((end) => end.notJoined ?? []));
  for (const [group, marks] of marksIn(entries))
    if (notJoined.has(group))
      reporter.warn(
        problem('contacts.notJoined', { count: marks.length, group, code: codeOf(group, marks) }),
      );
  if (gone.length > 0) reporter.warn(problem('contacts.gone', { count: gone.length, source }));
  if (nothing.length > 0) reporter.info(problem('contacts.nothing', { count: nothing.length }));
  if (isDone) return { id, outs };
  const failures = ends.flatMap(({ problem: why }, index) =>
    why === undefined ? [] : [{ location: rows.at(index)?.location ?? '', why: textOf(why) }],
  );
  const reasons = [...Map.groupBy(failures, ({ why }) => why)].map(([why, all]) =>
    problem('contacts.rows', { rows: all.map(({ location }) => location), why }),
  );
  const more = reasons.splice(MAX_REASONS).length;
  const problems = [
    problem('contacts.failed', { done: ends.length - failed.length, all: ends.length }),
    ...(stopped === undefined ? [] : [problem('contacts.stopped', { why: textOf(stopped) })]),
    ...reasons,
    ...(more > 0 ? [problem('contacts.more', { count: more })] : []),
  ];
  throw new ResourceError(problems, { id, outs });
}

interface RowResult {
  readonly kind: 'done' | 'gone' | 'nothing' | 'failed';
  readonly entry?: Entry | undefined;
  /** Entries that state keeps, unless another row has their identifiers now. */
  readonly keep?: readonly Entry[];
  /** Why it failed. It has no value of the row. */
  readonly problem?: Problem;
  readonly id?: string | undefined;
  readonly error?: AudienceError | undefined;
  /** Declared groups that the contact may have left. */
  readonly notJoined?: readonly string[];
}

async function upsertRow(
  row: DeclaredRow,
  match: Match,
  event: CreationEvent | undefined,
  run: Run,
): Promise<RowResult> {
  const { refused, known, entry, values, moved, rejoins, keep } = match;
  if (refused !== undefined) return { kind: 'failed', problem: refused, keep };
  const { email, userId } = row;
  const isKnown = known !== undefined;
  if (isKnown && Object.keys(values).length + moved.length === 0) return { kind: 'done', entry };
  const hasUserId = known?.userId !== undefined && known.userId === entry.userId;
  const wanted = { identity: { email, userId }, values, event, isKnown, hasUserId, moved, rejoins };
  try {
    const upserted = await upsert(wanted, run);
    // Without an entry, the next run looks anew for a contact that its event did not show.
    if (upserted.kind === 'refused') return { ...upserted, kind: 'failed', keep };
    if (upserted.kind === 'nobody')
      return isKnown ? { kind: 'gone', entry: { ...known, isGone: true } } : { kind: 'nothing' };
    const { id, notJoined } = upserted;
    const { isGone: _, ...there } = entry;
    const marks = notJoined.map((group) => [groupName(group), newMark()] as const);
    return { kind: 'done', entry: { ...there, values: new Map([...there.values, ...marks]) }, id, notJoined };
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    const cause = causeOf(error, [email, userId, ...Object.values(row.values)]);
    // The next run looks for both identifiers again, and writes the one that the contact lacks.
    const isBoth = email !== undefined && userId !== undefined;
    const tried = known ?? (isBoth ? { ...entry, email: UNCLEAR } : entry);
    const after = error.unclear ? { entry: unsure(tried, Object.keys(values)) } : { keep };
    return { kind: 'failed', problem: problem('service.failed', { cause }), error, ...after };
  }
}

/** Each identifier has one entry: the first one that has it. */
function withoutTaken(entries: readonly Entry[]): Entry[] {
  const taken = new Set<string>();
  return entries.filter(({ email, userId }) => {
    const own = [email, userId].flatMap((one) => (one === undefined || one === UNCLEAR ? [] : one));
    const isFree = !own.some((one) => taken.has(one));
    if (isFree) for (const one of own) taken.add(one);
    return isFree;
  });
}
