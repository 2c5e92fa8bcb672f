import type { AudienceError } from 'audience-core';
import { problem, textOf, type Problem } from '../../messages/index.js';
import type { Made } from '../behaviour.js';
import { ResourceError } from '../errors.js';
import { keysOf } from '../contact-record/identity.js';
import { upsert, type Upserted } from '../contact-record/upsert.js';
import { groupName } from '../contact-record/values.js';
import { tooEarlyProblems, type CreationOf } from '../creations.js';
import type { Clash } from '../declarations.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { contentOf, withPlainFile } from './content.js';
import { fingerprintOf, type DeclaredRow, type DeclaredRows } from './declared-rows.js';
import { nameOfSource, readInputs, type Inputs } from './inputs.js';
import { listKey, readList } from './list.js';
import { Matcher, type Match } from './match.js';
import {
  beforeOf,
  formatEntries,
  knowsOf,
  LEFT,
  settled,
  unsure,
  writtenOf,
  type Before,
  type Entry,
  type Outputs,
} from './state.js';
import { workOn } from './work.js';

const MAX_REASONS = 7;

/** Upserts new and changed rows, and returns the state. Throws ResourceError, with the state, when some rows failed. */
export async function upsertAll(id: string, raw: Raw, state: Before, run: Run): Promise<Made> {
  const checked = readInputs(raw);
  const inputs = withPlainFile(checked);
  const list = await listOf(checked, inputs, run);
  const mailed = run.creations.tooEarly(optedOutOf(list), knowsOf(state));
  const before = withoutMailed(state, mailed);
  const matcher = new Matcher(before, list, inputs.createWithEvent);
  const { ends, stopped } = await write(list, matcher, run);
  const entries = settled(
    ends.flatMap((end) => ('entry' in end ? end.entry : [])),
    [...ends.flatMap((end) => ('keep' in end ? end.keep : [])), ...matcher.skipped],
    before,
    (entry) => matcher.isMoved(entry),
  );
  const outs: Outputs = {
    ...inputs,
    count: ends.length,
    written: ends.every((end) => 'entry' in end) ? writtenOf(fingerprintOf(list), inputs) : '',
    address: run.client.baseUrl,
    salt: before.hashes.salt,
    ...formatEntries(entries),
  };
  run.creations.noteState(id, knowsOf(beforeOf(outs)));
  report(ends, list, nameOfSource(inputs), run);
  const problems = [...failuresOf(ends, list, stopped), ...tooEarlyProblems(mailed, list.resource, run)];
  if (problems.length > 0) throw new ResourceError(problems, { id, outs });
  return { id, outs };
}

/** The rows that say "no mail". */
export function optedOutOf({ rows }: DeclaredRows): readonly DeclaredRow[] {
  return rows.filter(({ values }) => values['subscribed'] === false);
}

/** A contact that an event created meanwhile is another one than state knew: all its values are written. */
function withoutMailed({ hashes, entries }: Before, mailed: readonly CreationOf[]): Before {
  const ids = mailed.map(({ identity }) => hashes.identityOf(identity));
  const isOne = (entry: Entry): boolean =>
    ids.some(
      ({ email, userId }) =>
        (email !== undefined && email === entry.email) || (userId !== undefined && userId === entry.userId),
    );
  return { hashes, entries: entries.filter((entry) => !isOne(entry)) };
}

/** The rows that were checked. @throws ResourceError where they cannot be written as they were checked. */
async function listOf(checked: Inputs, inputs: Inputs, run: Run): Promise<DeclaredRows> {
  const known = run.lists.get(listKey(checked));
  const list = known === undefined || known === 'ignored' ? await readList(inputs, run) : known;
  const content = contentOf(checked.file);
  if (content !== undefined && content !== fingerprintOf(list))
    throw new ResourceError(problem('contacts.changedSince', { source: nameOfSource(inputs) }));
  if (list.untyped.length > 0)
    throw new ResourceError(problem('contacts.typesUnknown', { names: list.untyped }));
  return list;
}

/** How a row ended. One without an entry is written by the next run, too. */
type RowEnd =
  /** As state has it: no request was made. */
  | { readonly kind: 'asBefore'; readonly entry: Entry }
  | {
      readonly kind: 'written';
      readonly entry: Entry;
      readonly id: string | undefined;
      /** Declared groups that the contact may have left. */
      readonly notJoined: readonly string[];
    }
  /** The service responded 404. */
  | { readonly kind: 'gone' | 'nobody'; readonly entry: Entry }
  /** The service responded 404, and another declaration says "no mail". */
  | { readonly kind: 'notCreated'; readonly by: string }
  /** The row was refused or its request failed: state keeps these entries, unless another row has their identifiers now. */
  | { readonly kind: 'failed'; readonly problem: Problem; readonly keep: readonly Entry[] }
  | { readonly kind: 'notReached'; readonly keep: readonly Entry[] };

