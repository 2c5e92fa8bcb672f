import { randomUUID } from 'node:crypto';
import type { Contact } from 'audience-core';
import { PROPERTY_TYPES } from 'audience-core/contract';
import * as z from 'zod/mini';
import type { Behaviour, Made } from '../behaviour.js';
import { isSet } from '../contact.js';
import { clearableColumns, declaredFields, fieldOfColumn, keptFields } from '../contact-fields.js';
import type { Changes, ContactFields } from '../contact-fields.js';
import { eventProblem, eventSchema, ON_REMOVAL, upsert, withEventOnWire } from '../contact-upsert.js';
import type { CreationEvent } from '../contact-upsert.js';
import { declarantOf } from '../declarations.js';
import { count, holdsUnknown, PartialFailure, ResourceError, UNKNOWN } from '../host.js';
import type { Problem, Raw } from '../host.js';
import { typesOf } from '../known-properties.js';
import type { PropertyTypes } from '../known-properties.js';
import { sameEmail } from '../people.js';
import type { Identity } from '../people.js';
import type { Run } from '../run.js';
import { locate, lookUp, REFUSED_TO_SAY, update } from '../service-contacts.js';
import { checkRecords, encodedRecord, Fingerprint, summaryOf } from './check.js';
import type { Summary } from './check.js';
import { sourceKey } from './contacts-run.js';
import { DELIMITERS } from './csv.js';
import { Ledger } from './ledger.js';
import type { LedgerEntry } from './ledger.js';
import { describePlan, NOT_CHECKED, planOf, removalProblem } from './plan.js';
import { FILE_FORMATS, nameOfSource, readRecords } from './records.js';
import type { ContactRecord } from './records.js';
import { IN_BULK, limited, runAll } from './work.js';
import type { Task } from './work.js';

const inputsSchema = z.object({
  file: z.optional(z.string().check(z.minLength(1))),
  format: z.optional(z.enum(FILE_FORMATS)),
  delimiter: z.optional(z.enum(DELIMITERS)),
  contacts: z.optional(z.array(z.record(z.string(), z.unknown()))),
  propertyTypes: z.optional(z.record(z.string(), z.enum(PROPERTY_TYPES))),
  onRemove: z.optional(z.enum(ON_REMOVAL)),
  maxRemovals: z.optional(z.int().check(z.minimum(0))),
  allowEmpty: z.optional(z.boolean()),
  createWithEvent: z.optional(eventSchema),
  /** Hash of all records, added by the check: tells whether anything changed. */
  fingerprint: z.optional(z.string()),
});
type Inputs = z.infer<typeof inputsSchema>;

/** Words for what each input must be. */
const EXPECTED: Readonly<Record<string, string>> = {
  file: 'the path of a file',
  format: `one of ${FILE_FORMATS.join(', ')}`,
  delimiter: `one of ${DELIMITERS.map((one) => JSON.stringify(one)).join(' ')}`,
  contacts: 'a list of contacts, each an object',
  propertyTypes: `property names with one of ${PROPERTY_TYPES.join(', ')} each`,
  onRemove: `one of ${ON_REMOVAL.join(', ')}`,
  maxRemovals: 'a whole number of 0 or more',
  allowEmpty: 'true or false',
};

/**
 * Who was upserted, by the first key of the ledger's entry: kept, as a secret, only where `onRemove` needs it. A list
 * of the service's id, the email and the userId, empty where there is none.
 */
const identitiesSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

const outputsSchema = z.extend(inputsSchema, {
  fingerprint: z.string(),
  count: z.number(),
  salt: z.string(),
  columns: z.array(z.string()),
  records: z.string(),
  identities: z.optional(identitiesSchema),
});
type Outputs = z.infer<typeof outputsSchema>;

const INPUT_NAMES = Object.keys(inputsSchema.shape);

