import { AudienceError } from 'audience-core';
import { problem, textOf, type Problem } from '../../messages/index.js';
import type { Made } from '../behaviour.js';
import { causeOf, ResourceError } from '../errors.js';
import type { CreationEvent } from '../contact-record/fields.js';
import { keysOf } from '../contact-record/identity.js';
import { upsert } from '../contact-record/upsert.js';
import { groupName } from '../contact-record/values.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { contentOf, withPlainFile } from './content.js';
import type { DeclaredRow, DeclaredRows } from './declared-rows.js';
import { nameOfSource, readInputs, type Inputs } from './inputs.js';
import { listKey, readList } from './list.js';
import { Matcher, type Match } from './match.js';
import { formatEntries, LEFT, settled, unsure, type Before, type Entry, type Outputs } from './state.js';
import { workOn } from './work.js';

const MAX_REASONS = 7;

/** Upserts new and changed rows, and returns the state. Throws ResourceError, with the state, when some rows failed. */
export async function upsertAll(id: string, raw: Raw, before: Before, run: Run): Promise<Made> {
  const checked = readInputs(raw);
  const inputs = withPlainFile(checked);
  const rows = await rowsOf(checked, inputs, run);
  const matcher = new Matcher(before, rows);
  const { ends, stopped } = await write(rows, matcher, inputs.createWithEvent, run);
  const entries = settled(
    ends.flatMap(({ entry }) => entry ?? []),
    [...ends.flatMap(({ keep = [] }) => keep), ...matcher.skipped],
    before,
    (entry) => matcher.isMoved(entry),
  );
  const outs: Outputs = {
    ...inputs,
    count: ends.length,
    written: ends.some(isFailed) ? '' : rows.fingerprint,
    address: run.client.baseUrl,
    salt: before.hashes.salt,
    ...formatEntries(entries),
  };
  report(ends, rows, nameOfSource(inputs), run);
  const problems = failuresOf(ends, rows, stopped);
  if (problems.length > 0) throw new ResourceError(problems, { id, outs });
  return { id, outs };
}

/** The rows that were checked. @throws ResourceError where they cannot be written as they were checked. */
async function rowsOf(checked: Inputs, inputs: Inputs, run: Run): Promise<DeclaredRows> {
  const list = run.lists.get(listKey(checked));
  const rows = list === undefined || list === 'ignored' ? await readList(inputs, run) : list;
  if (rows.fingerprint !== (contentOf(checked.file) ?? rows.fingerprint))
    throw new ResourceError(problem('contacts.changedSince', { source: nameOfSource(inputs) }));
  if (rows.untyped.length > 0)
    throw new ResourceError(problem('contacts.typesUnknown', { names: rows.untyped }));
  return rows;
}

/** How a row ended. One without an entry, or with a problem, has failed: the next run writes it. */
interface RowEnd {
  readonly entry?: Entry;
  /** Entries that state keeps, unless another row has their identifiers now. */
  readonly keep?: readonly Entry[];
  /** Why it failed. It has no value of the row. */
  readonly problem?: Problem;
  readonly error?: AudienceError | undefined;
  readonly id?: string | undefined;
  /** Declared groups that the contact may have left. */
  readonly notJoined?: readonly string[];
}

function isFailed({ entry, problem: why }: RowEnd): boolean {
  return entry === undefined || why !== undefined;
}

/** Writes the rows, and compares those that are one contact, which only its id shows. */
async function write(
  rows: DeclaredRows,
  matcher: Matcher,
  event: CreationEvent | undefined,
  run: Run,
): Promise<{ readonly ends: readonly RowEnd[]; readonly stopped: Problem | undefined }> {
  const reached = new Map<number, RowEnd>();
  const work = async (row: DeclaredRow, index: number): Promise<AudienceError | undefined> => {
    const { error, ...end } = await upsertRow(row, matcher.match(row), event, run);
    reached.set(index, end);
    for (const key of keysOf({ id: end.id })) rows.noteId(key, row);
    return error;
  };
  const stopped = await workOn(rows, work, run.host);
  const ends = Array.from(rows, (row, index): RowEnd => {
    const end = reached.get(index) ?? { keep: matcher.match(row).keep };
    const clash = run.declarations.clash(keysOf({ id: end.id }), row);
    if (clash === undefined || end.entry === undefined) return end;
    return { entry: unsure(end.entry, [clash.field]), problem: problem('contacts.twice', clash) };
  });
  return { ends, stopped };
}

