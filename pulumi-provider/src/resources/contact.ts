import type { Contact, ContactProperty } from 'audience-core';
import { canonicalJson, decodeValue, describeIssue } from 'audience-core/contract';
import * as z from 'zod/mini';
import type { Behaviour } from './behaviour.js';
import {
  declaredFields,
  encodeFields,
  encodeProgramValue,
  fieldChanges,
  FIELDS,
  groupsOf,
  IDENTIFIERS,
  keptFields,
  keptShape,
  onWire,
  propertiesOf,
} from './contact-fields.js';
import type { Changes, ContactFields, FieldValue } from './contact-fields.js';
import { eventProblem, eventSchema, ON_REMOVAL, upsert } from './contact-upsert.js';
import { declarantOf } from './declarations.js';
import type { Declarant } from './declarations.js';
import { holdsUnknown, isRaw, ResourceError, sentence, UNKNOWN } from './host.js';
import type { Host, Problem, Raw } from './host.js';
import { nameOf, sameEmail } from './people.js';
import { FOR_CHECKS, readForChecks } from './read-for-checks.js';
import type { Run } from './run.js';
import { locate, lookUp, REFUSED_TO_SAY, update } from './service-contacts.js';

const settingsShape = { createWithEvent: z.optional(eventSchema), onDelete: z.optional(z.enum(ON_REMOVAL)) };
const settingsSchema = z.object(settingsShape);
const inputsSchema = z.object({ ...keptShape, ...settingsShape });

/** State of a contact: what is declared, as it was last known to be. */
type State = ContactFields & z.infer<typeof settingsSchema>;

const INPUT_NAMES: readonly string[] = Object.keys(inputsSchema.shape);

function stateOf(raw: Raw): State {
  return { ...keptFields(raw), ...settingsSchema.parse(raw) };
}

