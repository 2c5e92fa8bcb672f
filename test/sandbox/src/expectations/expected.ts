import type { ContactRecord } from '../account/contact-record.js';
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

/** Fields of an email, by the names in {@link ExpectedEmail}; variables as `variables.name`. */
export function emailFields(email: EmailSummary): Fields {
  return {
    to: [email.to],
    design: [email.designName, email.transactionalId],
    subject: [email.subject],
    eventName: [email.eventName],
    key: [email.idempotencyKey],
    ...nested('variables', email.dataVariables),
  };
}

/** Fields of an event, by the names in {@link ExpectedEvent}; properties as `eventProperties.name`. */
export function eventFields(event: EventRecord): Fields {
  return {
    eventName: [event.name],
    email: [event.email],
    userId: [event.userId],
    key: [event.idempotencyKey],
    ...nested('eventProperties', event.eventProperties),
  };
}

/** Fields of a contact, with its custom properties beside the others; groups as `subscriptionGroups.id`. */
export function contactFields({ properties, subscriptionGroups, ...fields }: ContactRecord): Fields {
  return {
    ...Object.fromEntries(
      Object.entries({ ...fields, ...properties }).map(([name, value]) => [name, [value]]),
    ),
    ...nested('subscriptionGroups', subscriptionGroups),
  };
}

/** What is expected, flat as {@link Fields} are. */
export function expectedFields(expected: object): [name: string, value: unknown][] {
  return Object.entries(expected).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    if (value === undefined) return [];
    const isMap = typeof value === 'object' && value !== null && !isMatcher(value);
    return isMap ? expectedFields(value).map(([key, inner]) => [`${name}.${key}`, inner]) : [[name, value]];
  });
}

/** Whether one of the values of a field is the one that is expected. Addresses are compared as the service does. */
export function fits(name: string, values: readonly unknown[] | undefined, expected: unknown): boolean {
  const ignoresCase = name === 'to' || name === 'email';
  const fold = (value: unknown) =>
    ignoresCase && typeof value === 'string' ? value.toLowerCase() : (value ?? null);
  return (values ?? [null]).some((value) =>
    isMatcher(expected) ? expected.asymmetricMatch(value) : fold(value) === fold(expected),
  );
}

/** An asymmetric matcher of jest or vitest. */
interface Matcher {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher?(): string;
  toString(): string;
}

/** Whether a value is an asymmetric matcher rather than data. */
export function isMatcher(value: unknown): value is Matcher {
  return (
    typeof value === 'object' &&
    value !== null &&
    'asymmetricMatch' in value &&
    typeof value.asymmetricMatch === 'function'
  );
}

function nested(name: string, values: Readonly<Record<string, unknown>>): Fields {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${name}.${key}`, [value]]));
}
