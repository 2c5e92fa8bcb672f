import { canonicalJson, NotFoundError, sendEventBodySchema } from 'audience-core';
import type { AudienceApi, Contact } from 'audience-core';
import * as z from 'zod';
import {
  contactFieldsSchema,
  declaredFields,
  describeIssue,
  fieldChanges,
  fieldIssues,
  TEXT_FIELDS,
} from './contact-fields.js';
import type { Changes, ContactFields, FieldValue } from './contact-fields.js';
import { holdsUnknown, ResourceError, UNKNOWN } from './host.js';
import type { Host, Problem, Raw } from './host.js';
import type { PropertyList } from './property-list.js';
import { toWire } from './wire.js';

/** What a contact's methods work with. */
export interface ContactContext {
  readonly client: AudienceApi;
  readonly host: Host;
}

/** What `onDelete` can be: what is done with the contact when it leaves the program. */
export const ON_DELETE = ['retain', 'unsubscribe', 'clear'] as const;

const { eventName, eventProperties } = sendEventBodySchema.shape;

export const eventSchema = z.strictObject({ eventName, eventProperties });

const inputsSchema = contactFieldsSchema.extend({
  createWithEvent: eventSchema.optional(),
  onDelete: z.enum(ON_DELETE).optional(),
});

/** State of a contact: what is declared, as it was last known to be. */
export type ContactState = z.infer<typeof inputsSchema>;

const INPUT_NAMES: readonly string[] = Object.keys(inputsSchema.shape);

/** Waits between looks for a contact that an event creates, in milliseconds. */
const APPEAR_DELAYS_MS = [0, 100, 300, 1_000, 2_000, 5_000];

/**
 * Faults of a contact's inputs: by the interface, against the inputs of the last run, and property values
 * against the service's list where it can be reached.
 *
 * @param olds inputs of the last run; empty for a new resource.
 * @throws AuthenticationError or PermissionError where the service refuses the API key.
 */