/** One contact. State knows it by the service's id; its email and userId only lead to it. */
export const contact: Behaviour = {
  schema: inputsSchema,

  /** @throws AuthenticationError or PermissionError where the service refuses the API key. */
  async check(olds, given, run) {
    const { declarant, inputs } = declarantOf('Contact', given);
    const problems = [...shapeProblems(inputs), ...claimProblems(inputs, declarant, run)];
    const known = await knownProblems(inputs, run);
    problems.push(...known, ...addressProblems(olds, inputs));
    const isNew = IDENTIFIERS.every((name) => olds[name] === undefined);
    if (problems.length === 0 && isNew) problems.push(...(await existenceProblems(inputs, declarant, run)));
    return { problems, inputs: problems.length === 0 ? await withDatesOnWire(inputs, run) : inputs };
  },

  /** @throws ResourceError where another resource of the program leads to the same contact. */
  diff(id, outs, news, run) {
    const identity = { email: textOf(news['email']), userId: textOf(news['userId']) };
    const owner = run.people.ownerOf(identity);
    const other = owner && run.people.claim({ id }, owner);
    if (owner !== undefined && other !== undefined && other.declarant.key !== owner.declarant.key) {
      throw new ResourceError(
        `${owner.location} and ${other.location} lead to the same contact of the service (id ${id}). Keep one of them.`,
      );
    }
    if (holdsUnknown(news)) return Promise.resolve({ changes: true });
    const state = stateOf(outs);
    return Promise.resolve({
      changes: compared(state) !== compared(withDatesOf(state, stateOf(onWireRaw(news)))),
    });
  },

  /**
   * Sets what is declared of the contact. Where there is none, `createWithEvent` sends the event that creates it;
   * without that it is an error, as the interface has no call that creates a contact.
   *
   * @throws ResourceError when there is no such contact.
   */
  async create(raw, run) {
    const state = stateOf(onWireRaw(raw));
    const { email, userId, createWithEvent } = state;
    const upserted = await upsert({ email, userId }, createWithEvent, declaredFields(state), run);
    if (upserted.done) {
      const id = upserted.id ?? (await idOf(state, run)) ?? '';
      claimId(id, state, run);
      return { id, outs: { ...state } };
    }
    if (upserted.event === 'none') throw new ResourceError(sentence(absence(state)));
    const event = `event '${createWithEvent?.eventName ?? ''}'`;
    throw new ResourceError(
      upserted.event === 'sent'
        ? `Contact ${nameOf(state)} has been sent the ${event}, but the service does not show the contact yet. Run 'pulumi up' again in a minute.`
        : `Contact ${nameOf(state)} may have been sent the ${event}: the service gave no clear response, and does not show the contact yet. Look in the service before you run 'pulumi up' again, which sends the event once more if the contact is not there.`,
    );
  },

  /** What the service has of the declared fields, or `undefined` when the contact is gone or another. */
  async read(id, raw, { client, host }) {
    const state = stateOf(raw);
    const { contact, other } = await locate(client, [state], hasId(id));
    if (contact !== undefined) return { id, outs: { ...asDeclared(state, contact) } };
    host.reporter.warn(
      other === undefined
        ? `Contact ${nameOf(state)} is gone from the service, or has another email and userId there by now, and leaves the state. Remove it from the program, or run 'pulumi up' once the contact is there again.`
        : `Contact ${nameOf(state)} is another person by now: its address leads to contact ${other.id} of the service, and no longer to ${id}. It leaves the state, and nobody is changed. The next 'pulumi up' would adopt the other person: remove the contact from the program, or correct its email or userId, if that is not meant.`,
    );
    return undefined;
  },

  async import(name, { client }) {
    const contact = await lookUp(client, name);
    if (contact === undefined) return undefined;
    const custom = await client.properties.list({ list: 'custom' });
    const outs = declaredAsItIs(contact, custom);
    return { id: contact.id, outs: { ...outs }, inputs: withDatesAsText(outs, custom) };
  },

  /**
   * Brings the contact from what was declared to what is declared now. A new email and a new userId take two calls;
   * if only the first got through, or both did and nobody heard of it, running this again ends the same.
   *
   * @throws ResourceError when the contact is gone, has become another, or would take the address of another.
   */
  async update(id, oldOuts, raw, run) {
    const before = stateOf(oldOuts);
    const after = stateOf(onWireRaw(raw));
    const { client, host } = run;
    const { contact, other } = await locate(client, [before, after], hasId(id));
    if (contact === undefined) throw new ResourceError(lost(after, id, other));
    const changes = fieldChanges(before, after);
    sayWhatStays(before, after, host);
    await assertFree(id, contact, after, client);
    const userId = after.userId ?? (before.userId === undefined ? undefined : null);
    const userIdChanges = userId !== undefined && userId !== (contact.userId ?? null);
    const emailChanges = after.email !== undefined && !isEmail(contact.email, after.email);
    if (emailChanges) {
      // An email is only changed under a userId. The address is then known by either.
      const address = contact.userId ?? after.userId;
      if (address === undefined) throw new ResourceError(noWayToEmail(before, after));
      if ((contact.userId ?? undefined) === undefined && typeof contact.email === 'string') {
        await must(client, contact.email, { userId: address }, after, id);
      }
      await must(client, address, { ...changes, email: after.email ?? '' }, after, id);
      if (userId !== undefined && userId !== address)
        await must(client, after.email ?? address, { userId }, after, id);
    } else {
      const all = userIdChanges ? { ...changes, userId } : changes;
      const address = contact.email ?? contact.userId;
      if (Object.keys(all).length > 0 && typeof address === 'string')
        await must(client, address, all, after, id);
    }
    return { outs: { ...after } };
  },

  /**
   * What becomes of the contact when it leaves the program: by `onDelete` it stays as it is (and the person is told
   * so), is unsubscribed, or loses the values that were declared. One that this run declares is left alone.
   */
  async delete(id, raw, run) {
    const state = stateOf(raw);
    const { client, host, people } = run;
    const name = nameOf(state);
    const onDelete = state.onDelete ?? 'retain';
    const sayLeftAlone = (location: string): void =>
      host.reporter.info(`Contact ${name} is left as it is, as ${location} declares it now.`);
    const owner = people.ownerOf({ id, email: state.email, userId: state.userId });
    if (owner !== undefined) {
      sayLeftAlone(owner.location);
      return;
    }
    if (onDelete === 'retain') {
      host.reporter.warn(
        `Contact ${name} has left Pulumi's state only: the service has no call to delete a contact, so it stays there as it is. Set onDelete to 'unsubscribe' or 'clear' for more.`,
      );
      return;
    }
    const { contact, other, isRefused } = await locate(client, [state], hasId(id));
    if (contact === undefined) {
      const wasNot = onDelete === 'unsubscribe' ? 'unsubscribed' : 'cleared';
      if (isRefused === true) {
        throw new ResourceError(
          `Contact ${name} (id ${id}) was not ${wasNot}: ${REFUSED_TO_SAY}. Run it again; if the contact is gone from the service, take it out of the state with 'pulumi state delete'.`,
        );
      }
      host.reporter.warn(
        `Contact ${name} (id ${id}) was not ${wasNot}: ${other === undefined ? 'the service has no contact under that address' : `another contact (id ${other.id}) has that address by now, and is left alone`}. If the person is there under another email, do it in the service.`,
      );
      return;
    }
    const ownerByNow = people.ownerOf({ id, email: contact.email, userId: contact.userId });
    if (ownerByNow !== undefined) {
      sayLeftAlone(ownerByNow.location);
      return;
    }
    const changes = onDelete === 'unsubscribe' ? { subscribed: false } : fieldChanges(state, {});
    const address = contact.email ?? contact.userId;
    if (Object.keys(changes).length > 0 && typeof address === 'string')
      await must(client, address, changes, state, id);
  },
};