async function upsertRow(
  row: DeclaredRow,
  match: Match,
  event: CreationEvent | undefined,
  run: Run,
): Promise<RowEnd> {
  const { refused, known, entry, values, moved, keep } = match;
  const isSame = known !== undefined && Object.keys(values).length + moved.length === 0;
  if (isSame && refused === undefined) return { entry };
  // State never has a value that was not written.
  const [own, ...others] = keep.map((one, index) => (index === 0 ? unsure(one, Object.keys(values)) : one));
  const failed = { keep: own === undefined ? [] : [own, ...others] };
  if (refused !== undefined) return { ...failed, problem: refused };
  try {
    const upserted = await upsert({ ...match, event }, run);
    if (upserted.kind === 'refused') return { ...failed, problem: upserted.problem, error: upserted.error };
    if (upserted.kind === 'nobody') {
      // A known contact is gone, and of another one the run says "no mail".
      const nobody = { ...entry, values: new Map<string, string>(), absence: 'nobody' } as const;
      return { entry: own === undefined ? nobody : { ...own, absence: 'gone' } };
    }
    const { id, notJoined } = upserted;
    const marks = notJoined.map((group) => [groupName(group), LEFT] as const);
    const written = { ...entry, absence: undefined, values: new Map([...entry.values, ...marks]) };
    return { entry: written, id, notJoined };
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    const cause = causeOf(error, [row.email, row.userId, ...Object.values(row.values)]);
    return { ...failed, problem: problem('service.failed', { cause }), error };
  }
}

/** Says what was not written, and needs no other run. */
function report(
  ends: readonly RowEnd[],
  rows: DeclaredRows,
  source: string,
  { host: { reporter } }: Run,
): void {
  for (const group of new Set(ends.flatMap((end) => end.notJoined ?? []))) {
    const left = locationsOf(ends, rows, ({ notJoined = [] }) => notJoined.includes(group));
    reporter.warn(problem('contacts.notJoined', { rows: left, group, source }));
  }
  const gone = locationsOf(ends, rows, ({ entry }) => entry?.absence === 'gone');
  if (gone.length > 0) reporter.warn(problem('contacts.gone', { rows: gone, source }));
  const { length: count } = ends.filter(({ entry }) => entry?.absence === 'nobody');
  if (count > 0) reporter.info(problem('contacts.nothing', { count }));
}

/** What failed, with the rows of each reason. */
function failuresOf(ends: readonly RowEnd[], rows: DeclaredRows, stopped: Problem | undefined): Problem[] {
  const { length: failed } = ends.filter(isFailed);
  if (failed === 0) return [];
  const whyOf = ({ problem: why }: RowEnd): string | undefined => why && textOf(why);
  const reasons = [...new Set(ends.flatMap((end) => whyOf(end) ?? []))];
  const more = reasons.length - MAX_REASONS;
  const shown = reasons.slice(0, MAX_REASONS).map((why) => {
    const ofReason = locationsOf(ends, rows, (end) => whyOf(end) === why);
    return problem('contacts.rows', { rows: ofReason, why });
  });
  return [
    problem('contacts.failed', { done: ends.length - failed, all: ends.length }),
    ...(stopped === undefined ? [] : [problem('contacts.stopped', { why: textOf(stopped) })]),
    ...shown,
    ...(more > 0 ? [problem('contacts.more', { count: more })] : []),
  ];
}

function locationsOf(ends: readonly RowEnd[], rows: DeclaredRows, isOne: (end: RowEnd) => boolean): string[] {
  return ends.flatMap((end, index) => (isOne(end) ? (rows.at(index)?.location ?? []) : []));
}
