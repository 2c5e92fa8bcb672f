import { AudienceError } from 'audience-core';
import { problem, textOf, type Problem } from '../../messages.js';
import { causeOf, ResourceError } from '../errors.js';
import { locationOf } from '../declarations.js';
import type { CreationEvent } from '../contact-record/fields.js';
import { keysOf } from '../contact-record/identity.js';
import { upsert } from '../contact-record/upsert.js';
import { groupName } from '../contact-record/values.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { DeclaredRow, type DeclaredRows } from './declared-rows.js';
import { nameOfSource, type Inputs } from './inputs.js';
import { twice } from './list.js';
import { Matcher, type Match } from './match.js';
import { Counts } from './plan.js';
import {
  formatEntries,
  NOT_JOINED,
  UNCLEAR,
  unsure,
  type Before,
  type Entry,
  type Hashes,
  type Outputs,
} from './state.js';
import { groupedByReason, IN_BULK, workOn } from './work.js';

const MAX_REASONS = 7;

/** By the number of a row: where another declaration has another value of a field. */
type Clashes = Map<number, { readonly field: string; readonly problem: Problem }>;

/** Upserts new and changed rows, and returns the state. Throws ResourceError, with the state, when some rows failed. */
export async function upsertAll(
  id: string,
  inputs: Inputs,
  rows: DeclaredRows,
  before: Before,
  run: Run,
): Promise<Raw> {
  const { hashes } = before;
  const matcher = new Matcher(before, rows, run.rejoins);
  const clashes: Clashes = new Map();
  const { results, stopped } = await workOn(
    rows,
    async (row, index) => {
      const result = await upsertRow(row, matcher.match(row), inputs.createWithEvent, run);
      const [key] = keysOf({ id: result.id });
      if (key !== undefined) noteClash(rows, index, key, run, clashes);
      return result;
    },
    run.host,
  );
  const ends = results.map((result, index): RowResult => {
    const row = rows.at(index);
    // A row that was not reached keeps its entry.
    if (result === undefined)
      return { kind: 'failed', keep: row === undefined ? [] : matcher.match(row).keep };
    const clash = clashes.get(row?.number ?? -1);
    if (clash === undefined) return result;
    const entry = result.entry && unsure(result.entry, [clash.field]);
    return { ...result, kind: 'failed', entry, problem: clash.problem };
  });
  const failures = ends.flatMap(({ problem: why }, index) =>
    why === undefined ? [] : [{ location: rows.at(index)?.location ?? '', why: textOf(why) }],
  );
  const kinds = new Counts();
  for (const { kind } of ends) kinds.add(kind);
  const failed = kinds.get('failed') ?? 0;
  const isDone = failed === 0 && stopped === undefined;
  const outs: Outputs = {
    ...inputs,
    count: ends.length,
    endsInLineEnd: rows.reading.endsInLineEnd,
    fingerprint: isDone ? rows.fingerprint : '',
    service: hashes.service(run.client.baseUrl),
    salt: hashes.salt,
    ...formatEntries(entriesAfter(ends, rows, hashes, matcher.skipped)),
  };
  tell(ends, kinds, nameOfSource(inputs), run);
  if (isDone) return outs;
  const reasons = groupedByReason(failures);
  const more = reasons.splice(MAX_REASONS).length;
  const problems = [
    problem('contacts.failed', { done: ends.length - failed, all: ends.length }),
    ...(stopped === undefined ? [] : [problem('contacts.stopped', { why: textOf(stopped) })]),
    ...reasons,
    ...(more > 0 ? [problem('contacts.more', { count: more })] : []),
  ];
  throw new ResourceError(problems, { id, outs });
}

/** Reports what a run did not do, beside its failures. */
function tell(ends: readonly RowResult[], kinds: Counts, source: string, { host: { reporter } }: Run): void {
  const groups = new Counts();
  for (const { notJoined = [] } of ends) for (const group of notJoined) groups.add(group);
  for (const [group, count] of groups) reporter.warn(problem('contacts.notJoined', { count, group }));
  const [gone, nothing] = [kinds.get('gone'), kinds.get('nothing')];
  if (gone !== undefined) reporter.warn(problem('contacts.gone', { count: gone, source }));
  if (nothing !== undefined) reporter.info(problem('contacts.nothing', { count: nothing }));
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
    const upserted = await upsert(wanted, run, IN_BULK);
    switch (upserted.kind) {
      case 'written': {
        const { id, notJoined } = upserted;
        return { kind: 'done', entry: joined(entry, notJoined), id, notJoined };
      }
      case 'nobody':
        return isKnown ? { kind: 'gone', entry: { ...known, isGone: true } } : { kind: 'nothing' };
      // Without an entry, the next run looks anew for a contact that its event did not show.
      case 'refused':
        return { ...upserted, kind: 'failed', keep };
    }
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

/** The entry of a contact that is there, with a mark for each group that it may have left. */
function joined({ isGone: _, ...entry }: Entry, notJoined: readonly string[]): Entry {
  const values = new Map(entry.values);
  for (const group of notJoined) values.set(groupName(group), NOT_JOINED);
  return { ...entry, values };
}

/** Notes rows that are one contact, by the key of the response's id. */
function noteClash(
  rows: DeclaredRows,
  index: number,
  key: string,
  { declarations }: Run,
  clashes: Clashes,
): void {
  const row = rows.at(index);
  const clash = row && declarations.clash([key], row);
  rows.noteId(key, index);
  if (row === undefined || clash === undefined) return;
  const { field, other, where } = clash;
  clashes.set(row.number, { field, problem: twice(where, field) });
  if (other instanceof DeclaredRow && other.resource === row.resource)
    clashes.set(other.number, { field, problem: twice(locationOf(row), field) });
}

/** Entries after a run. Each identifier has one entry: first that of the row which declares it. */
function entriesAfter(
  ends: readonly RowResult[],
  rows: DeclaredRows,
  hashes: Hashes,
  skipped: readonly Entry[],
): Entry[] {
  const taken = new Set<string>();
  const isTaken = (identifier: string | undefined): boolean => taken.has(identifier ?? '');
  const take = (entry: Entry): Entry => {
    for (const one of [entry.email, entry.userId]) if (one !== undefined && one !== UNCLEAR) taken.add(one);
    return entry;
  };
  const written = ends.flatMap(({ entry }, index) => (entry === undefined ? [] : { entry, index }));
  const isOwn = ({ entry, index }: (typeof written)[number]): boolean =>
    hashes.identityOf(rows.at(index) ?? {}).email === entry.email;
  const { own = [], others = [] } = Object.groupBy(written, (one) => (isOwn(one) ? 'own' : 'others'));
  const kept = [...ends.flatMap(({ keep = [] }) => keep), ...skipped];
  return [
    ...own.map(({ entry }) => take(entry)),
    ...others.map(({ entry }) => take(isTaken(entry.email) ? { ...entry, email: undefined } : entry)),
    ...kept.flatMap((entry) => (isTaken(entry.email) || isTaken(entry.userId) ? [] : take(entry))),
  ];
}
