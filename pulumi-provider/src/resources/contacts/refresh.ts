import type { Made } from '../behaviour.js';
import { declaredFields, keptFields } from '../contact/fields.js';
import { isSet } from '../contact/state.js';
import { ResourceError } from '../errors.js';
import { contactsOf, digits } from '../words.js';
import type { Raw } from '../raw.js';
import type { PropertyTypes } from '../known-properties.js';
import { agrees, isGiven } from '../people.js';
import type { Run } from '../run.js';
import { locate, REFUSED_TO_SAY } from '../service-contacts.js';
import { encodedRecord, summaryOf } from './check.js';
import type { Summary } from './check.js';
import type { Inputs } from './inputs.js';
import { retains, typesNow } from './inputs.js';
import { isGone, Ledger } from './ledger.js';
import type { LedgerEntry } from './ledger.js';
import { nameOfSource, readRecords } from './records.js';
import type { ContactRecord } from './records.js';
import { isOfAnotherService, outputsSchema } from './state.js';
import { IN_BULK, runAll } from './work.js';
import type { Task } from './work.js';

/**
 * Compares every contact that was upserted with what the service has: those that differ in a declared field are set
 * again by the next run, those that are gone are new to it. The fingerprint is empty where there are some.
 */
export async function readContacts(id: string, raw: Raw, run: Run): Promise<Made> {
  const outs = outputsSchema.parse(raw);
  const { host, client } = run;
  if (isOfAnotherService(outs, run)) {
    host.reporter.warn(
      `Contacts (${nameOfSource(outs)}) were written to the service at ${outs.service}, and this is ${client.baseUrl}: they could not be compared. The next 'pulumi up' counts all of them as new here, and touches nobody there.`,
    );
    return { id, outs };
  }
  const ledger = Ledger.read(outs);
  let total = 0;
  let summary: Summary;
  try {
    summary = await summaryOf(outs, ({ fields }) => {
      if (ledger.find(fields).length > 0) total += 1;
    });
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    host.reporter.warn(`Contacts could not be compared with the service. ${error.message}`);
    return { id, outs };
  }
  const types = await typesNow(outs, summary, run);
  const found = { same: 0, changed: 0, gone: 0, 'of another': 0 };
  let refused = 0;
  async function* tasks(): AsyncGenerator<Task, void> {
    for await (const record of readRecords(outs)) {
      const known = ledger.find(record.fields);
      if (known.length === 0) continue;
      const note = async () => {
        const comparison = await compare(record, types, outs, client);
        if (comparison.isRefused === true) refused += 1;
        found[noted(ledger, known, record, comparison)] += 1;
      };
      yield { ...record, run: note };
    }
  }
  const { failures } = await runAll(tasks(), total, host);
  if (failures.length > 0) {
    throw new ResourceError(
      `${digits(failures.length)} of ${contactsOf(total)} could not be read. The first: ${failures[0] ?? ''}. Run 'pulumi refresh' again.`,
    );
  }
  const stored = { ...ledger.store(), ...(retains(outs) ? {} : { identities: ledger.identities() }) };
  const { changed, gone, 'of another': others } = found;
  if (others > 0) {
    host.reporter.warn(
      `${contactsOf(others)} of ${nameOfSource(outs)} ${others === 1 ? 'has' : 'have'} an address that leads to another contact of the service by now. The next 'pulumi up' changes nobody there and fails: correct the address, or take the record out.`,
    );
  }
  if (gone + changed + others === 0) return { id, outs: { ...outs, ...stored } };
  if (gone + changed > 0) {
    host.reporter.warn(
      `Of ${contactsOf(total)} in ${nameOfSource(outs)}, ${digits(changed)} differ${changed === 1 ? 's' : ''} from what is declared and ${digits(gone)} ${gone === 1 ? 'is' : 'are'} gone from the service${refused === 0 ? '' : `, or most likely so: of ${digits(refused)} it ${REFUSED_TO_SAY}`}. The next 'pulumi up' sets the former again, and counts the latter as new.`,
    );
  }
  return { id, outs: { ...outs, fingerprint: '', ...stored } };
}

/** Notes in the ledger how the service has a record, of which it knows these entries, and says so. */
function noted(
  ledger: Ledger,
  known: readonly LedgerEntry[],
  { fields }: ContactRecord,
  { state, id }: Comparison,
): 'same' | 'changed' | 'gone' | 'of another' {
  const wasGone = known.some(isGone);
  if (known.some(({ identity }) => isGiven(identity.id) && isGiven(id) && identity.id !== id)) {
    // Whoever is gone is new to the next run, whoever has the address then.
    if (wasGone) return 'gone';
    ledger.forgetContent(fields);
    return 'of another';
  }
  if (state === 'gone') {
    ledger.markGone(fields);
    return 'gone';
  }
  ledger.identify(fields, id);
  if (state === 'same' && !wasGone) return 'same';
  // Of a record that has changed since it is not known what others have changed: all of it is written.
  const isChanged = ledger.holds(fields) || wasGone;
  ledger.forgetContent(fields);
  return isChanged ? 'changed' : 'same';
}

/** How the service has a record, and the id of its contact. */
interface Comparison {
  readonly state: 'same' | 'changed' | 'gone';
  readonly id?: string;
  /** Whether the service refuses to say that it is there: most likely it is gone. */
  readonly isRefused?: boolean;
}

async function compare(
  record: ContactRecord,
  types: PropertyTypes,
  source: Inputs,
  client: Run['client'],
): Promise<Comparison> {
  const encoded = encodedRecord(record, types, source);
  if (encoded === undefined) return { state: 'changed' };
  const fields = keptFields(encoded);
  const { contact, isRefused = false } = await locate(client, [fields], () => true, IN_BULK);
  if (contact === undefined) return { state: 'gone', isRefused };
  const identified = agrees(contact, fields);
  const declared = Object.entries(declaredFields(fields));
  const isSame = identified && declared.every(([name, value]) => isSet(contact, name, value));
  return { state: isSame ? 'same' : 'changed', ...(identified ? { id: contact.id } : {}) };
}
