import { AudienceError } from 'audience-core';
import { problem, textOf, type Problem } from '../../messages/index.js';
import type { Made } from '../behaviour.js';
import { causeOf, ResourceError } from '../errors.js';
import { locationOf } from '../declarations.js';
import type { CreationEvent } from '../contact-record/fields.js';
import { keysOf } from '../contact-record/identity.js';
import { codeOf, newMark } from '../contact-record/rejoin.js';
import { upsert } from '../contact-record/upsert.js';
import { groupName } from '../contact-record/values.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { contentOf, withPlainFile } from './content.js';
import { DeclaredRow, type DeclaredRows } from './declared-rows.js';
import { nameOfSource, readInputs } from './inputs.js';
import { listKey, readList } from './list.js';
import { Matcher, wantedOf, type Match } from './match.js';
import { formatEntries, marksIn, settled, unsure, type Before, type Entry, type Outputs } from './state.js';
import { workOn } from './work.js';

const MAX_REASONS = 7;

/** Upserts new and changed rows, and returns the state. Throws ResourceError, with the state, when some rows failed. */
export async function upsertAll(id: string, raw: Raw, before: Before, run: Run): Promise<Made> {
  const checked = readInputs(raw);
  const inputs = withPlainFile(checked);
  const list = run.lists.get(listKey(checked));
  const rows = list === undefined || list === 'ignored' ? await readList(inputs, run) : list;
  const { untyped: names, fingerprint } = rows;
  if (fingerprint !== (contentOf(checked.file) ?? fingerprint))
    throw new ResourceError(problem('contacts.changedSince', { source: nameOfSource(inputs) }));
  if (names.length > 0) throw new ResourceError(problem('contacts.typesUnknown', { names }));
  const matcher = new Matcher(before, rows, run.rejoinCodes);
  const { ends, stopped } = await write(rows, matcher, inputs.createWithEvent, run);
  const entries = settled(
    ends.flatMap(({ entry }) => entry ?? []),
    [...ends.flatMap(({ keep = [] }) => keep), ...matcher.skipped],
    before,
    (entry) => matcher.isMoved(entry),
  );
  // A row without an entry of its own is written in the next run.
  const isDone =
    stopped === undefined && ends.every(({ kind, entry }) => kind !== 'failed' && entry !== undefined);
  const outs: Outputs = {
    ...inputs,
    count: ends.length,
    endsInLineEnd: rows.endsInLineEnd,
    written: isDone ? fingerprint : '',
    service: before.hashes.service(run.client.baseUrl),
    salt: before.hashes.salt,
    ...formatEntries(entries),
  };
  report(ends, entries, rows, nameOfSource(inputs), run);
  const problems = failuresOf(ends, rows, stopped);
  if (problems.length > 0) throw new ResourceError(problems, { id, outs });
  return { id, outs };
}

