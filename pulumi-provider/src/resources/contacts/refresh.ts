import { AudienceError } from 'audience-core';
import type { Contact } from 'audience-core';
import { canAddress } from 'audience-core/internal';
import type { Made } from '../behaviour.js';
import { ResourceError } from '../errors.js';
import { find } from '../people/identity.js';
import { assertAnswers, lookUp } from '../people/service-contacts.js';
import { currentValue, groupOf, hasValue, isValue } from '../people/values.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { contactsOf } from '../words.js';
import { readInputs } from './inputs.js';
import { readList } from './list.js';
import type { List } from './list.js';
import { Matcher } from './match.js';
import { nameOfSource } from './rows.js';
import type { DeclaredRow } from './rows.js';
import { formatEntries, Hashes, outputsSchema, parseEntries, UNCLEAR, unsure } from './state.js';
import type { Entry } from './state.js';
import { IN_BULK, workOn } from './work.js';

/**
 * State with `?` for values that the service has not as they were written. State has hashes only, so the rows are read
 * from where they are declared; rows that are not there any more are not compared.
 *
 * @throws AudienceError where the service cannot be read.
 */
export async function readContacts(id: string, raw: Raw, run: Run): Promise<Made> {
  const outs = outputsSchema.parse(raw);
  const hashes = new Hashes(outs.salt);
  const { reporter } = run.host;
  const unchanged = { id, outs: raw };
  if (outs.service !== hashes.service(run.client.baseUrl)) return unchanged;
  const entries = parseEntries(outs);
  const list = await listOf(raw, run);
  if (list === undefined) return unchanged;
  const matcher = new Matcher(entries, hashes, list);
  const compared = list.rows.flatMap(
    (row): { row: DeclaredRow; entry: Entry; known: Entry | undefined }[] => {
      const match = matcher.match(row);
      if (match.kind === 'refused') return [];
      return [{ row, entry: match.entry, known: match.kind === 'known' ? match.known : undefined }];
    },
  );
  const { results, stopped } = await workOn(
    compared,
    ({ row, entry, known }): Promise<Compared> =>
      known === undefined ? compareNew(row, entry, run) : compare(row, known, hashes, run),
    run.host,
  );
  const failed = results.find((result) => result?.error !== undefined)?.error;
  if (failed !== undefined) throw failed;
  if (stopped !== undefined) throw new ResourceError(`The refresh ended early: ${stopped}.`);
  const isAnyGone = results.some((result) => result?.isGone === true);
  if (isAnyGone) await assertAnswers(run.client);
  const changed = new Map(compared.map(({ known }, index) => [known, results[index]?.entry]));
  const after = [
    ...entries.all.map((entry) => changed.get(entry) ?? entry),
    ...compared.flatMap(({ known }, index) => (known === undefined ? (results[index]?.entry ?? []) : [])),
  ];
  const gone = results.filter((result) => result?.isGone === true).length;
  const differing = results.filter((result) => result?.isGone === false && result.differs).length;
  const source = nameOfSource(outs);
  if (differing > 0) {
    reporter.warn(
      `${contactsOf(differing)} of ${source} ${differing === 1 ? 'has' : 'have'} other values in the service than the declared ones. The next 'pulumi up' overwrites these.`,
    );
  }
  if (gone > 0) {
    reporter.warn(
      `${contactsOf(gone)} of ${source} no longer ${gone === 1 ? 'exists' : 'exist'} in the service. The next 'pulumi up' looks for ${gone === 1 ? 'it' : 'them'} again and sends no event.`,
    );
  }
  return { id, outs: { ...outs, ...formatEntries(after) } };
}

async function listOf(raw: Raw, run: Run): Promise<List | undefined> {
  try {
    return await readList(readInputs(raw), run);
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    run.host.reporter.warn(`${error.message} Its contacts were not compared.`);
    return undefined;
  }
}

/** A row that state does not know: one that did not exist may exist now. */
async function compareNew(row: DeclaredRow, entry: Entry, run: Run): Promise<Compared> {
  try {
    const found = await find(row, run.client, IN_BULK);
    return found.kind === 'found'
      ? { entry: unsure(entry), differs: true, isGone: false }
      : { differs: false, isGone: false };
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    return { differs: false, isGone: false, error };
  }
}

interface Compared {
  readonly entry?: Entry;
  readonly differs: boolean;
  readonly isGone: boolean;
  readonly error?: AudienceError;
}

async function compare(
  { email, userId }: DeclaredRow,
  known: Entry,
  hashes: Hashes,
  run: Run,
): Promise<Compared> {
  let contact: Contact | undefined;
  try {
    if (canAddress(userId) && known.userId !== undefined) contact = await lookUp(run.client, userId, IN_BULK);
    if (contact === undefined && email !== undefined) contact = await lookUp(run.client, email, IN_BULK);
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    return { entry: known, differs: false, isGone: false, error };
  }
  if (contact === undefined) return { entry: unsure(known), differs: true, isGone: true };
  const found = contact;
  const names = [...known.values].flatMap(([name, hash]) =>
    hash === UNCLEAR || isWritten(found, name, hash, hashes) ? [] : [name],
  );
  return { entry: unsure(known, names), differs: names.length > 0, isGone: false };
}

/** Whether a contact has the value that was written; a membership that was `true` counts as kept. */
function isWritten(contact: Contact, name: string, hash: string, hashes: Hashes): boolean {
  if (groupOf(name) !== undefined || name === 'subscribed')
    return hash === hashes.value(name, true) || hasValue(contact, name, false);
  const current = currentValue(contact, name);
  return isValue(current) && hashes.value(name, current) === hash;
}
