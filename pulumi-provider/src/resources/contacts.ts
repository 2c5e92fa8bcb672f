import { createHash, randomUUID } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { canonicalJson, NotFoundError, propertyTypeSchema } from 'audience-core';
import type { AudienceApi } from 'audience-core';
import * as z from 'zod';
import { bringContact, eventSchema, put } from './contact.js';
import type { CreationEvent } from './contact.js';
import { contactFieldsSchema, declaredFields } from './contact-fields.js';
import type { Changes, ContactFields } from './contact-fields.js';
import { FILE_FORMATS, propertyTypes, readRecords, RecordCheck, typed } from './contact-records.js';
import type { ContactRecord, PropertyTypes, RecordSource } from './contact-records.js';
import { limited, runAll } from './contact-tasks.js';
import type { Task } from './contact-tasks.js';
import { Ledger } from './contacts-ledger.js';
import type { LedgerEntry } from './contacts-ledger.js';
import { holdsUnknown, PartialFailure, ResourceError, UNKNOWN } from './host.js';
import type { Host, Problem, Raw } from './host.js';
import type { PropertyList } from './property-list.js';
import { toWire } from './wire.js';

/** What the methods of many contacts work with. */
export interface ContactsContext {
  readonly client: AudienceApi;
  readonly properties: PropertyList;
  readonly host: Host;
}

/** What `onRemove` can be: what is done with a contact whose record is removed. */
export const ON_REMOVE = ['retain', 'unsubscribe', 'clear'] as const;

const sourceSchema = z.object({
  file: z.string().min(1).optional(),
  format: z.enum(FILE_FORMATS).optional(),
  contacts: z.array(z.record(z.string(), z.unknown())).optional(),
});

const inputsSchema = sourceSchema.extend({
  propertyTypes: z.record(z.string(), propertyTypeSchema).optional(),
  onRemove: z.enum(ON_REMOVE).optional(),
  createWithEvent: eventSchema.optional(),
  /** Hash of all records, added by the check: tells whether anything changed. */
  fingerprint: z.string().optional(),
});
type Inputs = z.infer<typeof inputsSchema>;

/** Who was brought to the service, by key of the ledger: kept, as a secret, only where `onRemove` needs it. */
const identitiesSchema = z.record(z.string(), z.string());
type Identities = z.infer<typeof identitiesSchema>;

const outputsSchema = inputsSchema.extend({
  fingerprint: z.string(),
  count: z.number(),
  salt: z.string(),
  columns: z.array(z.string()),
  records: z.string(),
  identities: identitiesSchema.optional(),
});
type Outputs = z.infer<typeof outputsSchema>;

const INPUT_NAMES = Object.keys(inputsSchema.shape);

/**
 * Faults of the declaration and of every record, each with its place. The inputs that come back carry a
 * fingerprint of the records, which decides whether there is anything to do.
 *
 * @throws AuthenticationError or PermissionError where the service refuses the API key.
 */
export async function checkContacts(
  news: Raw,
  properties: PropertyList,
): Promise<{ problems: Problem[]; inputs: Raw }> {
  const { fingerprint: _, ...given } = news;
  const problem = (reason: string): { problems: Problem[]; inputs: Raw } => ({
    problems: [{ property: '', reason }],
    inputs: given,
  });
  for (const name of Object.keys(given)) {
    if (!INPUT_NAMES.includes(name)) return problem(`'${name}' is not an input of contacts`);
  }
  const hasFile = given['file'] !== undefined;
  if (hasFile === (given['contacts'] !== undefined)) {
    return problem("contacts are declared by a 'file' or by an array 'contacts': give one of the two");
  }
  const isLate = given['file'] === UNKNOWN || holdsUnknown(given['contacts']);
  const rest = Object.fromEntries(Object.entries(given).filter(([, value]) => !holdsUnknown(value)));
  const parsed = inputsSchema.safeParse(withEventOnWire(rest));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return problem(`'${issue?.path.join('.') ?? ''}' cannot be used: ${issue?.message ?? ''}`);
  }
  if (isLate) return { problems: [], inputs: { ...given, fingerprint: UNKNOWN } };
  const { names, fingerprint } = await summaryOf(parsed.data);
  const listed = names.length === 0 ? undefined : await properties.forPreview(names);
  const check = new RecordCheck(propertyTypes(parsed.data.propertyTypes, listed));
  const faults: string[] = [];
  for await (const record of readRecords(parsed.data)) faults.push(...check.problemsOf(record));
  const where = parsed.data.file === undefined ? '' : `'${parsed.data.file}', `;
  return {
    problems: limited(faults).map((fault) => ({ property: '', reason: `${where}${fault}` })),
    inputs: { ...given, fingerprint },
  };
}