/** Many contacts in one resource. Those whose records are gone are only touched when it, or what it was, is deleted. */
export const contacts: Behaviour = {
  schema: inputsSchema,
  outputs: z.object({ count: z.int() }),
  secrets: ['contacts', 'identities'],

  /**
   * The inputs that come back carry a fingerprint of the records, which decides whether there is anything to do.
   *
   * @throws AuthenticationError or PermissionError where the service refuses the API key.
   */
  async check(olds, given, run) {
    const { declarant, inputs: declared } = declarantOf('Contacts', given);
    const { fingerprint: _, ...inputs } = declared;
    const problems = shapeProblems(inputs);
    if (problems.length > 0) return { problems, inputs };
    if (inputs['file'] === UNKNOWN || holdsUnknown(inputs['contacts'])) {
      return { problems, inputs: { ...inputs, fingerprint: UNKNOWN } };
    }
    const source = inputsSchema.parse(withEventOnWire(known(inputs)));
    const propertyTypes = typesGiven(source);
    const { faults, summary } = await checkRecords(
      { ...source, propertyTypes },
      declarant,
      run,
      olds['fingerprint'],
    );
    const checked = { ...inputs, fingerprint: summary.fingerprint };
    const isFirst = !run.contacts.labels.has(sourceKey(checked));
    run.contacts.labels.set(sourceKey(checked), declarant);
    if (faults.length === 0 && isFirst && olds['fingerprint'] === undefined) {
      run.host.reporter.info(
        `${declarant.label} (${nameOfSource(source)}): ${summary.count.toLocaleString('en')} new. ${NOT_CHECKED}`,
      );
    }
    return { problems: faults.map((reason): Problem => ({ property: '', reason })), inputs: checked };
  },

  /**
   * Says the plan. Where contacts leave who have something to lose, the resource is replaced: the old one is deleted
   * at the end of the run, when it is known whom the run declares.
   *
   * @throws ResourceError where more would leave than may.
   */
  async diff(id, raw, news, run) {
    const settings = ['fingerprint', 'file', 'format', 'delimiter', 'onRemove'];
    if (settings.every((name) => raw[name] === news[name])) {
      rememberOwner(raw, news, run, false);
      return { changes: false };
    }
    const declarant = run.contacts.labels.get(sourceKey(news));
    // Without a program, as in a refresh, nothing is planned.
    if (declarant === undefined) return { changes: true };
    const outs = outputsSchema.parse(raw);
    const source = inputsSchema.parse(withEventOnWire(known(news)));
    const ledger = Ledger.read(outs);
    const plan = await planOf(source, ledger);
    const fate = outs.onRemove ?? 'retain';
    run.host.reporter.info(describePlan(plan, source, declarant.label, fate));
    const takes = fate !== 'retain' && plan.leaving.length > 0;
    rememberOwner(raw, news, run, takes);
    if (!takes) return { changes: true };
    const leaving = plan.leaving.filter((entry) => {
      const owner = run.people.ownerOf(identityOf(entry, outs));
      return owner === undefined || owner.declarant.key === declarant.key;
    });
    const problem = removalProblem(
      leaving.length,
      outs.count,
      source.maxRemovals,
      source,
      declarant.label,
      fate,
    );
    if (problem !== undefined) throw new ResourceError(problem);
    run.contacts.continued.set(sourceKey(news), { id, outs: raw });
    return { changes: true, replaces: ['fingerprint'] };
  },

  /**
   * Upserts every declared contact, many at once under the client's limits.
   *
   * @throws PartialFailure when some could not be: it names each with its place and keeps the rest as done.
   */
  async create(raw, run) {
    const continued = run.contacts.continued.get(sourceKey(raw));
    const before = continued === undefined ? undefined : outputsSchema.parse(continued.outs);
    const successor = before && run.contacts.successors.get(before.salt);
    if (successor !== undefined) successor.done = true;
    const id = continued?.id ?? `contacts-${randomUUID()}`;
    return { id, outs: await upsertAll(id, inputsSchema.parse(raw), before, true, run) };
  },

  /** @throws PartialFailure as `create`. */
  async update(id, oldOuts, raw, run) {
    const before = outputsSchema.parse(oldOuts);
    const keepsNobody = (before.onRemove ?? 'retain') === 'retain';
    return { outs: await upsertAll(id, inputsSchema.parse(raw), before, keepsNobody, run) };
  },

  read: readContacts,

  inputsOf: (outs) => Object.fromEntries(Object.entries(outs).filter(([name]) => INPUT_NAMES.includes(name))),

  /** Does with those who left what `onRemove` said in the run that upserted them, and says what was done. */
  async delete(_id, raw, run) {
    const outs = outputsSchema.parse(raw);
    const successor = run.contacts.successors.get(outs.salt);
    if (successor?.done === false) {
      run.host.reporter.warn(
        `Contacts (${nameOfSource(outs)}) are deleted before what replaces them, so that nobody knows yet whom this run declares: all are left as they are. Take deleteBeforeReplace off the resource.`,
      );
      return;
    }
    await removeAll(outs, successor?.declarant?.key, run);
  },
};