function hasId(id: string): (contact: Contact) => boolean {
  return (contact) => contact.id === id;
}

/** The inputs with Unix seconds for dates that are text: state and comparison know one form only. */
async function withDatesOnWire(inputs: Raw, { properties: known }: Run): Promise<Raw> {
  const properties = propertiesOf(inputs);
  const texts = Object.keys(properties).filter((name) => typeof properties[name] === 'string');
  if (texts.length === 0) return inputs;
  const types = await known.typesOf(texts);
  const encoded = texts.flatMap((name): [string, unknown][] => {
    const read = types.get(name) === 'date' ? encodeProgramValue('date', properties[name]) : undefined;
    return read?.ok === true ? [[name, read.value]] : [];
  });
  return { ...inputs, properties: { ...properties, ...Object.fromEntries(encoded) } };
}

/** The same with Unix seconds for dates that an import left as text in the inputs. */
function withDatesOf({ properties: before = {} }: State, after: State): State {
  const { properties } = after;
  if (properties === undefined) return after;
  const same = Object.entries(properties).map(([name, value]): [string, FieldValue] => {
    const read = typeof before[name] === 'number' ? encodeProgramValue('date', value) : undefined;
    return [name, read?.ok === true ? read.value : value];
  });
  return { ...after, properties: Object.fromEntries(same) };
}

/** The inputs may hold dates of a program, which state does not. */
function onWireRaw(raw: Raw): Raw {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, onWire(value)]));
}

/** All that decides over a change, whatever the order of keys. */
function compared({ createWithEvent: _, ...state }: State): string {
  const email = state.email === undefined ? undefined : sameEmail(state.email);
  return canonicalJson({ ...state, email, onDelete: state.onDelete ?? 'retain' });
}