interface RowEnd {
  readonly kind: 'done' | 'gone' | 'nobody' | 'failed';
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

/** Writes the rows, and compares those that are one contact, which only its id shows. */
async function write(
  rows: DeclaredRows,
  matcher: Matcher,
  event: CreationEvent | undefined,
  run: Run,
): Promise<{ readonly ends: readonly RowEnd[]; readonly stopped: Problem | undefined }> {
  /** By the number of a row: the field that another declaration has with another value. */
  const clashes = new Map<number, { readonly field: string; readonly where: string }>();
  const work = async (row: DeclaredRow, index: number): Promise<RowEnd> => {
    const end = await upsertRow(row, matcher.match(row), event, run);
    const [key] = keysOf({ id: end.id });
    if (key === undefined) return end;
    rows.noteId(key, index);
    const clash = run.declarations.clash([key], row);
    if (clash === undefined) return end;
    const { field, other, where } = clash;
    clashes.set(row.number, { field, where });
    if (other instanceof DeclaredRow && other.resource === row.resource)
      clashes.set(other.number, { field, where: locationOf(row) });
    return end;
  };
  const { results, stopped } = await workOn(rows, work, run.host);
  const ends = Array.from(rows, (row, index): RowEnd => {
    const end = results[index];
    if (end === undefined) return { kind: 'failed', keep: matcher.match(row).keep };
    const clash = clashes.get(row.number);
    if (clash === undefined) return end;
    const entry = end.entry && unsure(end.entry, [clash.field]);
    return { ...end, kind: 'failed', entry, problem: problem('contacts.twice', clash) };
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
  const isKnown = known !== undefined;
  const isSame = isKnown && Object.keys(values).length + moved.length === 0;
  if (isSame && refused === undefined) return { kind: 'done', entry };
  // State never says done of what was not written.
  const [own, ...others] = keep;
  const tried = own && unsure(own, Object.keys(values));
  const failed = { kind: 'failed', keep: [...(tried === undefined ? [] : [tried]), ...others] } as const;
  if (refused !== undefined) return { ...failed, problem: refused };
  const { email, userId } = row;
  try {
    const upserted = await upsert({ ...wantedOf(row, match), event }, run);
    if (upserted.kind === 'refused') return { ...failed, problem: upserted.problem, error: upserted.error };
    if (upserted.kind === 'nobody') return absent(entry, tried);
    const { id, notJoined, address } = upserted;
    const marks = notJoined.map((group) => [groupName(group), newMark()] as const);
    const written = { ...entry, absence: undefined, values: new Map([...entry.values, ...marks]) };
    // No identifier of a bad row was written: only one is known to be the contact's.
    const other = address === userId ? { email: undefined } : { userId: undefined };
    return { kind: 'done', entry: { ...written, ...(row.isBad && !isKnown && other) }, id, notJoined };
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    const cause = causeOf(error, [email, userId, ...Object.values(row.values)]);
    return { ...failed, problem: problem('service.failed', { cause }), error };
  }
}

/** The end of a row whose contact does not exist: a known one is gone, and of another one the run says "no mail". */
function absent({ email, userId }: Entry, tried: Entry | undefined): RowEnd {
  if (tried !== undefined) return { kind: 'gone', entry: { ...tried, absence: 'gone' } };
  return { kind: 'nobody', entry: { email, userId, values: new Map(), absence: 'nobody' } };
}

/** Says what was not written, and needs no other run. */
function report(
  ends: readonly RowEnd[],
  entries: readonly Entry[],
  rows: DeclaredRows,
  source: string,
  { host: { reporter } }: Run,
): void {
  const notJoined = new Set(ends.flatMap((end) => end.notJoined ?? []));
  for (const [group, marks] of marksIn(entries))
    if (notJoined.has(group))
      reporter.warn(
        problem('contacts.notJoined', { count: marks.length, group, code: codeOf(group, marks) }),
      );
  const gone = locationsOf(ends, rows, ({ entry }) => entry?.absence === 'gone');
  if (gone.length > 0) reporter.warn(problem('contacts.gone', { rows: gone, source }));
  const { length: count } = ends.filter(({ kind }) => kind === 'nobody');
  if (count > 0) reporter.info(problem('contacts.nothing', { count }));
}

/** What failed, with the rows of each reason. */
function failuresOf(ends: readonly RowEnd[], rows: DeclaredRows, stopped: Problem | undefined): Problem[] {
  const { length: failed } = ends.filter(({ kind }) => kind === 'failed');
  if (failed === 0 && stopped === undefined) return [];
  const whyOf = ({ problem: why }: RowEnd): string | undefined => why && textOf(why);
  const reasons = [...new Set(ends.flatMap((end) => whyOf(end) ?? []))];
  const more = reasons.length - MAX_REASONS;
  return [
    problem('contacts.failed', { done: ends.length - failed, all: ends.length }),
    ...(stopped === undefined ? [] : [problem('contacts.stopped', { why: textOf(stopped) })]),
    ...reasons
      .slice(0, MAX_REASONS)
      .map((why) =>
        problem('contacts.rows', { rows: locationsOf(ends, rows, (end) => whyOf(end) === why), why }),
      ),
    ...(more > 0 ? [problem('contacts.more', { count: more })] : []),
  ];
}

function locationsOf(ends: readonly RowEnd[], rows: DeclaredRows, isOne: (end: RowEnd) => boolean): string[] {
  return ends.flatMap((end, index) => (isOne(end) ? (rows.at(index)?.location ?? []) : []));
}