function known(inputs: Raw): Raw {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => !holdsUnknown(value)));
}

function shapeProblems(inputs: Raw): Problem[] {
  const problem = (reason: string): Problem[] => [{ property: '', reason }];
  for (const name of Object.keys(inputs)) {
    if (!INPUT_NAMES.includes(name)) {
      const names = INPUT_NAMES.filter((one) => one !== 'fingerprint').join(', ');
      return problem(`'${name}' is not an input of contacts, which are ${names}`);
    }
  }
  if ((inputs['file'] === undefined) === (inputs['contacts'] === undefined)) {
    return problem("contacts are declared by a 'file' or by an array 'contacts': give one of the two");
  }
  const event = eventProblem(inputs['createWithEvent']);
  if (event !== undefined) return problem(event);
  const parsed = inputsSchema.safeParse(withEventOnWire(known(inputs)));
  if (parsed.success) return [];
  const [name = '', place] = parsed.error.issues[0]?.path ?? [];
  if (name === 'contacts' && typeof place === 'number') {
    return problem(`'contacts[${place}]' must be an object, with fields as a Contact has them`);
  }
  return problem(`'${String(name)}' must be ${EXPECTED[String(name)] ?? 'what the README says'}`);
}

function typesGiven({ propertyTypes }: Inputs): PropertyTypes {
  return new Map(Object.entries(propertyTypes ?? {}));
}

/** Notes whose records those of a state are, so that its deletion can tell a successor from others. */
function rememberOwner({ salt }: Raw, news: Raw, { contacts: shared }: Run, isReplaced: boolean): void {
  const declarant = shared.labels.get(sourceKey(news));
  if (typeof salt === 'string' && declarant !== undefined) {
    shared.successors.set(salt, { declarant, done: !isReplaced });
  }
}

function identityOf({ keys }: LedgerEntry, { identities }: Outputs): Identity {
  const kept = identities?.[keys[0] ?? ''] ?? [];
  // As it was kept before there were ids: one identifier.
  if (typeof kept === 'string') return kept.includes('@') ? { email: kept } : { userId: kept };
  const [id, email, userId] = kept;
  return { id, email, userId };
}

async function typesNow(inputs: Inputs, { properties }: Summary, run: Run): Promise<PropertyTypes> {
  const given = typesGiven(inputs);
  const open = [...properties.keys()].filter((name) => !given.has(name));
  if (open.length === 0) return given;
  return new Map([...typesOf(open, await run.properties.fresh()), ...given]);
}

/**
 * Upserts what is new or changed.
 *
 * @param forgetsLeaving whether the ledger drops those who left: somebody else sees to them, or nobody needs to.
 */
