import { createHash, randomUUID } from 'node:crypto';
import {
  canonicalJson,
  AudienceError,
  AuthenticationError,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  PermissionError,
  propertyTypeSchema,
  RateLimitError,
  ServerError,
  TimeoutError,
} from 'audience-core';
import type { AudienceApi } from 'audience-core';
import { z } from 'zod/v4';
import { bringContact, eventSchema, put } from './contact.js';
import type { CreationEvent } from './contact.js';
import { contactFieldsSchema, declaredFields } from './contact-fields.js';
import type { Changes, ContactFields } from './contact-fields.js';
import { FILE_FORMATS, propertyTypes, readRecords, recordProblems, typed } from './contact-records.js';
import type { ContactRecord, PropertyTypes } from './contact-records.js';
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

/** Records that are worked on at once; the client's limits hold below that. */
const PARALLEL_RECORDS = 64;
/** Failures of the whole service, one after the other, after which the rest is not tried. */
const GIVE_UP_AFTER = 25;
/** Faults and failures that are named one by one. */
const NAMED = 100;
/** Progress is told this often in a run, and not for less than so many records. */
const PROGRESS_STEPS = 10;
const PROGRESS_FROM = 500;

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
  const records = await readRecords(parsed.data);
  const names = [...new Set(records.flatMap(propertyNames))];
  const listed = names.length === 0 ? undefined : await properties.forPreview(names);
  const faults = recordProblems(records, propertyTypes(parsed.data.propertyTypes, listed));
  const where = parsed.data.file === undefined ? '' : `'${parsed.data.file}', `;
  return {
    problems: limited(faults).map((fault) => ({ property: '', reason: `${where}${fault}` })),
    inputs: { ...given, fingerprint: fingerprintOf(records) },
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

function limited(faults: readonly string[]): string[] {
  const named = faults.slice(0, NAMED);
  return faults.length > NAMED ? [...named, `and ${faults.length - NAMED} more`] : named;
}

function fingerprintOf(records: readonly ContactRecord[]): string {
  const hash = createHash('sha256');
  for (const { fields } of records) hash.update(`${canonicalJson(toWire(fields))}\n`);
  return hash.digest('base64url');
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

/** One thing to do for one contact. */
interface Task {
  readonly place: string;
  run(): Promise<void>;
}

async function bring(
  id: string,
  inputs: Inputs,
  before: Outputs | undefined,
  context: ContactsContext,
): Promise<Raw> {
  const records = await readRecords(inputs);
  const types = await typesOf(inputs, records, context.properties);
  const ledger = before === undefined ? new Ledger() : Ledger.read(before);
  const identities: Identities = { ...before?.identities };
  const declared = new Set<string>();
  const tasks: Task[] = [];
  for (const record of records) {
    const fields = contactFieldsSchema.parse(toWire(typed(record, types)));
    const key = ledger.keyOf(record.fields);
    const entry = ledger.entryOf(record.fields);
    declared.add(key);
    identities[key] = fields.email ?? fields.userId ?? '';
    const known = ledger.get(key);
    if (known?.content === entry.content) continue;
    tasks.push({
      place: record.place,
      run: async () => {
        await bringOne(
          fields,
          changesOf(fields, known, entry),
          known !== undefined,
          inputs.createWithEvent,
          context,
        );
        ledger.set(key, entry);
      },
    });
  }
  const removed = ledger.keys().filter((key) => !declared.has(key));
  tasks.push(...removals(removed, inputs, ledger, identities, context));
  const failures = await runAll(tasks, context.host);
  const keep = (inputs.onRemove ?? 'retain') !== 'retain';
  const outs = {
    ...inputs,
    fingerprint: failures.length === 0 ? fingerprintOf(records) : '',
    count: records.length,
    ...ledger.store(),
    ...(keep ? { identities: picked(identities, ledger) } : {}),
  };
  if (failures.length > 0) {
    const done = tasks.length - failures.length;
    const summary = `${done} of ${tasks.length} contacts are done, ${failures.length} are not. Run 'pulumi up' again to go on from there.`;
    throw new PartialFailure(id, outs, [summary, ...limited(failures)]);
  }
  return outs;
}

async function typesOf(
  inputs: Inputs,
  records: readonly ContactRecord[],
  properties: PropertyList,
): Promise<PropertyTypes> {
  const names = records.flatMap(propertyNames);
  const open = names.some((name) => inputs.propertyTypes?.[name] === undefined);
  return propertyTypes(inputs.propertyTypes, open ? await properties.fresh() : undefined);
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

/** Runs the tasks, many at once; answers with a sentence for each that failed. */
async function runAll(tasks: readonly Task[], { reporter }: Host): Promise<string[]> {
  const failures = new Map<number, string>();
  let [next, done, outOfService] = [0, 0, 0];
  let stopped: string | undefined;
  const step = Math.ceil(tasks.length / PROGRESS_STEPS);
  const worker = async (): Promise<void> => {
    for (let index = next++; index < tasks.length; index = next++) {
      const task = tasks[index];
      if (task === undefined) return;
      if (stopped !== undefined) {
        failures.set(index, `${task.place}: not tried, as ${stopped}`);
        continue;
      }
      try {
        await task.run();
        outOfService = 0;
      } catch (error) {
        if (!(error instanceof AudienceError) && !(error instanceof ResourceError)) throw error;
        failures.set(index, `${task.place}: ${withoutPerson(error)}`);
        outOfService = isOfService(error) ? outOfService + 1 : 0;
        if (error instanceof AuthenticationError || error instanceof PermissionError)
          stopped = withoutPerson(error);
        else if (outOfService >= GIVE_UP_AFTER)
          stopped = `the service failed ${GIVE_UP_AFTER} times in a row`;
      }
      done += 1;
      if (tasks.length >= PROGRESS_FROM && done % step === 0 && done < tasks.length) {
        reporter.info(`Contacts: ${done} of ${tasks.length} done, ${failures.size} failed.`);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL_RECORDS, tasks.length) }, worker));
  return [...failures].sort(([a], [b]) => a - b).map(([, sentence]) => sentence);
}

function isOfService(error: Error): boolean {
  return (
    error instanceof NetworkError ||
    error instanceof TimeoutError ||
    error instanceof ServerError ||
    error instanceof RateLimitError
  );
}

/** What failed, in words of ours: an error of the client quotes the contact's address. */
function withoutPerson(error: Error): string {
  const status = error instanceof AudienceError && error.status !== undefined ? ` (${error.status})` : '';
  if (error instanceof ResourceError) return error.message;
  if (error instanceof AuthenticationError) return `the service does not accept the API key${status}`;
  if (error instanceof PermissionError) return `the API key is not allowed to do this${status}`;
  if (error instanceof NotFoundError) return `there is no such contact in the service${status}`;
  if (error instanceof RateLimitError) return `the service is receiving too many requests${status}`;
  if (error instanceof ServerError) return `the service failed${status}`;
  if (error instanceof NetworkError)
    return `the service cannot be reached${error.networkCode === undefined ? '' : ` (${error.networkCode})`}`;
  if (error instanceof TimeoutError) return 'the service did not answer in time';
  if (error instanceof InvalidRequestError) return `the service refuses the values of this record${status}`;
  return `the service did not carry it out${status}`;
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
  const records = await readRecords(outs).catch((error: unknown) => {
    if (!(error instanceof ResourceError)) throw error;
    host.reporter.warn(`Contacts could not be compared with the service. ${error.message}`);
    return [];
  });
  const types = await typesOf(outs, records, context.properties);
  let [gone, changed] = [0, 0];
  const tasks = records.flatMap((record): Task[] => {
    const key = ledger.keyOf(record.fields);
    // A record that has changed since is brought by the next run anyway.
    if (ledger.get(key)?.content !== ledger.entryOf(record.fields).content) return [];
    const fields = contactFieldsSchema.parse(toWire(typed(record, types)));
    return [
      {
        place: record.place,
        run: async () => {
          const fate = await compare(client, fields);
          if (fate === 'same') return;
          ledger.delete(key);
          if (fate === 'gone') gone += 1;
          else changed += 1;
        },
      },
    ];
  });
  const failures = await runAll(tasks, host);
  if (failures.length > 0) {
    throw new ResourceError(
      `${failures.length} of ${tasks.length} contacts could not be read. The first: ${failures[0] ?? ''}. Run 'pulumi refresh' again.`,
    );
  }
  if (gone + changed > 0) {
    host.reporter.warn(
      `Of ${count(tasks.length, 'contact')}, ${changed} differ from what is declared and ${gone} are gone from the service. The next 'pulumi up' brings them again.`,
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
  const failures = await runAll(tasks, context.host);
  if (failures.length > 0) {
    throw new ResourceError(
      `${failures.length} of ${tasks.length} contacts could not be taken out. The first: ${failures[0] ?? ''}. Run it again: what is done twice changes nothing more.`,
    );
  }
}
