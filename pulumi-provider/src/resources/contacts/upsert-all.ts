import type { AudienceError } from 'audience-core';
import { problem, textOf, type Problem } from '../../messages/index.js';
import type { Made } from '../behaviour.js';
import { ResourceError } from '../errors.js';
import type { Identity } from '../contact-record/identity.js';
import { upsert, type Upserted } from '../contact-record/upsert.js';
import { groupName } from '../contact-record/values.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { contentOf, withPlainFile } from './content.js';
import { fingerprintOf, type DeclaredRow, type DeclaredRows } from './declared-rows.js';
import { nameOfSource, readInputs, type Inputs } from './inputs.js';
import { listKey, readList } from './list.js';
import { Matcher, type Match } from './match.js';
import {
  formatEntries,
  idsOf,
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
  const tooEarly = run.creations.tooEarly(optedOutOf(list), knowsOf(state), list.resource.label);
  const mailed = list.rows.filter((row) => run.creations.hasSent(row));
  const before = without(mailed, state);
  const matcher = new Matcher(before, list, inputs.createWithEvent);
  const { ends, stopped } = await write(list, matcher, run);
  const all = [...ends.values()];
  const written = all.flatMap((end) => ('entry' in end ? end.entry : []));
  const kept = all.flatMap((end) => ('keep' in end ? end.keep : []));
  const entries = settled(written, [...kept, ...matcher.skipped], before);
  const outs: Outputs = {
    ...inputs,
    count: ends.size,
    written: written.length === ends.size ? writtenOf(fingerprintOf(list), inputs) : '',
    address: run.client.baseUrl,
    salt: before.hashes.salt,
    ...formatEntries(entries),
  };
  run.creations.noteState(knowsOf({ hashes: before.hashes, entries }));
  report(ends, nameOfSource(inputs), run);
  const problems = [...failuresOf(ends, stopped), ...tooEarly];
  if (problems.length > 0) throw new ResourceError(problems, { id, outs });
  return { id, outs };
}

/** The rows that say "no mail". */
export function optedOutOf({ rows }: DeclaredRows): readonly DeclaredRow[] {
  return rows.filter(({ values }) => values['subscribed'] === false);
}

/** A contact that an event created meanwhile is another one than state knew: all its values are written. */
function without(mailed: readonly Identity[], { hashes, entries }: Before): Before {
  const ids = new Set(mailed.flatMap((identity) => idsOf(hashes.identityOf(identity))));
  return { hashes, entries: entries.filter((entry) => !idsOf(entry).some((id) => ids.has(id))) };
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
  /** Also without a request, where state has it all. */
  | {
      readonly kind: 'written';
      readonly entry: Entry;
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

/** In the order of the list. */
type RowEnds = ReadonlyMap<DeclaredRow, RowEnd>;

/** Writes the rows, those that say "no mail" first. */
async function write(
  list: DeclaredRows,
  matcher: Matcher,
  run: Run,
): Promise<{ readonly ends: RowEnds; readonly stopped: Problem | undefined }> {
  const ends = new Map<DeclaredRow, RowEnd>();
  const work = async (row: DeclaredRow): Promise<AudienceError | 'done' | undefined> => {
    const match = matcher.match(row);
    if (match.todo !== 'write') {
      ends.set(row, endWithout(match));
      return undefined;
    }
    const upserted = await upsert(match.wanted, run);
    ends.set(row, endOf(upserted, match));
    return upserted.kind === 'failed' ? upserted.error : 'done';
  };
  const others = list.rows.filter(({ values }) => values['subscribed'] !== false);
  const stopped = await workOn([...optedOutOf(list), ...others], work, run.host);
  const all = list.rows.map((row) => [row, ends.get(row) ?? endWithout(matcher.match(row))] as const);
  return { ends: new Map(all), stopped };
}

/** The table of ARCHITECTURE: what a row's requests came to, and what state keeps of it. */
function endOf(upserted: Upserted, { entry, keep }: Extract<Match, { todo: 'write' }>): RowEnd {
  // State never has a value that was not written.
  const unclear = unsure(entry, [...entry.values.keys()]);
  switch (upserted.kind) {
    case 'written': {
      const left = upserted.notJoined.map((group) => [groupName(group), LEFT] as const);
      const values = new Map([...entry.values, ...left]);
      return { ...upserted, entry: { ...entry, values } };
    }
    case 'gone':
      return { kind: 'gone', entry: { ...(keep[0] ?? unclear), absence: 'gone' } };
    case 'nobody':
      return { kind: 'nobody', entry: { ...entry, values: new Map(), absence: 'nobody' } };
    case 'notCreated':
      return upserted;
    case 'refused':
      return { kind: 'failed', problem: upserted.problem, keep };
    case 'failed':
      return { kind: 'failed', problem: upserted.problem, keep: upserted.isCreated ? [unclear] : keep };
  }
}

/** The end of a row without a request. */
function endWithout(match: Match): RowEnd {
  switch (match.todo) {
    case 'nothing':
      return { kind: 'written', entry: match.entry, notJoined: [] };
    case 'refuse':
      return { kind: 'failed', problem: match.problem, keep: match.keep };
    case 'write':
      return { kind: 'notReached', keep: match.keep };
  }
}

/** Says what was not written, and needs no other run. */
function report(ends: RowEnds, source: string, { host: { reporter } }: Run): void {
  for (const [group, rows] of rowsBy(ends, (end) => (end.kind === 'written' ? end.notJoined : [])))
    reporter.warn(problem('contacts.notJoined', { rows, group, source }));
  for (const rows of rowsBy(ends, ({ kind }) => (kind === 'gone' ? [kind] : [])).values())
    reporter.warn(problem('contacts.gone', { rows, source }));
  for (const [by, rows] of rowsBy(ends, (end) => (end.kind === 'notCreated' ? [end.by] : [])))
    reporter.info(problem('contacts.notCreated', { rows, by, source }));
  const { length: count } = [...ends.values()].filter(({ kind }) => kind === 'nobody');
  if (count > 0) reporter.info(problem('contacts.nobody', { count }));
}

/** What failed, with the rows of each reason. */
function failuresOf(ends: RowEnds, stopped: Problem | undefined): Problem[] {
  const open = [...ends.values()].filter(({ kind }) => kind === 'failed' || kind === 'notReached');
  if (open.length === 0) return [];
  const reasons = [...rowsBy(ends, (end) => (end.kind === 'failed' ? [textOf(end.problem)] : []))];
  const more = reasons.length - MAX_REASONS;
  return [
    problem('contacts.failed', { done: ends.size - open.length, all: ends.size }),
    ...(stopped === undefined ? [] : [problem('contacts.stopped', { why: textOf(stopped) })]),
    ...reasons.slice(0, MAX_REASONS).map(([why, rows]) => problem('contacts.rows', { rows, why })),
    ...(more > 0 ? [problem('contacts.more', { count: more })] : []),
  ];
}

/** The rows of each text: of a group, of a reason. */
function rowsBy(ends: RowEnds, textsOf: (end: RowEnd) => readonly string[]): Map<string, string[]> {
  const rows = new Map<string, string[]>();
  for (const [{ location }, end] of ends)
    for (const text of textsOf(end)) {
      const ofText = rows.get(text) ?? [];
      rows.set(text, ofText);
      ofText.push(location);
    }
  return rows;
}