/** Dates among the records stay for now, as the check tells them from numbers. */
function withEventOnWire({ createWithEvent, ...rest }: Raw): Raw {
  return createWithEvent === undefined ? rest : { ...rest, createWithEvent: toWire(createWithEvent) };
}

function propertyNames({ fields }: ContactRecord): string[] {
  const { properties } = fields;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

/** What is known of all records together. */
interface Summary {
  readonly count: number;
  /** Hash of them all. */
  readonly fingerprint: string;
  /** Custom properties that are declared in any of them. */
  readonly names: readonly string[];
}

function addTo(hash: Hash, { fields }: ContactRecord): void {
  hash.update(`${canonicalJson(toWire(fields))}\n`);
}

/** @param onRecord is told of each record on the way. */
async function summaryOf(source: RecordSource, onRecord?: (record: ContactRecord) => void): Promise<Summary> {
  const hash = createHash('sha256');
  const names = new Set<string>();
  let count = 0;
  for await (const record of readRecords(source)) {
    count += 1;
    addTo(hash, record);
    for (const name of propertyNames(record)) names.add(name);
    onRecord?.(record);
  }
  return { count, fingerprint: hash.digest('base64url'), names: [...names] };
}

/** Whether the records, or what is to be done with them, differ from state. */
export function diffContacts(outs: Raw, news: Raw): { changes: boolean } {
  const settings = ['fingerprint', 'file', 'format', 'onRemove'];
  return { changes: settings.some((name) => outs[name] !== news[name]) };
}

/**
 * Brings every declared contact to the service, many at once under the client's limits.
 *
 * @throws PartialFailure when some could not be: it names each with its place and keeps the rest as done.
 */
export async function createContacts(raw: Raw, context: ContactsContext): Promise<{ id: string; outs: Raw }> {
  const id = `contacts-${randomUUID()}`;
  return { id, outs: await bring(id, inputsSchema.parse(raw), undefined, context) };
}

/**
 * Brings what is new or changed to the service, and does with removed contacts what `onRemove` says.
 *
 * @throws PartialFailure as {@link createContacts}.
 */
export async function updateContacts(
  id: string,
  oldOuts: Raw,
  raw: Raw,
  context: ContactsContext,
): Promise<{ outs: Raw }> {
  return { outs: await bring(id, inputsSchema.parse(raw), outputsSchema.parse(oldOuts), context) };
}

async function bring(
  id: string,
  inputs: Inputs,
  before: Outputs | undefined,
  context: ContactsContext,
): Promise<Raw> {
  const ledger = before === undefined ? new Ledger() : Ledger.read(before);
  const keepsIdentities = (inputs.onRemove ?? 'retain') !== 'retain';
  const identities: Identities = { ...before?.identities };
  const declared = new Set<string>();
  let changed = 0;
  const summary = await summaryOf(inputs, (record) => {
    const key = ledger.keyOf(record.fields);
    declared.add(key);
    if (keepsIdentities) identities[key] = identifierOf(record);
    if (!ledger.holds(record.fields)) changed += 1;
  });
  const types = await typesOf(inputs, summary.names, context.properties);
  const removed = ledger.keys().filter((key) => !declared.has(key));
  const removing = removals(removed, inputs, ledger, identities, context);

  // The records are read a second time, and the file may have changed since the first.
  const hash = createHash('sha256');
  async function* tasks(): AsyncGenerator<Task, void> {
    for await (const record of readRecords(inputs)) {
      addTo(hash, record);
      const key = ledger.keyOf(record.fields);
      const entry = ledger.entryOf(record.fields);
      const known = ledger.get(key);
      if (known?.content === entry.content) continue;
      yield {
        place: record.place,
        run: async () => {
          const fields = fieldsOf(record, types);
          const changes = changesOf(fields, known, entry);
          await bringOne(fields, changes, known !== undefined, inputs.createWithEvent, context);
          ledger.set(key, entry);
        },
      };
    }
    yield* removing;
  }

  const total = changed + removing.length;
  const { succeeded, failures } = await runAll(tasks(), total, context.host.reporter);
  const isAsPlanned = failures.length === 0 && hash.digest('base64url') === summary.fingerprint;
  const outs = {
    ...inputs,
    fingerprint: isAsPlanned ? summary.fingerprint : '',
    count: summary.count,
    ...ledger.store(),
    ...(keepsIdentities ? { identities: picked(identities, ledger) } : {}),
  };
  if (failures.length > 0) {
    const report = `${succeeded} of ${total} contacts are done, ${total - succeeded} are not. Run 'pulumi up' again to go on from there.`;
    throw new PartialFailure(id, outs, [report, ...limited(failures)]);
  }
  return outs;
}

async function typesOf(
  inputs: Pick<Inputs, 'propertyTypes'>,
  names: readonly string[],
  properties: PropertyList,
): Promise<PropertyTypes> {
  const open = names.some((name) => inputs.propertyTypes?.[name] === undefined);
  return propertyTypes(inputs.propertyTypes, open ? await properties.fresh() : undefined);
}

/** @throws ResourceError for a record that the check cannot have let through. */
function fieldsOf(record: ContactRecord, types: PropertyTypes): ContactFields {
  const parsed = contactFieldsSchema.safeParse(toWire(typed(record, types)));
  if (parsed.success) return parsed.data;
  throw new ResourceError('it is not what was checked before: the file was changed meanwhile');
}

function identifierOf({ fields: { email, userId } }: ContactRecord): string {
  return typeof email === 'string' ? email : String(userId);
}

/** Everything that is declared, and `null` for what was declared before. */
function changesOf(fields: ContactFields, known: LedgerEntry | undefined, entry: LedgerEntry): Changes {
  const changes = declaredFields(fields);
  for (const column of known?.columns ?? []) {
    if (!entry.columns.has(column)) changes[column.replace(/^properties\./, '')] = null;
  }
  return changes;
}

async function bringOne(
  { email, userId }: ContactFields,
  changes: Changes,
  isKnown: boolean,
  event: CreationEvent | undefined,
  context: ContactsContext,
): Promise<void> {
  // A contact that was brought before may have got another email since: its userId still finds it.
  if (isKnown && userId !== undefined) {
    const fields = email === undefined ? changes : { ...changes, email };
    if ((await put(context.client, userId, fields)) !== undefined) return;
  }
  if ((await bringContact({ email, userId }, event, changes, context)) !== undefined) return;
  throw new ResourceError(
    event === undefined
      ? 'there is no such contact in the service; set createWithEvent, so that an event creates it'
      : `the event '${event.eventName}' was sent, but the service does not show the contact yet`,
  );
}

function removals(
  removed: readonly string[],
  inputs: Inputs,
  ledger: Ledger,
  identities: Identities,
  { client, host }: ContactsContext,
): Task[] {
  const onRemove = inputs.onRemove ?? 'retain';
  if (removed.length > 0 && onRemove === 'retain') {
    host.reporter.warn(
      `${count(removed.length, 'contact')} no longer declared ${removed.length === 1 ? 'stays' : 'stay'} in the service, which has no call to delete one. Set onRemove to 'unsubscribe' or 'clear' for more.`,
    );
  }
  const unknown = removed.filter((key) => onRemove !== 'retain' && identities[key] === undefined);
  if (unknown.length > 0) {
    host.reporter.warn(
      `${count(unknown.length, 'contact')} no longer declared cannot be addressed and ${unknown.length === 1 ? 'stays' : 'stay'} as before: state held no address, as onRemove was 'retain' until now.`,
    );
  }
  return removed.flatMap((key): Task[] => {
    const identifier = identities[key];
    if (onRemove === 'retain' || identifier === undefined) {
      ledger.delete(key);
      return [];
    }
    const changes = onRemove === 'unsubscribe' ? { subscribed: false } : cleared(ledger.get(key));
    return [
      {
        place: 'a removed contact',
        run: async () => {
          if (Object.keys(changes).length > 0) await put(client, identifier, changes);
          ledger.delete(key);
        },
      },
    ];
  });
}

function cleared(entry: LedgerEntry | undefined): Changes {
  const names = [...(entry?.columns ?? [])].map((column) => column.replace(/^properties\./, ''));
  return Object.fromEntries(names.map((name) => [name, null]));
}

function picked(identities: Identities, ledger: Ledger): Identities {
  return Object.fromEntries(
    ledger.keys().flatMap((key): [string, string][] => {
      const identifier = identities[key];
      return identifier === undefined ? [] : [[key, identifier]];
    }),
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/**
 * Compares every contact that was brought with what the service has: those that differ in a declared field, or are
 * gone, are forgotten, so that the next run brings them again.
 *
 * @returns state; the fingerprint is empty where something is to be done.
 */
export async function readContacts(
  id: string,
  raw: Raw,
  context: ContactsContext,
): Promise<{ id: string; outs: Raw }> {
  const outs = outputsSchema.parse(raw);
  const { host, client } = context;
  const ledger = Ledger.read(outs);
  let total = 0;
  let summary: Summary;
  try {
    summary = await summaryOf(outs, (record) => {
      if (ledger.holds(record.fields)) total += 1;
    });
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    host.reporter.warn(`Contacts could not be compared with the service. ${error.message}`);
    return { id, outs };
  }
  const types = await typesOf(outs, summary.names, context.properties);
  let [gone, changed] = [0, 0];
  async function* tasks(): AsyncGenerator<Task, void> {
    for await (const record of readRecords(outs)) {
      // A record that has changed since is brought by the next run anyway.
      if (!ledger.holds(record.fields)) continue;
      const fields = fieldsOf(record, types);
      yield {
        place: record.place,
        run: async () => {
          const fate = await compare(client, fields);
          if (fate === 'same') return;
          ledger.delete(ledger.keyOf(record.fields));
          if (fate === 'gone') gone += 1;
          else changed += 1;
        },
      };
    }
  }
  const { failures } = await runAll(tasks(), total, host.reporter);
  if (failures.length > 0) {
    throw new ResourceError(
      `${failures.length} of ${total} contacts could not be read. The first: ${failures[0] ?? ''}. Run 'pulumi refresh' again.`,
    );
  }
  if (gone + changed > 0) {
    host.reporter.warn(
      `Of ${count(total, 'contact')}, ${changed} differ from what is declared and ${gone} are gone from the service. The next 'pulumi up' brings them again.`,
    );
  }
  const fingerprint = gone + changed > 0 ? '' : outs.fingerprint;
  return { id, outs: { ...outs, fingerprint, ...ledger.store() } };
}

async function compare(client: AudienceApi, fields: ContactFields): Promise<'same' | 'changed' | 'gone'> {
  for (const identifier of [fields.email, fields.userId]) {
    if (identifier === undefined) continue;
    try {
      const contact = await client.contacts.get(identifier);
      const { subscriptionGroups, ...declared } = declaredFields(fields);
      const same = Object.entries(declared).every(([name, value]) => (contact[name] ?? null) === value);
      const groups = Object.entries(subscriptionGroups ?? {}).every(
        ([group, member]) => contact.subscriptionGroups?.[group] === member,
      );
      return same && groups ? 'same' : 'changed';
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  return 'gone';
}

/** The inputs that a state came from. */
export function inputsOfContacts(outs: Raw): Raw {
  return Object.fromEntries(Object.entries(outs).filter(([name]) => INPUT_NAMES.includes(name)));
}

/** Does with every contact what `onRemove` says, and tells what stays. */
export async function deleteContacts(raw: Raw, context: ContactsContext): Promise<void> {
  const outs = outputsSchema.parse(raw);
  const ledger = Ledger.read(outs);
  const tasks = removals(ledger.keys(), outs, ledger, outs.identities ?? {}, context);
  const { failures } = await runAll(tasks, tasks.length, context.host.reporter);
  if (failures.length > 0) {
    throw new ResourceError(
      `${failures.length} of ${tasks.length} contacts could not be taken out. The first: ${failures[0] ?? ''}. Run it again: what is done twice changes nothing more.`,
    );
  }
}
