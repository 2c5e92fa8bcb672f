import { PartialFailure } from '../errors.js';
import type { Declaration } from '../declarations.js';
import { keysOf } from '../people/identity.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { contactsOf, digits, limited } from '../words.js';
import type { Inputs } from './inputs.js';
import type { List } from './list.js';
import { Matcher } from './match.js';
import type { DeclaredRow } from './rows.js';
import { formatEntries, unsure } from './state.js';
import type { Counts, Entry, Hashes, Outputs, Entries } from './state.js';
import { upsertRow } from './upsert-row.js';
import type { RowResult } from './upsert-row.js';
import { groupedByReason, workOn } from './work.js';

/** What upserts go on from. */
export interface Before {
  readonly entries: Entries;
  readonly hashes: Hashes;
}

/**
 * Upserts the rows of a list that are new or changed.
 *
 * @throws PartialFailure when some could not be: it names each with its location, and keeps the rest as done.
 */
export async function upsertAll(
  id: string,
  inputs: Inputs,
  list: List,
  before: Before,
  run: Run,
): Promise<Raw> {
  const { hashes } = before;
  const matcher = new Matcher(before.entries, hashes, list);
  const matches = list.rows.map((row) => ({ row, match: matcher.match(row) }));
  const claims = new Claims(run);
  const { results, stopped } = await workOn(
    matches,
    async ({ row, match }) => {
      const result = await upsertRow(row, match, inputs.createWithEvent, run);
      if (result.id !== undefined) claims.add(row, result.id);
      return result;
    },
    run.host,
  );
  const ends = matches.map(({ row, match }, index): RowResult & { readonly row: DeclaredRow } => {
    const result = results[index] ?? notReached(match);
    const fields = claims.clashes.get(row);
    if (fields === undefined) return { ...result, row };
    const entry = result.entry && unsure(result.entry, fields.keys());
    return { ...result, row, kind: 'failed', entry, reason: [...fields.values()][0] ?? '' };
  });
  const entries = entriesAfter(ends, hashes, matcher.skipped);
  const failures = ends.flatMap(({ row, kind, reason }) =>
    kind === 'failed' && reason !== undefined ? [{ location: row.location, reason }] : [],
  );
  const counts = countsOf(ends, matches, before, matcher.skipped);
  const isDone = failures.length === 0 && stopped === undefined;
  const outs: Outputs = {
    ...inputs,
    ...counts,
    skipped: list.skipped.length,
    endsInLineEnd: list.endsInLineEnd,
    fingerprint: isDone ? list.fingerprint : '',
    service: hashes.service(run.client.baseUrl),
    salt: hashes.salt,
    ...formatEntries(entries),
  };
  sayGone(ends, run);
  if (isDone) return outs;
  const left = ends.filter(({ kind, reason }) => kind === 'failed' || reason !== undefined).length;
  const report = `${digits(ends.length - left)} of ${contactsOf(ends.length)} are done. The next 'pulumi up' writes the others.`;
  throw new PartialFailure(id, outs, [
    report,
    ...(stopped === undefined ? [] : [`The run stopped early: ${stopped}.`]),
    ...limited(groupedByReason(failures)),
  ]);
}

/** A row that a run stopped before keeps its entry. */
function notReached(match: ReturnType<Matcher['match']>): RowResult {
  return {
    kind: 'failed',
    keep: match.kind === 'known' ? [match.known] : match.kind === 'refused' ? match.keep : [],
  };
}

/** Rows that turned out to be one contact, by the id that the service told. */
class Claims {
  /** Row to the fields that another declaration gives another value, with a sentence each. */
  readonly clashes = new Map<DeclaredRow, Map<string, string>>();
  readonly #rows = new Map<Declaration, DeclaredRow>();

  constructor(private readonly run: Run) {}

  add(row: DeclaredRow, id: string): void {
    const { declarations } = this.run;
    const own = declarations.find(keysOf(row)).find(({ values }) => values === row.values);
    if (own === undefined) return;
    this.#rows.set(own, row);
    const clash = declarations.add(keysOf({ id }), own);
    if (clash === undefined) return;
    const { field, other } = clash;
    this.#note(row, field, other.location);
    const otherRow = this.#rows.get(other);
    if (otherRow !== undefined) this.#note(otherRow, field, own.location);
  }

  #note(row: DeclaredRow, field: string, location: string): void {
    const fields = this.clashes.get(row) ?? new Map<string, string>();
    fields.set(
      field,
      `it is the same contact as ${location}, with another value of '${field}'. Keep one of them`,
    );
    this.clashes.set(row, fields);
  }
}

/** What state has after a run: every identifier leads to one entry. */
function entriesAfter(
  ends: readonly (RowResult & { readonly row: DeclaredRow })[],
  hashes: Hashes,
  skipped: readonly Entry[],
): Entry[] {
  const written = ends.flatMap(({ entry }) => entry ?? []);
  const emails = new Map<string, number>();
  const userIds = new Set<string>();
  const note = ({ email, userId }: Entry): void => {
    if (email !== undefined) emails.set(email, (emails.get(email) ?? 0) + 1);
    if (userId !== undefined) userIds.add(userId);
  };
  for (const entry of written) note(entry);
  const kept = [...ends.flatMap(({ keep = [] }) => keep), ...skipped].filter((entry) => {
    const isElsewhere =
      (entry.email !== undefined && emails.has(entry.email)) ||
      (entry.userId !== undefined && userIds.has(entry.userId));
    if (!isElsewhere) note(entry);
    return !isElsewhere;
  });
  const declared = new Map<string, string | undefined>();
  for (const { row } of ends) {
    const { email, userId } = hashes.entryOf(row);
    if (userId !== undefined) declared.set(userId, email);
  }
  // An address that another row was written with is no longer that of an entry whose row declares another one.
  return [...written, ...kept].map((entry) => {
    const { email, userId } = entry;
    const isShared = email !== undefined && (emails.get(email) ?? 0) > 1;
    const isLeft = userId !== undefined && declared.has(userId) && declared.get(userId) !== email;
    return isShared && isLeft ? { ...entry, email: undefined } : entry;
  });
}

function countsOf(
  ends: readonly RowResult[],
  matches: readonly { readonly match: ReturnType<Matcher['match']> }[],
  { entries }: Before,
  skipped: readonly Entry[],
): Omit<Counts, 'skipped'> {
  const count = (kind: RowResult['kind']): number => ends.filter((end) => end.kind === kind).length;
  const matched = matches.flatMap(({ match }) =>
    match.kind === 'known' ? [match.known] : match.kind === 'refused' ? match.keep : [],
  );
  const found = new Set([...matched, ...skipped]);
  return {
    count: ends.length,
    added: count('added'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    notListedAnyMore: entries.all.filter((entry) => !found.has(entry)).length,
  };
}

function sayGone(ends: readonly RowResult[], { host }: Run): void {
  const gone = ends.filter(({ kind }) => kind === 'gone').length;
  const absent = ends.filter(({ kind }) => kind === 'nothing').length;
  if (gone > 0) {
    host.reporter.warn(
      `${contactsOf(gone)} no longer ${gone === 1 ? 'exists' : 'exist'} in the service, and no event is sent to create ${gone === 1 ? 'it' : 'them'} again. If you want that, take the rows out, run 'pulumi up', and put them back.`,
    );
  }
  if (absent > 0) {
    host.reporter.info(
      `${contactsOf(absent)} declared 'subscribed: false' ${absent === 1 ? 'does' : 'do'} not exist in the service: there is nothing to do.`,
    );
  }
}
