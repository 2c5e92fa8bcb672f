import type { Contact } from 'audience-core';
import { problem, textOf } from '../../messages/index.js';
import type { Made } from '../behaviour.js';
import { ResourceError } from '../errors.js';
import { resolveToRead } from '../contact-record/identity.js';
import { currentValue, isConsent, isValue } from '../contact-record/values.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import type { DeclaredRow } from './declared-rows.js';
import { nameOfSource, readInputs } from './inputs.js';
import { readList } from './list.js';
import { Matcher } from './match.js';
import { beforeOf, formatEntries, outputsSchema, unsure, UNCLEAR, type Entry, type Hashes } from './state.js';
import { workOn } from './work.js';

/** Marks drift as `?` in state. State has hashes only, so it compares only rows that are still declared. */
export async function readContacts(id: string, raw: Raw, run: Run): Promise<Made> {
  const outs = outputsSchema.parse(raw);
  const before = beforeOf(outs, run.client.baseUrl);
  const source = nameOfSource(outs);
  const { reporter } = run.host;
  const notCompared = (reasons: readonly string[]): void =>
    reporter.warn(problem('contacts.notCompared', { source, reasons }));
  if (before.isOther) return { id, outs: raw };
  const list = await readList(readInputs(raw), run).catch((error: unknown) => {
    if (!(error instanceof ResourceError)) throw error;
    notCompared(error.reasons.map((one) => textOf(one)));
    return undefined;
  });
  if (list === undefined) return { id, outs: raw };
  const matcher = new Matcher(before, list, run.rejoinCodes);
  const after = new Map<Entry, Entry>();
  const reasons = new Set<string>();
  let [drifted, gone] = [0, 0];
  const compare = async (row: DeclaredRow): Promise<{ readonly error?: undefined }> => {
    const { known } = matcher.match(row);
    if (known === undefined) return {};
    const found = await resolveToRead(row, run.client, { hasUserId: known.userId !== undefined });
    if (found.kind === 'refused') reasons.add(textOf(found.problem));
    else if (found.kind === 'nobody') {
      gone += 1;
      after.set(known, { ...known, isGone: true });
    } else {
      const { isGone: _, ...there } = known;
      const names = differingIn(found.contact, known, before.hashes);
      const isMoved = found.lacks.email !== undefined && known.email === before.hashes.identityOf(row).email;
      if (names.length > 0 || isMoved) drifted += 1;
      after.set(known, { ...unsure(there, names), ...(isMoved && { email: UNCLEAR }) });
    }
    return {};
  };
  await workOn(list, compare, run.host);
  if (drifted > 0) reporter.warn(problem('contacts.drift', { count: drifted, source }));
  if (gone > 0) reporter.warn(problem('contacts.gone', { count: gone, source }));
  if (reasons.size > 0) notCompared([...reasons]);
  const entries = before.entries.map((entry) => after.get(entry) ?? entry);
  return { id, outs: { ...outs, ...formatEntries(entries) } };
}

function differingIn(contact: Contact, { values }: Entry, hashes: Hashes): string[] {
  return [...values].flatMap(([name, hash]) => {
    if (hash === UNCLEAR || isConsent(name)) return [];
    const current = currentValue(contact, name);
    return isValue(current) && hashes.value(name, current) === hash ? [] : [name];
  });
}