async function upsertAll(
  id: string,
  inputs: Inputs,
  before: Outputs | undefined,
  forgetsLeaving: boolean,
  run: Run,
): Promise<Raw> {
  const ledger = before === undefined ? new Ledger() : Ledger.read(before);
  const identities = new Map<string, Identity>();
  const declared = new Set<string>();
  let [added, changed] = [0, 0];
  const summary = await summaryOf(inputs, ({ fields }) => {
    for (const key of ledger.keysOf(fields)) declared.add(key);
    const known = ledger.find(fields);
    const old = before === undefined ? {} : known.map((entry) => identityOf(entry, before)).find(hasId);
    const identity = { id: old?.id, email: textOf(fields['email']), userId: textOf(fields['userId']) };
    identities.set(ledger.keysOf(fields)[0] ?? '', identity);
    if (known.length === 0) added += 1;
    else if (!ledger.holds(fields)) changed += 1;
  });
  const types = await typesNow(inputs, summary, run);
  const leaving = ledger.all().filter(({ keys }) => !keys.some((key) => declared.has(key)));
  const retained = (before?.onRemove ?? 'retain') === 'retain';
  if (forgetsLeaving) for (const entry of leaving) ledger.delete(entry);
  if (leaving.length > 0 && retained) {
    run.host.reporter.warn(
      `${count(leaving.length, 'contact')} no longer declared ${leaving.length === 1 ? 'stays' : 'stay'} in the service, which has no call to delete one. Set onRemove to 'unsubscribe' or 'clear' for more.`,
    );
  }

  // The records are read a second time, and the file may have changed since the first.
  const fingerprint = new Fingerprint();
  async function* tasks(): AsyncGenerator<Task, void> {
    for await (const record of readRecords(inputs)) {
      fingerprint.add(record);
      if (ledger.holds(record.fields)) continue;
      yield {
        ...record,
        run: async () => {
          const known = ledger.find(record.fields);
          const [byUserId] = ledger.keysOf({ userId: record.fields['userId'] });
          const isKnownByUserId = known.some(({ keys }) => byUserId !== undefined && keys.includes(byUserId));
          const upserted = await upsertOne(record, known, isKnownByUserId, types, inputs, run);
          const entry = ledger.set(record.fields);
          const key = entry.keys[0] ?? '';
          identities.set(key, {
            ...identities.get(key),
            ...(upserted === undefined ? {} : { id: upserted }),
          });
        },
      };
    }
  }

  const total = added + changed;
  const { succeeded, failures } = await runAll(tasks(), total, run.host);
  const isAsPlanned =
    failures.length === 0 &&
    fingerprint.digest() === summary.fingerprint &&
    (forgetsLeaving || leaving.length === 0);
  const outs = {
    ...inputs,
    fingerprint: isAsPlanned ? summary.fingerprint : '',
    count: summary.count,
    ...ledger.store(),
    ...((inputs.onRemove ?? 'retain') === 'retain' ? {} : { identities: kept(identities, ledger, before) }),
  };
  if (failures.length > 0) {
    const report = `${succeeded} of ${total} contacts are done, ${total - succeeded} are not. Run 'pulumi up' again to go on from there.`;
    throw new PartialFailure(id, outs, [report, ...limited(failures)]);
  }
  run.host.reporter.info(
    `Contacts (${nameOfSource(inputs)}): ${count(succeeded, 'contact')} written, ${added.toLocaleString('en')} new and ${changed.toLocaleString('en')} changed; ${(summary.count - total).toLocaleString('en')} were as declared.`,
  );
  return outs;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function hasId({ id }: Identity): boolean {
  return typeof id === 'string' && id !== '';
}

/** Identities of those in the ledger: as this run has them, else as state had them. */
function kept(
  identities: ReadonlyMap<string, Identity>,
  ledger: Ledger,
  before: Outputs | undefined,
): Record<string, string[]> {
  return Object.fromEntries(
    ledger.all().flatMap((entry): [string, string[]][] => {
      const key = entry.keys[0] ?? '';
      const identity = identities.get(key) ?? (before === undefined ? {} : identityOf(entry, before));
      const { id, email, userId } = identity;
      return email === undefined && userId === undefined
        ? []
        : [[key, [id ?? '', email ?? '', userId ?? '']]];
    }),
  );
}

/** Everything that is declared, and `null` for what was declared before. */
function changesOf(fields: ContactFields, before: readonly LedgerEntry[]): Changes {
  const changes = declaredFields(fields);
  const now = clearableColumns(fields);
  for (const column of new Set(before.flatMap(({ columns }) => [...columns.keys()]))) {
    if (!now.includes(column)) changes[fieldOfColumn(column)] = null;
  }
  return changes;
}

/** @returns the contact's id, where the service told it. */
async function upsertOne(
  record: ContactRecord,
  before: readonly LedgerEntry[],
  isKnownByUserId: boolean,
  types: PropertyTypes,
  { createWithEvent, ...source }: Inputs,
  run: Run,
): Promise<string | undefined> {
  const encoded = encodedRecord(record, types, source);
  if (encoded === undefined) {
    throw new ResourceError('it is not what was checked before: the file was changed meanwhile');
  }
  const fields = keptFields(encoded);
  const { email, userId } = fields;
  const changes = changesOf(fields, before);
  const claim = (id: string | undefined): string | undefined => {
    const owner = run.people.ownerOf({ email, userId });
    if (id !== undefined && owner !== undefined) run.people.claim({ id }, owner);
    return id;
  };
  // A contact that was upserted before may have got another email since: its userId still finds it.
  if (isKnownByUserId && userId !== undefined) {
    const all = email === undefined ? changes : { ...changes, email };
    const updated = await update(run.client, userId, all, IN_BULK);
    if (updated !== undefined) return claim(updated.id);
  }
  const upserted = await upsert({ email, userId }, createWithEvent, changes, run, IN_BULK);
  if (upserted.done) return claim(upserted.id);
  throw new ResourceError(absence(upserted.event, createWithEvent));
}

function absence(sent: 'none' | 'sent' | 'unclear', event: CreationEvent | undefined): string {
  const name = `the event '${event?.eventName ?? ''}'`;
  if (sent === 'sent') return `${name} was sent, but the service does not show the contact yet`;
  if (sent === 'unclear') {
    return `${name} may have been sent: the service gave no clear response, and does not show the contact yet`;
  }
  return 'there is no such contact in the service; set createWithEvent, so that an event creates it';
}

/**
 * Does with the contacts of a deleted ledger what `onRemove` says. Each is read first: one that is somebody else by
 * now, or that this run declares, is left alone.
 *
 * @param successor key of the declarant that goes on with the other contacts of the ledger.
 */
async function removeAll(outs: Outputs, successor: string | undefined, run: Run): Promise<void> {
  const { host, people, client } = run;
  const fate = outs.onRemove ?? 'retain';
  const ledger = Ledger.read(outs);
  const source = nameOfSource(outs);
  const alone = new Map<string, number>();
  const isDeclared = (identity: Identity): boolean => {
    const owner = people.ownerOf(identity);
    if (owner !== undefined && owner.declarant.key !== successor) {
      alone.set(owner.declarant.label, (alone.get(owner.declarant.label) ?? 0) + 1);
    }
    return owner !== undefined;
  };
  const entries = ledger.all();
  const open = entries.flatMap((entry) => {
    const identity = identityOf(entry, outs);
    return isDeclared(identity) ? [] : [{ entry, identity }];
  });
  if (fate === 'retain') {
    if (successor === undefined && open.length > 0) {
      host.reporter.warn(
        `${count(open.length, 'contact')} of ${source} no longer declared ${open.length === 1 ? 'stays' : 'stay'} in the service, which has no call to delete one. Set onRemove to 'unsubscribe' or 'clear' for more.`,
      );
    }
    return;
  }
  const unaddressed = open.filter(
    ({ identity }) => identity.email === undefined && identity.userId === undefined,
  );
  if (unaddressed.length > 0) {
    host.reporter.warn(
      `${count(unaddressed.length, 'contact')} no longer declared cannot be addressed and ${unaddressed.length === 1 ? 'stays' : 'stay'} as before: state held no address, as onRemove was 'retain' until now.`,
    );
  }
  const leaving = open.filter((one) => !unaddressed.includes(one));
  let [done, lost] = [0, 0];
  const tasks = leaving.map(({ entry, identity }): Task => ({
    location: 'a contact that left',
    fields: { ...identity },
    run: async () => {
      const { contact: person, isRefused } = await locate(client, [identity], isPerson(identity), IN_BULK);
      if (person === undefined) {
        if (isRefused === true) throw new ResourceError(REFUSED_TO_SAY);
        lost += 1;
        return;
      }
      if (isDeclared(person)) return;
      const address = person.email ?? person.userId;
      const changes = fate === 'unsubscribe' ? { subscribed: false } : cleared(entry);
      if (Object.keys(changes).length > 0 && typeof address === 'string') {
        const updated = await update(client, address, changes, IN_BULK);
        if (updated === undefined) throw new ResourceError('the service no longer shows it');
      }
      done += 1;
    },
  }));
  const { failures } = await runAll(tasks, tasks.length, host);
  if (lost > 0) {
    host.reporter.warn(
      `${count(lost, 'contact')} that left ${source} ${lost === 1 ? 'was' : 'were'} not ${fate === 'unsubscribe' ? 'unsubscribed' : 'cleared'}: gone from the service, or under another address by now. Whoever still is there has to be looked for in the service.`,
    );
  }
  if (done > 0 || alone.size > 0) {
    const owners = [...alone].map(
      ([label, number]) => `${number.toLocaleString('en')} left as they are, as ${label} declares them`,
    );
    const facts = [
      `${done.toLocaleString('en')} ${fate === 'unsubscribe' ? 'unsubscribed' : 'cleared'}`,
      ...owners,
    ];
    host.reporter.info(`Contacts that left ${source}: ${facts.join('; ')}.`);
  }
  if (failures.length > 0) {
    throw new ResourceError(
      `${failures.length} of ${tasks.length} contacts that left ${source} could not be ${fate === 'unsubscribe' ? 'unsubscribed' : 'cleared'}. The first: ${failures[0] ?? ''}. Run it again: what is done twice changes nothing more.`,
    );
  }
}

/** Whether a contact is the person whom state knows: by id where it is known, else by agreement of what is known. */
function isPerson({ id, userId }: Identity): (contact: Contact) => boolean {
  return (found) =>
    hasId({ id }) ? found.id === id : !(isGiven(userId) && isGiven(found.userId) && found.userId !== userId);
}

function isGiven(text: string | null | undefined): text is string {
  return typeof text === 'string' && text !== '';
}

function cleared({ columns }: LedgerEntry): Changes {
  return Object.fromEntries([...columns.keys()].map((column) => [fieldOfColumn(column), null]));
}

/**
 * Compares every contact that was upserted with what the service has: those that differ in a declared field, or are
 * gone, are upserted again by the next run. The fingerprint is empty where there are some.
 */
async function readContacts(id: string, raw: Raw, run: Run): Promise<Made> {
  const outs = outputsSchema.parse(raw);
  const { host, client } = run;
  const ledger = Ledger.read(outs);
  let total = 0;
  let summary: Summary;
  try {
    summary = await summaryOf(outs, ({ fields }) => {
      if (ledger.holds(fields)) total += 1;
    });
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    host.reporter.warn(`Contacts could not be compared with the service. ${error.message}`);
    return { id, outs };
  }
  const types = await typesNow(outs, summary, run);
  let [gone, changed] = [0, 0];
  async function* tasks(): AsyncGenerator<Task, void> {
    for await (const record of readRecords(outs)) {
      // A record that has changed since is upserted by the next run anyway.
      if (!ledger.holds(record.fields)) continue;
      yield {
        ...record,
        run: async () => {
          const fate = await compare(record, types, outs, client);
          if (fate === 'same') return;
          ledger.forgetContent(record.fields);
          if (fate === 'gone') gone += 1;
          else changed += 1;
        },
      };
    }
  }
  const { failures } = await runAll(tasks(), total, host);
  if (failures.length > 0) {
    throw new ResourceError(
      `${failures.length} of ${total} contacts could not be read. The first: ${failures[0] ?? ''}. Run 'pulumi refresh' again.`,
    );
  }
  if (gone + changed === 0) return { id, outs: { ...outs, ...ledger.store() } };
  host.reporter.warn(
    `Of ${count(total, 'contact')}, ${changed} differ from what is declared and ${gone} are gone from the service. The next 'pulumi up' upserts them again.`,
  );
  return { id, outs: { ...outs, fingerprint: '', ...ledger.store() } };
}

async function compare(
  record: ContactRecord,
  types: PropertyTypes,
  source: Inputs,
  client: Run['client'],
): Promise<'same' | 'changed' | 'gone'> {
  const encoded = encodedRecord(record, types, source);
  if (encoded === undefined) return 'changed';
  const fields = keptFields(encoded);
  for (const identifier of [fields.email, fields.userId]) {
    if (identifier === undefined) continue;
    const contact = await lookUp(client, identifier, IN_BULK);
    if (contact === undefined) continue;
    const { email, userId } = fields;
    const identified =
      (userId === undefined || contact.userId === userId) &&
      (email === undefined || (isGiven(contact.email) && sameEmail(contact.email) === sameEmail(email)));
    const declared = Object.entries(declaredFields(fields));
    return identified && declared.every(([name, value]) => isSet(contact, name, value)) ? 'same' : 'changed';
  }
  return 'gone';
}
