import { AudienceError } from 'audience-core';
import { problem, textOf } from '../../messages.js';
import type { Problem } from '../../messages.js';
import type { Made } from '../behaviour.js';
import { causeOf, isRefusal } from '../cause.js';
import { ResourceError } from '../errors.js';
import { resolve } from '../contact-record/identity.js';
import { currentValue, isConsent, isValue } from '../contact-record/values.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { readInputs } from './inputs.js';
import { readList } from './list.js';
import type { List } from './list.js';
import { Matcher } from './match.js';
import { nameOfSource } from './file/options.js';
import type { DeclaredRow } from './declared-rows.js';
import { beforeOf, formatEntries, outputsSchema, UNCLEAR, unsure } from './state.js';
import type { Entry, Hashes } from './state.js';
import { IN_BULK, workOn } from './work.js';

/** Marks drift as `?` in state. State has hashes only, so it compares only rows that are still declared. */
export async function readContacts(id: string, raw: Raw, run: Run): Promise<Made> {
  const outs = outputsSchema.parse(raw);
  const before = beforeOf(outs, run.client.baseUrl);
  const source = nameOfSource(outs);
  const { reporter } = run.host;
  const list = before.isOther ? undefined : await declaredList(raw, source, run);
  if (list === undefined) return { id, outs: raw };
  const matcher = new Matcher(before, list, run.rejoins);
  const known = [...list.rows].flatMap((row) => {
    const match = matcher.match(row);
    return match.kind === 'known' ? [{ row, known: match.known }] : [];
  });
  const { results, stopped } = await workOn(
    known,
    (one) => compare(one.row, one.known, before.hashes, run),
    run.host,
  );
  const compared = results.flatMap((result) => result ?? []);
  for (const { error } of compared) if (error !== undefined) throw error;
  if (stopped !== undefined) throw new ResourceError(problem('contacts.stopped', { why: textOf(stopped) }));
  const count = (kind: Compared['kind']): number => compared.filter((one) => one.kind === kind).length;
  const reasons = [
    ...new Set(compared.flatMap(({ refused }) => (refused === undefined ? [] : [textOf(refused)]))),
  ];
  if (count('different') > 0) reporter.warn(problem('contacts.drift', { count: count('different'), source }));
  if (count('gone') > 0) reporter.warn(problem('contacts.gone', { count: count('gone'), source }));
  if (reasons.length > 0) reporter.warn(problem('contacts.notCompared', { source, reasons }));
  const after = new Map(compared.map(({ before: entry, after: now }) => [entry, now]));
  const entries = before.entries.map((entry) => after.get(entry) ?? entry);
  return { id, outs: { ...outs, ...formatEntries(entries) } };
}

async function declaredList(raw: Raw, source: string, run: Run): Promise<List | undefined> {
  try {
    return await readList(readInputs(raw), run);
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    run.host.reporter.warn(problem('contacts.notCompared', { source, reasons: [textOf(error.problem)] }));
    return undefined;
  }
}

interface Compared {
  readonly kind: 'same' | 'different' | 'gone' | 'refused';
  /** The row's entry before and after the refresh. */
  readonly before: Entry;
  readonly after: Entry;
  readonly refused?: Problem;
  readonly error?: AudienceError;
}

async function compare(row: DeclaredRow, before: Entry, hashes: Hashes, { client }: Run): Promise<Compared> {
  const refused = (why: Problem): Compared => ({ kind: 'refused', before, after: before, refused: why });
  try {
    const { isGone: _, ...there } = before;
    const found = await resolve(row, client, { hasUserId: before.userId !== undefined }, IN_BULK);
    if (found.kind === 'refused') return refused(found.problem);
    if (found.kind === 'nobody') return { kind: 'gone', before, after: { ...there, isGone: true } };
    const differing = [...before.values].flatMap(([name, hash]) => {
      if (hash === UNCLEAR || isConsent(name)) return [];
      const current = currentValue(found.contact, name);
      return isValue(current) && hashes.value(name, current) === hash ? [] : [name];
    });
    const isMoved = found.lacks.email !== undefined && before.email === hashes.identityOf(row).email;
    const after = { ...unsure(there, differing), ...(isMoved && { email: UNCLEAR }) };
    return { kind: differing.length > 0 || isMoved ? 'different' : 'same', before, after };
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    if (isRefusal(error)) return refused(problem('row.failed', { cause: causeOf(error) }));
    return { kind: 'refused', before, after: before, error };
  }
}