function shapeProblems(news: Raw): Problem[] {
  const problems: Problem[] = [];
  if (IDENTIFIERS.every((name) => isAbsent(news[name]))) {
    problems.push({
      property: '',
      reason: "a contact needs an 'email', a 'userId', or both, to be found by",
    });
  }
  for (const name of Object.keys(news)) {
    if (INPUT_NAMES.includes(name)) continue;
    problems.push({
      property: '',
      reason: `'${name}' is not an input of a contact; custom properties go into 'properties'`,
    });
  }
  const { onDelete } = news;
  if (onDelete !== undefined && onDelete !== UNKNOWN && !settingsShape.onDelete.safeParse(onDelete).success) {
    problems.push({ property: 'onDelete', reason: `must be one of ${ON_REMOVAL.join(', ')}` });
  }
  const reason = eventProblem(news['createWithEvent']);
  if (reason !== undefined) problems.push({ property: '', reason });
  return problems;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function claimProblems(news: Raw, declarant: Declarant, { people }: Run): Problem[] {
  people.release(declarant);
  const identity = { email: textOf(news['email']), userId: textOf(news['userId']) };
  const earlier = people.claim(identity, { declarant, location: declarant.label });
  if (earlier === undefined) return [];
  return [{ property: '', reason: declaredTwice(nameOf(identity), earlier.location, declarant.label) }];
}

function declaredTwice(name: string, first: string, second: string): string {
  return `contact ${name} is declared twice, by ${first} and by ${second}: one of them would win by chance. Keep one of them`;
}

/** Faults of fields by the interface, and of names of properties and groups by what there is. */
async function knownProblems(news: Raw, run: Run): Promise<Problem[]> {
  const fields = Object.fromEntries(
    Object.entries(news).filter(([name]) => FIELDS.has(name) || name === 'properties'),
  );
  const names = Object.keys(propertiesOf(fields));
  const { issues } = encodeFields(fields, await run.properties.typesOf(names));
  const problems = issues.map((issue): Problem => {
    const [top] = issue.path;
    const property = issue.path.length === 1 && typeof top === 'string' && top !== 'properties' ? top : '';
    return { property, reason: property === '' ? describeIssue(issue) : issue.message };
  });
  for (const name of names) {
    if (issues.some(({ path }) => path[1] === name)) continue;
    const reason = await run.properties.problemOf(name);
    if (reason !== undefined) problems.push({ property: '', reason: `'properties.${name}' ${reason}` });
  }
  for (const id of groupsOf(fields)) {
    if (issues.some(({ path }) => path[0] === 'subscriptionGroups')) break;
    const reason = await run.groups.problemOf(id);
    if (reason !== undefined) problems.push({ property: '', reason: `'subscriptionGroups.${id}' ${reason}` });
  }
  return problems;
}

function addressProblems(olds: Raw, news: Raw): Problem[] {
  const [from, to] = [textOf(olds['email']), textOf(news['email'])];
  if (from === undefined || to === undefined || isEmail(from, to)) return [];
  if (!isAbsent(olds['userId']) || !isAbsent(news['userId'])) return [];
  return [{ property: 'email', reason: emailChange(from) }];
}

function emailChange(from: string): string {
  return `changes from '${from}', and the service changes an email only for a contact that it can find by a userId. Add a 'userId' as well, or declare the new address as a contact of its own`;
}

function isEmail(a: unknown, b: string): boolean {
  return typeof a === 'string' && sameEmail(a) === sameEmail(b);
}

/** Looks whom a new contact is about: nobody, somebody who is adopted, or two people. */
async function existenceProblems(news: Raw, declarant: Declarant, run: Run): Promise<Problem[]> {
  const { email, userId } = { email: textOf(news['email']), userId: textOf(news['userId']) };
  const isLate = IDENTIFIERS.some((name) => holdsUnknown(news[name]));
  if (isLate) return [];
  const found = await readForChecks(
    `Whether contact ${nameOf({ email, userId })} exists`,
    run.host.reporter,
    async () => {
      const byEmail = email === undefined ? undefined : await lookUp(run.client, email, FOR_CHECKS);
      const isWhole = userId === undefined || byEmail?.userId === userId;
      const byUserId = isWhole ? undefined : await lookUp(run.client, userId, FOR_CHECKS);
      return { byEmail, byUserId };
    },
  );
  if (found === undefined) return [];
  const { byEmail, byUserId } = found;
  if (byEmail !== undefined && byUserId !== undefined && byEmail.id !== byUserId.id) {
    const reason = `email '${email ?? ''}' and userId '${userId ?? ''}' are two contacts of the service (ids ${byEmail.id} and ${byUserId.id}). Declare one of them, or correct the identifier that is wrong`;
    return [{ property: '', reason }];
  }
  const person = byEmail ?? byUserId;
  if (person === undefined) {
    return isAbsent(news['createWithEvent']) ? [{ property: '', reason: absence({ email, userId }) }] : [];
  }
  const other = run.people.claim({ id: person.id }, { declarant, location: declarant.label });
  if (other !== undefined) {
    return [
      { property: '', reason: declaredTwice(nameOf({ email, userId }), other.location, declarant.label) },
    ];
  }
  sayAdoption(person, news, run);
  return [];
}

function sayAdoption(person: Contact, news: Raw, { host }: Run): void {
  const declared = declaredFields(keptFields(encodeFields(known(news), new Map()).fields));
  const identity = { email: textOf(news['email']), userId: textOf(news['userId']) };
  const all: Changes = { ...declared };
  if (identity.userId !== undefined) all['userId'] = identity.userId;
  if (identity.email !== undefined && !isEmail(person.email, identity.email)) all['email'] = identity.email;
  const differs = Object.keys(all).filter((name) => !isSet(person, name, all[name] ?? null));
  const overwritten = differs.filter((name) => !isAbsent(person[name]));
  host.reporter.info(
    `Contact ${nameOf(identity)} exists in the service and is adopted: ${differs.length === 0 ? 'it is as declared' : `sets ${differs.join(', ')}`}${overwritten.length === 0 ? '' : `, of which it has other values in ${overwritten.join(', ')}`}.`,
  );
}

function known(news: Raw): Raw {
  return Object.fromEntries(
    Object.entries(news).filter(
      ([name, value]) => (FIELDS.has(name) || name === 'properties') && !holdsUnknown(value),
    ),
  );
}

/** Whether the contact has the value; of groups, whether it is in each as declared. */
export function isSet(person: Contact, name: string, value: FieldValue | Record<string, boolean>): boolean {
  if (typeof value !== 'object' || value === null) return (person[name] ?? null) === value;
  return Object.entries(value).every(([group, member]) => person.subscriptionGroups?.[group] === member);
}

function absence(identity: Parameters<typeof nameOf>[0]): string {
  return `contact ${nameOf(identity)} does not exist in the service, and the interface has no call to create one. Set createWithEvent, so that an event creates it, or declare it once it has come to the audience another way (a sign-up, or an email sent with addToAudience)`;
}

async function idOf({ email, userId }: State, { client }: Run): Promise<string | undefined> {
  const identifier = email ?? userId;
  return identifier === undefined ? undefined : (await lookUp(client, identifier))?.id;
}

function claimId(id: string, { email, userId }: State, { people }: Run): void {
  const owner = people.ownerOf({ email, userId });
  if (owner !== undefined) people.claim({ id }, owner);
}

function lost(after: State, id: string, other: Contact | undefined): string {
  return other === undefined
    ? `Contact ${nameOf(after)} (id ${id}) is gone from the service, so it could not be updated. Run 'pulumi refresh' to take it out of the state, then 'pulumi up'.`
    : `Contact ${nameOf(after)} is another person by now: its address leads to contact ${other.id} of the service, and no longer to ${id}. Nobody was changed. Correct its email or userId, or run 'pulumi refresh' to take it out of the state.`;
}

function noWayToEmail(before: State, after: State): string {
  return `Contact ${nameOf(after)}: the email ${emailChange(before.email ?? '')}.`;
}

/** @throws ResourceError where a new address belongs to another contact. */
async function assertFree(id: string, contact: Contact, after: State, client: Run['client']): Promise<void> {
  for (const name of IDENTIFIERS) {
    const wanted = after[name];
    const isOld = name === 'email' ? isEmail(contact.email, wanted ?? '') : contact.userId === wanted;
    if (wanted === undefined || isOld) continue;
    const holder = await lookUp(client, wanted);
    if (holder === undefined || holder.id === id) continue;
    throw new ResourceError(
      `Contact ${nameOf(after)} cannot get the ${name} '${wanted}': it is that of another contact of the service (id ${holder.id}). Nobody was changed. Choose another ${name}, or change that of the other contact first.`,
    );
  }
}

async function must(
  client: Run['client'],
  address: string,
  changes: Changes,
  after: State,
  id: string,
): Promise<void> {
  if ((await update(client, address, changes)) === undefined) {
    throw new ResourceError(lost(after, id, undefined));
  }
}

function sayWhatStays(before: ContactFields, after: ContactFields, { reporter }: Host): void {
  const contact = `Contact ${nameOf(after)}`;
  if (before.email !== undefined && after.email === undefined) {
    reporter.warn(`${contact} keeps its email in the service: an email can be changed there, not cleared.`);
  }
  if (before.subscribed === false && after.subscribed === undefined) {
    reporter.warn(`${contact} stays unsubscribed: only the contact can subscribe again.`);
  }
}

/** The declared fields with the service's values; what is not declared is none of our business. */
function asDeclared(state: State, contact: Contact): State {
  const { properties, subscriptionGroups, createWithEvent, onDelete, ...standard } = state;
  const fields: Record<string, unknown> = { createWithEvent, onDelete };
  for (const [name, declared] of Object.entries(standard)) {
    const current = contact[name] ?? undefined;
    if (current === undefined) continue;
    if (name === 'subscribed' && current !== false) continue;
    fields[name] = name === 'email' && isEmail(current, String(declared)) ? declared : current;
  }
  if (subscriptionGroups !== undefined) {
    fields['subscriptionGroups'] = picked(subscriptionGroups, (id) => contact.subscriptionGroups?.[id]);
  }
  if (properties !== undefined) {
    fields['properties'] = picked(properties, (name, declared) => fieldValue(contact[name], declared));
  }
  return stateOf(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
}

/** The same as a person would declare it: dates are text. */
function withDatesAsText({ properties, ...fields }: State, custom: readonly ContactProperty[]): Raw {
  if (properties === undefined) return fields;
  const types = new Map(custom.map(({ key, type }) => [key, type]));
  const texts = Object.entries(properties).map(([name, value]): [string, unknown] => {
    const date = decodeValue(types.get(name) ?? 'string', value);
    return [name, date instanceof Date ? date.toISOString() : value];
  });
  return { ...fields, properties: Object.fromEntries(texts) };
}

/** All that can be declared of a contact, with the values that it has. */
function declaredAsItIs(contact: Contact, custom: readonly ContactProperty[]): State {
  const valued = (names: readonly string[]): [string, unknown][] =>
    names.flatMap((name): [string, unknown][] => {
      const value = contact[name] ?? undefined;
      return value === undefined || (isRaw(value) && Object.keys(value).length === 0) ? [] : [[name, value]];
    });
  const fields = Object.fromEntries(valued([...FIELDS.keys()]));
  // It can only be declared as false.
  if (fields['subscribed'] !== false) delete fields['subscribed'];
  const properties = valued(custom.map(({ key }) => key));
  return stateOf(
    properties.length === 0 ? fields : { ...fields, properties: Object.fromEntries(properties) },
  );
}

function picked<Value>(
  declared: Readonly<Record<string, Value>>,
  read: (key: string, value: Value) => Value | undefined,
): Record<string, Value> {
  const entries = Object.entries(declared).flatMap(([key, value]): [string, Value][] => {
    const current = read(key, value);
    return current === undefined ? [] : [[key, current]];
  });
  return Object.fromEntries(entries);
}

function fieldValue(current: unknown, declared: FieldValue): FieldValue | undefined {
  if (typeof current === 'string' || typeof current === 'number' || typeof current === 'boolean')
    return current;
  return declared === null ? null : undefined;
}
