import type { Contact } from 'audience-core';
import { problem, textOf } from '../../messages/index.js';
import { hasMoved } from '../address.js';
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
import {
  beforeOf,
  formatEntries,
  knowsOf,
  readOutputs,
  unsure,
  UNCLEAR,
  type Entry,
  type Hashes,
} from './state.js';
import { workOn } from './work.js';

/** Marks drift as `?` in state. State has hashes only, so it compares only rows that are still declared. */
export async function readContacts(id: string, raw: Raw, run: Run): Promise<Made> {
  const outs = readOutputs(raw);
  hasMoved(outs.address, run);
  const before = beforeOf(outs);
  run.creations.noteState(knowsOf(before));
  const source = nameOfSource(outs);
  const { reporter } = run.host;
  const notCompared = (reasons: readonly string[]): void =>
    reporter.warn(problem('contacts.notCompared', { source, reasons }));
  const list = await readList(readInputs(raw), run).catch((error: unknown) => {
    if (!(error instanceof ResourceError)) throw error;
    notCompared(error.reasons.map((one) => textOf(one)));
    return undefined;
  });
  if (list === undefined) return { id, outs: raw };
  const matcher = new Matcher(before, list);
  const after = new Map<Entry, Entry | undefined>();
  const reasons = new Set<string>();
  const gone: string[] = [];
  let drifted = 0;
  const compare = async (row: DeclaredRow): Promise<undefined> => {
    const { todo, known } = matcher.match(row);
    const met = known ?? matcher.nobodyOf(row);
    if (met === undefined || todo === 'refuse') return;
    const found = await resolveToRead(row, run.client, { hasUserId: met.userId !== undefined });
    if (found.kind === 'refused') {
      reasons.add(textOf(found.problem));
      if (found.problem.code === 'service.failed') return;
    }
    if (known === undefined) {
      if (found.kind !== 'nobody') after.set(met, undefined);
    } else if (found.kind === 'refused') {
      // The next run reads the contacts of a changed address, and refuses the row.
      if (met.userId !== undefined) after.set(met, { ...met, absence: undefined, email: UNCLEAR });
    } else if (found.kind === 'nobody') {
      gone.push(row.location);
      after.set(met, { ...met, absence: 'gone' });
    } else {
      const names = differingIn(found.contact, met, before.hashes);
      const isMoved = found.lacks.email !== undefined && met.email === before.hashes.identityOf(row).email;
      if (names.length > 0 || isMoved) drifted += 1;
      const there = { ...met, absence: undefined, ...(isMoved && { email: UNCLEAR }) };
      after.set(met, unsure(there, names));
    }
  };
  await workOn(list.rows, compare, run.host);
  if (drifted > 0) reporter.warn(problem('contacts.drift', { count: drifted, source }));
  if (gone.length > 0) reporter.warn(problem('contacts.gone', { rows: gone, source }));
  if (reasons.size > 0) notCompared([...reasons]);
  const entries = before.entries.flatMap((entry) => (after.has(entry) ? (after.get(entry) ?? []) : entry));
  // The next run writes who has come: an entry has no mark for an identifier that it could not write.
  const hasCome = [...after].some(([met, now]) => met.absence !== undefined && now?.absence === undefined);
  const written = hasCome ? '' : outs.written;
  return { id, outs: { ...outs, written, ...formatEntries(entries) } };
}

function differingIn(contact: Contact, { values }: Entry, hashes: Hashes): string[] {
  return [...values].flatMap(([name, hash]) => {
    if (hash === UNCLEAR || isConsent(name)) return [];
    const current = currentValue(contact, name);
    return isValue(current) && hashes.value(name, current) === hash ? [] : [name];
  });
}