export async function checkContact(olds: Raw, news: Raw, properties: PropertyList): Promise<Problem[]> {
  const { createWithEvent, onDelete, ...fields } = news;
  const problems: Problem[] = [];
  if (isAbsent(fields['email']) && isAbsent(fields['userId'])) {
    problems.push({
      property: '',
      reason: "a contact needs an 'email', a 'userId', or both, to be found by",
    });
  }
  for (const name of Object.keys(news)) {
    if (!INPUT_NAMES.includes(name)) {
      problems.push({
        property: '',
        reason: `'${name}' is not an input of a contact; custom properties go into 'properties'`,
      });
    }
  }
  if (
    onDelete !== undefined &&
    onDelete !== UNKNOWN &&
    !inputsSchema.shape.onDelete.safeParse(onDelete).success
  ) {
    problems.push({ property: 'onDelete', reason: `must be one of ${ON_DELETE.join(', ')}` });
  }
  if (createWithEvent !== undefined && !holdsUnknown(createWithEvent)) {
    const parsed = eventSchema.safeParse(toWire(createWithEvent));
    if (!parsed.success) {
      problems.push({
        property: '',
        reason:
          "'createWithEvent' must be an object with an 'eventName' and, where wanted, 'eventProperties'",
      });
    }
  }
  const declared = Object.fromEntries(Object.entries(fields).filter(([name]) => INPUT_NAMES.includes(name)));
  const hasValues = z.record(z.string(), z.unknown()).safeParse(fields['properties']);
  const listed =
    hasValues.success && Object.keys(hasValues.data).length > 0
      ? await properties.forPreview(Object.keys(hasValues.data))
      : undefined;
  for (const issue of fieldIssues(declared, listed)) {
    const [top] = issue.path;
    const property = issue.path.length === 1 && typeof top === 'string' && top !== 'properties' ? top : '';
    problems.push({ property, reason: property === '' ? describeIssue(issue) : issue.message });
  }
  const addressProblem = emailChangeProblem(olds, news);
  if (addressProblem !== undefined) problems.push({ property: 'email', reason: addressProblem });
  return problems;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function emailChangeProblem(olds: Raw, news: Raw): string | undefined {
  const [from, to] = [olds['email'], news['email']];
  if (typeof from !== 'string' || typeof to !== 'string' || from === to) return undefined;
  if (!isAbsent(olds['userId']) || !isAbsent(news['userId'])) return undefined;
  return `changes from '${from}', and the service changes an email only for a contact that it can find by a userId. Add a 'userId' as well, or declare the new address as a contact of its own`;
}

/** Whether what is declared differs from state. */
export function diffContact(outs: Raw, news: Raw): { changes: boolean } {
  if (holdsUnknown(news)) return { changes: true };
  const before = inputsSchema.parse(outs);
  const after = inputsSchema.parse(news);
  return { changes: canonical(before) !== canonical(after) };
}

/** All that decides over a change, whatever the order of keys. */
function canonical({ createWithEvent: _, ...state }: ContactState): string {
  return canonicalJson({ ...state, onDelete: state.onDelete ?? 'retain' });
}

/**
 * Takes over the contact and sets what is declared. Where there is none, `createWithEvent` sends the event that
 * creates it; without that it is an error, as the interface has no call that creates a contact.
 *
 * @throws ResourceError when there is no such contact.
 */
export async function createContact(
  raw: Raw,
  { client, host }: ContactContext,
): Promise<{ id: string; outs: ContactState }> {
  const state = inputsSchema.parse(raw);
  const id = await bringContact(state, state.createWithEvent, declaredFields(state), { client, host });
  if (id !== undefined) return { id, outs: state };
  if (state.createWithEvent === undefined) {
    throw new ResourceError(
      `Contact ${nameOf(state)} does not exist in the service, and the interface has no call to create one. Set createWithEvent, so that an event creates it, or declare it once it has come to the audience another way (a sign-up, or an email sent with addToAudience).`,
    );
  }
  throw new ResourceError(
    `Contact ${nameOf(state)} has been sent the event '${state.createWithEvent.eventName}', but the service does not show the contact yet. Run 'pulumi up' again in a minute.`,
  );
}

/** An event that creates a contact. */
export type CreationEvent = z.infer<typeof eventSchema>;

/**
 * Sets fields of the contact that email or userId name, both of which it then has. Where there is none, it is
 * created by the event, if one is given.
 *
 * @returns the contact's id; `undefined` when there is no such contact.
 */
export async function bringContact(
  identity: { readonly email?: string | undefined; readonly userId?: string | undefined },
  event: CreationEvent | undefined,
  fields: Changes,
  { client, host }: ContactContext,
): Promise<string | undefined> {
  const found = await takeOver(client, identity, fields);
  if (found !== undefined || event === undefined) return found;
  const { email, userId } = identity;
  await client.events.send({ ...event, email, userId });
  for (const delay of APPEAR_DELAYS_MS) {
    if (delay > 0) await host.sleep(delay);
    const created = await takeOver(client, identity, fields);
    if (created !== undefined) return created;
  }
  return undefined;
}

async function takeOver(
  client: AudienceApi,
  { email, userId }: { readonly email?: string | undefined; readonly userId?: string | undefined },
  fields: Changes,
): Promise<string | undefined> {
  if (email !== undefined) {
    const id = await put(client, email, userId === undefined ? fields : { ...fields, userId });
    if (id !== undefined) return id;
  }
  if (userId === undefined) return undefined;
  return put(client, userId, email === undefined ? fields : { ...fields, email });
}

/** Updates a contact; answers its id, or `undefined` when there is no contact under that identifier. */
export async function put(
  client: AudienceApi,
  identifier: string,
  changes: Changes,
): Promise<string | undefined> {
  try {
    if (Object.keys(changes).length === 0) return (await client.contacts.get(identifier)).id;
    return (await client.contacts.update(identifier, changes)).id ?? identifier;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/**
 * Brings the contact from what was declared to what is declared now. A new email and a new userId take two calls;
 * if only the first got through, or both did and nobody heard of it, running this again ends the same.
 *
 * @throws ResourceError when the contact is gone.
 */
export async function updateContact(
  id: string,
  oldOuts: Raw,
  raw: Raw,
  { client, host }: ContactContext,
): Promise<{ outs: ContactState }> {
  const before = inputsSchema.parse(oldOuts);
  const after = inputsSchema.parse(raw);
  const changes = fieldChanges(before, after);
  sayWhatStays(before, after, host);
  const email = after.email === before.email ? undefined : after.email;
  const userIdChanges = after.userId !== before.userId;
  const userId = after.userId ?? null;

  if (email !== undefined && userIdChanges) {
    if (before.userId === undefined) {
      // Without a userId there is no address under which the email could be changed: it comes first.
      await change(client, id, { ...before, also: after.userId }, after, { userId });
      await change(client, id, { userId: after.userId }, after, { ...changes, email });
    } else {
      await change(client, id, { userId: before.userId, also: email }, after, { ...changes, email });
      await change(client, id, { email }, after, { userId });
    }
  } else if (email !== undefined) {
    await change(client, id, { userId: after.userId, also: email }, after, { ...changes, email });
  } else if (userIdChanges) {
    await change(client, id, { ...before, also: after.userId }, after, { ...changes, userId });
  } else if (Object.keys(changes).length > 0) {
    await change(client, id, before, after, changes);
  }
  return { outs: after };
}

/**
 * One update, addressed by what the contact was known by; if nothing is found there, by what an earlier run may
 * have made of it, provided that it is the same contact.
 */
async function change(
  client: AudienceApi,
  id: string,
  address: { email?: string | undefined; userId?: string | undefined; also?: string | undefined },
  wanted: ContactState,
  changes: Changes,
): Promise<void> {
  // An email can only be changed under a userId.
  const known = 'email' in changes ? address.userId : (address.email ?? address.userId);
  const other = 'email' in changes ? undefined : address.userId;
  for (const identifier of new Set([known, other])) {
    if (identifier !== undefined && (await put(client, identifier, changes)) !== undefined) return;
  }
  if (address.also !== undefined && (await isSame(client, address.also, id))) {
    const { email, ...rest } = changes;
    // Found under the new email: what is left is all but the email.
    const left = address.also === email ? rest : changes;
    if (Object.keys(left).length === 0) return;
    if ((await put(client, address.also, left)) !== undefined) return;
  }
  throw new ResourceError(
    `Contact ${nameOf(wanted)} is gone from the service, so it could not be updated. Run 'pulumi refresh' to take it out of the state, then 'pulumi up'.`,
  );
}

async function isSame(client: AudienceApi, identifier: string, id: string): Promise<boolean> {
  return (await find(client, [identifier]))?.id === id;
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

/** What the service has of the declared fields, or `undefined` when the contact is gone. */
export async function readContact(
  raw: Raw,
  { client, host }: ContactContext,
): Promise<{ id: string; outs: ContactState } | undefined> {
  const state = inputsSchema.parse(raw);
  const contact = await find(client, [state.email, state.userId]);
  if (contact === undefined) {
    host.reporter.warn(
      `Contact ${nameOf(state)} is gone from the service and leaves the state. Remove it from the program, or run 'pulumi up' once the contact is there again.`,
    );
    return undefined;
  }
  return { id: contact.id, outs: asDeclared(state, contact) };
}

async function find(
  client: AudienceApi,
  identifiers: readonly (string | undefined)[],
): Promise<Contact | undefined> {
  for (const identifier of identifiers) {
    if (identifier === undefined) continue;
    try {
      return await client.contacts.get(identifier);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  return undefined;
}

/** The declared fields with the service's values; what is not declared is none of our business. */
function asDeclared(state: ContactState, contact: Contact): ContactState {
  const { subscribed: _, properties, subscriptionGroups, ...rest } = state;
  const texts: Record<string, string | undefined> = {};
  for (const name of [...TEXT_FIELDS, 'userId' as const]) {
    if (state[name] !== undefined) texts[name] = contact[name] ?? undefined;
  }
  if (state.email !== undefined) {
    const same = contact.email?.toLowerCase() === state.email.toLowerCase();
    texts['email'] = same ? state.email : (contact.email ?? undefined);
  }
  return inputsSchema.parse({
    ...rest,
    ...texts,
    ...(state.subscribed === false && contact.subscribed === false ? { subscribed: false } : {}),
    ...(subscriptionGroups === undefined
      ? {}
      : {
          subscriptionGroups: picked(
            subscriptionGroups,
            (id) => contact.subscriptionGroups?.[id] ?? undefined,
          ),
        }),
    ...(properties === undefined
      ? {}
      : { properties: picked(properties, (name, declared) => fieldValue(contact[name], declared)) }),
  });
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

/**
 * What becomes of the contact when it leaves the program: by `onDelete` it stays as it is (and the person is told
 * so), is unsubscribed, or loses the values that were declared.
 */
export async function deleteContact(raw: Raw, { client, host }: ContactContext): Promise<void> {
  const state = inputsSchema.parse(raw);
  const identifier = state.email ?? state.userId;
  if (identifier === undefined) return;
  switch (state.onDelete ?? 'retain') {
    case 'retain':
      host.reporter.warn(
        `Contact ${nameOf(state)} has left Pulumi's state only: the service has no call to delete a contact, so it stays there as it is. Set onDelete to 'unsubscribe' or 'clear' for more.`,
      );
      return;
    case 'unsubscribe':
      await put(client, identifier, { subscribed: false });
      return;
    case 'clear': {
      const cleared = fieldChanges(state, {});
      if (Object.keys(cleared).length > 0) await put(client, identifier, cleared);
      return;
    }
  }
}

function nameOf({ email, userId }: ContactFields): string {
  return email === undefined
    ? `'${userId ?? ''}'`
    : userId === undefined
      ? `'${email}'`
      : `'${email}' (userId '${userId}')`;
}
