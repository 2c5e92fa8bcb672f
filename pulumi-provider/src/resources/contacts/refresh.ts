import { AudienceError } from 'audience-core';
import { canAddress } from 'audience-core/internal';
import type { Made } from '../behaviour.js';
import { ResourceError } from '../errors.js';
import { find } from '../contact-record/identity.js';
import { assertResponds, lookUp } from '../contact-record/service-contacts.js';
import { currentValue, groupOf, hasValue, isValue } from '../contact-record/values.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { contactsOf } from '../words.js';
import { readInputs } from './inputs.js';
import { readList } from './list.js';
import type { List } from './list.js';
import { Matcher } from './match.js';
import type { Match } from './match.js';
import { nameOfSource } from './file/options.js';
import type { DeclaredRow } from './file/read.js';
import { beforeOf, formatEntries, outputsSchema, UNCLEAR, unsure } from './state.js';
import type { Entry, Hashes } from './state.js';
import { goneText, IN_BULK, workOn } from './work.js';

/** Marks drift as `?` in state. State has hashes only, so it compares only rows that are still declared. */
export async function readContacts(id: string, raw: Raw, run: Run): Promise<Made> {
  const outs = outputsSchema.parse(raw);
  const before = beforeOf(outs, run.client.baseUrl);
  const list = before.isOther ? undefined : await declaredList(raw, run);
  if (list === undefined) return { id, outs: raw };
  const matcher = new Matcher(before, list);
  const { results, stopped } = await workOn(
    list.rows,
    (row) => compare(row, matcher.match(row), before.hashes, run),
    run.host,
  );
  const compared = results.flatMap((result) => result ?? []);
  for (const { error } of compared) if (error !== undefined) throw error;
  if (stopped !== undefined) throw new ResourceError(`The refresh ended early: ${stopped}.`);
  const count = (kind: Compared['kind']): number => compared.filter((one) => one.kind === kind).length;
  const [differing, gone] = [count('different'), count('gone')];
  if (gone > 0) await assertResponds(run.client);
  const source = nameOfSource(outs);
  if (differing > 0)
    run.host.reporter.warn(
      `${contactsOf(differing)} of ${source} ${differing === 1 ? 'has' : 'have'} other values in the service than the declared ones. The next 'pulumi up' overwrites these.`,
    );
  if (gone > 0)
    run.host.reporter.warn(
      `${goneText(gone, ` of ${source}`)} The next 'pulumi up' looks for ${gone === 1 ? 'it' : 'them'} again and sends no event.`,
    );
  const after = new Map(compared.map(({ known, entry }) => [known, entry]));
  const entries = [
    ...before.entries.map((entry) => after.get(entry) ?? entry),
    ...compared.flatMap(({ known, entry }) => (known === undefined ? (entry ?? []) : [])),
  ];
  return { id, outs: { ...outs, ...formatEntries(entries) } };
}

async function declaredList(raw: Raw, run: Run): Promise<List | undefined> {
  try {
    return await readList(readInputs(raw), run);
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    run.host.reporter.warn(`${error.message} Its contacts were not compared.`);
    return undefined;
  }
}

interface Compared {
  readonly kind?: 'different' | 'gone';
  /** The row's entry before the refresh. */
  readonly known?: Entry;
  /** The row's entry after the refresh. */
  readonly entry?: Entry;
  readonly error?: AudienceError;
}

async function compare(row: DeclaredRow, match: Match, hashes: Hashes, { client }: Run): Promise<Compared> {
  if (match.kind === 'refused') return {};
  const { email, userId } = row;
  try {
    if (match.kind === 'new') {
      const { kind } = await find(row, client, IN_BULK);
      return kind === 'found' ? { kind: 'different', entry: unsure(match.entry) } : {};
    }
    const { known } = match;
    const byUserId =
      canAddress(userId) && known.userId !== undefined ? await lookUp(client, userId, IN_BULK) : undefined;
    const contact = byUserId ?? (email === undefined ? undefined : await lookUp(client, email, IN_BULK));
    if (contact === undefined) return { kind: 'gone', known, entry: unsure(known) };
    const differing = [...known.values].flatMap(([name, hash]) => {
      if (hash === UNCLEAR) return [];
      const current = currentValue(contact, name);
      // A contact that unsubscribed, also from a group, is not drift.
      const isKept =
        groupOf(name) !== undefined || name === 'subscribed'
          ? hash === hashes.value(name, true) || hasValue(contact, name, false)
          : isValue(current) && hashes.value(name, current) === hash;
      return isKept ? [] : [name];
    });
    const entry = unsure(known, differing);
    return differing.length === 0 ? { known, entry } : { kind: 'different', known, entry };
  } catch (error) {
    if (error instanceof AudienceError) return { error };
    throw error;
  }
}
