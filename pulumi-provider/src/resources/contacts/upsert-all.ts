import { PartialFailure } from '../errors.js';
import { locationOf } from '../declarations.js';
import type { Declaration } from '../declarations.js';
import { keysOf } from '../contact-record/identity.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { contactsOf, digits, limited } from '../words.js';
import type { Inputs } from './inputs.js';
import { withOtherValue } from './list.js';
import type { List } from './list.js';
import { Matcher } from './match.js';
import type { DeclaredRow } from './file/read.js';
import { formatEntries, unsure } from './state.js';
import type { Before, Entry, Hashes, Outputs } from './state.js';
import { upsertRow } from './upsert-row.js';
import type { RowResult } from './upsert-row.js';
import { goneText, groupedByReason, workOn } from './work.js';

type End = RowResult & { readonly row: DeclaredRow };

/** Reasons by row and by field, where another declaration has another value. */
type Clashes = Map<Declaration, Map<string, string>>;

/** Upserts new and changed rows, and returns the state. Throws PartialFailure when some rows failed. */
export async function upsertAll(
  id: string,
  inputs: Inputs,
  list: List,
  before: Before,
  run: Run,
): Promise<Raw> {
  const { hashes } = before;
  const matcher = new Matcher(before, list);
  const matches = list.rows.map((row) => ({ row, match: matcher.match(row) }));
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
    return { ...result, row, kind: 'failed', entry, reason: [...fields.values()][0] ?? '' };
  });
  const failures = ends.flatMap(({ row: { location }, reason }) =>
    reason === undefined ? [] : [{ location, reason }],
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
  const [gone, absent] = [count('gone'), count('nothing')];
  if (gone > 0)
    run.host.reporter.warn(
      `${goneText(gone)} To create ${gone === 1 ? 'it' : 'them'} again, remove the rows, run 'pulumi up', add the rows back, and run it again.`,
    );
  if (absent > 0)
    run.host.reporter.info(
      `${contactsOf(absent)} declared 'subscribed: false' did not exist in the service: there is nothing to do.`,
    );
  if (isDone) return outs;
  throw new PartialFailure(id, outs, [
    `${digits(ends.length - failed)} of ${contactsOf(ends.length)} are done. The next 'pulumi up' writes the others.`,
    ...(stopped === undefined ? [] : [`The run stopped early: ${stopped}.`]),
    ...limited(groupedByReason(failures)),
  ]);
}

/** Notes rows that are one contact, by the id of the response. */
function noteClash(row: DeclaredRow, id: string, { declarations }: Run, clashes: Clashes): void {
  const clash = declarations.add(keysOf({ id }), row);
  if (clash === undefined) return;
  const { field, other } = clash;
  const note = (one: Declaration, another: Declaration): void => {
    const reason = `it is the same contact as ${locationOf(another)}, ${withOtherValue(field)}`;
    clashes.set(one, (clashes.get(one) ?? new Map<string, string>()).set(field, reason));
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
    if (email !== undefined) emails.set(email, (emails.get(email) ?? 0) + 1);
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