/** Writes the rows, those that say "no mail" first, and compares those that are one contact, which only its id shows. */
async function write(
  list: DeclaredRows,
  matcher: Matcher,
  run: Run,
): Promise<{ readonly ends: readonly RowEnd[]; readonly stopped: Problem | undefined }> {
  const ends = new Map<DeclaredRow, RowEnd>();
  const work = async (row: DeclaredRow): Promise<AudienceError | 'done' | undefined> => {
    const match = matcher.match(row);
    if (match.todo === 'nothing') {
      ends.set(row, { kind: 'asBefore', entry: match.entry });
      return undefined;
    }
    if (match.todo === 'refuse') {
      ends.set(row, { kind: 'failed', problem: match.problem, keep: match.keep });
      return undefined;
    }
    const upserted = await upsert(match.wanted, run);
    const end = endOf(upserted, match);
    ends.set(row, end);
    if (end.kind === 'written') run.declarations.add(keysOf({ id: end.id }), row);
    return upserted.kind === 'failed' ? upserted.error : 'done';
  };
  const optedOut = optedOutOf(list);
  const others = list.rows.filter(({ values }) => values['subscribed'] !== false);
  const stopped = await workOn([...optedOut, ...others], work, run.host);
  const all = list.rows.map((row) => {
    const end = ends.get(row) ?? notReached(matcher.match(row));
    if (end.kind !== 'written') return end;
    const clash = run.declarations.clash(keysOf({ id: end.id }), row);
    return clash === undefined ? end : contradicted(end, clash);
  });
  return { ends: all, stopped };
}

/** The table of ARCHITECTURE: what a row's requests came to, and what state keeps of it. */
function endOf(upserted: Upserted, match: Extract<Match, { todo: 'write' }>): RowEnd {
  const { entry, kept, values: written } = match;
  // State never has a value that was not written.
  const tried = kept && unsure(kept, Object.keys(written));
  const unclear = unsure(entry, [...entry.values.keys()]);
  switch (upserted.kind) {
    case 'written': {
      const left = upserted.notJoined.map((group) => [groupName(group), LEFT] as const);
      const values = new Map([...entry.values, ...left]);
      return { ...upserted, entry: { ...entry, values } };
    }
    case 'gone':
      return { kind: 'gone', entry: { ...(tried ?? unclear), absence: 'gone' } };
    case 'nobody':
      return { kind: 'nobody', entry: { ...entry, values: new Map(), absence: 'nobody' } };
    case 'notCreated':
      return upserted;
    case 'refused':
      return { kind: 'failed', problem: upserted.problem, keep: tried === undefined ? [] : [tried] };
    case 'failed': {
      const known = tried ?? (upserted.isCreated ? unclear : undefined);
      return { kind: 'failed', problem: upserted.problem, keep: known === undefined ? [] : [known] };
    }
  }
}

function notReached(match: Match): RowEnd {
  if (match.todo === 'nothing') return { kind: 'asBefore', entry: match.entry };
  if (match.todo === 'refuse') return { kind: 'notReached', keep: match.keep };
  return { kind: 'notReached', keep: match.kept === undefined ? [] : [match.kept] };
}

/** Another row is the same contact, with another value: the next run says so again. */
function contradicted({ entry }: Extract<RowEnd, { kind: 'written' }>, clash: Clash): RowEnd {
  return { kind: 'failed', problem: problem('contacts.twice', clash), keep: [unsure(entry, [clash.field])] };
}

/** Says what was not written, and needs no other run. */
function report(
  ends: readonly RowEnd[],
  list: DeclaredRows,
  source: string,
  { host: { reporter } }: Run,
): void {
  const locations = (isOne: (end: RowEnd) => boolean): string[] => locationsOf(ends, list, isOne);
  for (const group of new Set(ends.flatMap((end) => (end.kind === 'written' ? end.notJoined : [])))) {
    const left = locations((end) => end.kind === 'written' && end.notJoined.includes(group));
    reporter.warn(problem('contacts.notJoined', { rows: left, group, source }));
  }
  const gone = locations(({ kind }) => kind === 'gone');
  if (gone.length > 0) reporter.warn(problem('contacts.gone', { rows: gone, source }));
  for (const by of new Set(ends.flatMap((end) => (end.kind === 'notCreated' ? end.by : [])))) {
    const others = locations((end) => end.kind === 'notCreated' && end.by === by);
    reporter.info(problem('contacts.notCreated', { rows: others, by, source }));
  }
  const { length: count } = ends.filter(({ kind }) => kind === 'nobody');
  if (count > 0) reporter.info(problem('contacts.nobody', { count }));
}

/** What failed, with the rows of each reason. */
function failuresOf(ends: readonly RowEnd[], list: DeclaredRows, stopped: Problem | undefined): Problem[] {
  const { length: failed } = ends.filter(({ kind }) => kind === 'failed' || kind === 'notReached');
  if (failed === 0) return [];
  const whyOf = (end: RowEnd): string | undefined =>
    end.kind === 'failed' ? textOf(end.problem) : undefined;
  const reasons = [...new Set(ends.flatMap((end) => whyOf(end) ?? []))];
  const more = reasons.length - MAX_REASONS;
  const shown = reasons.slice(0, MAX_REASONS).map((why) => {
    const ofReason = locationsOf(ends, list, (end) => whyOf(end) === why);
    return problem('contacts.rows', { rows: ofReason, why });
  });
  return [
    problem('contacts.failed', { done: ends.length - failed, all: ends.length }),
    ...(stopped === undefined ? [] : [problem('contacts.stopped', { why: textOf(stopped) })]),
    ...shown,
    ...(more > 0 ? [problem('contacts.more', { count: more })] : []),
  ];
}

function locationsOf(
  ends: readonly RowEnd[],
  { rows }: DeclaredRows,
  isOne: (end: RowEnd) => boolean,
): string[] {
  return ends.flatMap((end, index) => (isOne(end) ? (rows[index]?.location ?? []) : []));
}
