import { canonicalJson } from 'audience-core/internal';
import { KEPT_FIELDS, type ContactRecord } from '../account/contact-record.js';
import type { EventRecord } from '../account/records.js';
import type { EmailSummary } from '../mail/email.js';

/** A value that is expected: itself, or an asymmetric matcher of jest or vitest such as `expect.any(String)`. */
export type Expected = unknown;

/** An email that is expected; only what is given must fit. */
export interface ExpectedEmail {
  /** Recipient's address; capital letters make no difference. */
  readonly to?: Expected;
  /** Id or name of the design, or name of the automation. */
  readonly design?: Expected;
  /** Subject, with its variables filled in. */
  readonly subject?: Expected;
  /** Name of the event that triggered it. */
  readonly eventName?: Expected;
  /** Idempotency key it was sent with. */
  readonly key?: Expected;
  /** Variables that were sent; others may have been sent too. */
  readonly variables?: Readonly<Record<string, Expected>>;
}

/** An event that is expected; only what is given must fit. */
export interface ExpectedEvent {
  readonly eventName?: Expected;
  readonly email?: Expected;
  readonly userId?: Expected;
  /** Idempotency key it was sent with. */
  readonly key?: Expected;
  /** Properties that were sent; others may have been sent too. */
  readonly eventProperties?: Readonly<Record<string, Expected>>;
}

/** A contact that is expected: fields by their names, custom properties among them. Only what is given must fit. */
export type ExpectedContact = Readonly<Record<string, Expected>>;

/** The fields of a thing by the names that expectations give them; each can have several values, as a design has. */
export type Fields = Readonly<Record<string, readonly unknown[]>>;

/** How each field of a thing is read. */
type Readers<Names extends string, Item> = Readonly<Record<Names, (item: Item) => readonly unknown[]>>;

const EMAIL: Readers<keyof ExpectedEmail, EmailSummary> = {
  to: ({ to }) => [to],
  design: ({ designName, transactionalId }) => [designName, transactionalId],
  subject: ({ subject }) => [subject],
  eventName: ({ eventName }) => [eventName],
  key: ({ idempotencyKey }) => [idempotencyKey],
  variables: ({ dataVariables }) => [dataVariables],
};

const EVENT: Readers<keyof ExpectedEvent, EventRecord> = {
  eventName: ({ name }) => [name],
  email: ({ email }) => [email],
  userId: ({ userId }) => [userId],
  key: ({ idempotencyKey }) => [idempotencyKey],
  eventProperties: ({ eventProperties }) => [eventProperties],
};

/** Maps with names that programs choose as they like. */
const FREE_MAPS: readonly string[] = ['variables', 'eventProperties'];

/** Fields whose values are maps. */
const MAPS: readonly string[] = [...FREE_MAPS, 'subscriptionGroups'];

export const EMAIL_NAMES: readonly string[] = Object.keys(EMAIL);

export const EVENT_NAMES: readonly string[] = Object.keys(EVENT);

/** Names of the fields of every contact; an account has custom properties beside them. */
export const CONTACT_NAMES: readonly string[] = ['id', ...KEPT_FIELDS, 'createdAt', 'updatedAt'];

export function emailFields(email: EmailSummary): Fields {
  return fieldsOf(EMAIL, email);
}

export function eventFields(event: EventRecord): Fields {
  return fieldsOf(EVENT, event);
}

/** Fields of a contact, with its custom properties beside the others; groups as `subscriptionGroups.id` too. */
export function contactFields({ properties, ...fields }: ContactRecord): Fields {
  const all = Object.entries({ ...fields, ...properties });
  return flat(all.map(([name, value]) => [name, [value]]));
}

function fieldsOf<Item>(readers: Readers<string, Item>, item: Item): Fields {
  return flat(Object.entries(readers).map(([name, read]) => [name, read(item)]));
}

/** With what is within maps by names of its own. */
function flat(fields: readonly (readonly [name: string, values: readonly unknown[]])[]): Fields {
  const inner = fields.flatMap(([name, values]) =>
    values
      .flatMap((value) => expectedFields({ [name]: value }))
      .filter(([key]) => key !== name)
      .map(([key, value]): [string, unknown[]] => [key, [value]]),
  );
  return Object.fromEntries([...fields, ...inner]);
}

/** What is expected, with what is within maps by names of its own: `variables.name`. */
export function expectedFields(expected: object): [name: string, value: unknown][] {
  return Object.entries(expected).flatMap(([name, value]: [string, unknown]): [string, unknown][] =>
    MAPS.includes(name) && isMap(value)
      ? Object.entries(value).map(([key, inner]) => [`${name}.${key}`, inner])
      : [[name, value]],
  );
}

/** Refuses what would fit everything or nothing. @throws TypeError that names the field */
export function checkExpected(noun: string, expected: unknown): void {
  if (!isMap(expected))
    throw new TypeError(`The ${noun} that is expected must be an object, such as { key: 'order-7' }.`);
  for (const [name, value] of expectedFields(expected)) {
    if (value === undefined)
      throw new TypeError(`'${name}' is undefined; remove it, or give null for what is not set.`);
    if (isMatcher(value)) continue;
    if (MAPS.includes(name))
      throw new TypeError(`'${name}' must be an object such as { plan: 'pro' }, or a matcher.`);
    if (isFree(name) && (isMap(value) || Array.isArray(value))) continue;
    if (isMap(value))
      throw new TypeError(`'${name}' cannot be an object. Only ${MAPS.join(', ')} can be objects.`);
    if (typeof value === 'object' && value !== null)
      throw new TypeError(
        `'${name}' must be a text, a number, true, false, null, or a matcher such as expect.stringMatching(/Ada/).`,
      );
  }
}

/** Refuses names that nothing can have. @throws TypeError that names one, and those that there are */
export function checkNames(noun: string, expected: object, known: readonly string[]): void {
  for (const [name] of expectedFields(expected)) {
    if (known.includes(name) || isFree(name)) continue;
    const there = known.filter((other) => other.includes('.') === name.includes('.'));
    throw new TypeError(
      `'${name}' is not a field of ${noun}; its fields are ${there.length === 0 ? 'none' : there.join(', ')}.`,
    );
  }
}

/** Whether a name is within a map whose names and values programs choose as they like. */
function isFree(name: string): boolean {
  return FREE_MAPS.some((map) => name.startsWith(`${map}.`));
}

/** Whether one of the values of a field is the one that is expected. We assume that addresses have no case. */
export function fits(name: string, values: readonly unknown[] | undefined, expected: unknown): boolean {
  const ignoresCase = name === 'to' || name === 'email';
  const fold = (value: unknown) =>
    ignoresCase && typeof value === 'string' ? value.toLowerCase() : (value ?? null);
  return (values ?? [null]).some((value) =>
    isMatcher(expected)
      ? expected.asymmetricMatch(value)
      : fold(value) === fold(expected) || isSameList(value, expected),
  );
}

/** Whether lists or objects have the same content. */
function isSameList(value: unknown, expected: unknown): boolean {
  if (typeof value !== 'object' || typeof expected !== 'object') return false;
  return canonicalJson(value) === canonicalJson(expected);
}

interface Matcher {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher?(): string;
  /** What it compares with, where it does. */
  readonly sample?: unknown;
  toString(): string;
}

export function isMatcher(value: unknown): value is Matcher {
  return (
    typeof value === 'object' &&
    value !== null &&
    'asymmetricMatch' in value &&
    typeof value.asymmetricMatch === 'function'
  );
}

/** Whether a value is an object that holds values by name, and nothing else. */
function isMap(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isMatcher(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Not by identity: test runners have an Object of their own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
