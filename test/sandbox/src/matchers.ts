import { AssertionError } from 'node:assert';
import type { ContactRecord } from './account/contact-record.js';
import type { EventRecord } from './account/records.js';
import type { EmailSummary } from './mail/email.js';
import {
  arrival,
  contactKind,
  describeMet,
  describeUnmet,
  emailKind,
  eventKind,
  type Kind,
  type Patience,
  type Target,
} from './expectations/arrivals.js';
import type { ExpectedContact, ExpectedEmail, ExpectedEvent } from './expectations/expected.js';

export type { Patience, Target } from './expectations/arrivals.js';
export type { ExpectedContact, ExpectedEmail, ExpectedEvent } from './expectations/expected.js';
export type { ContactRecord } from './account/contact-record.js';
export type { EventRecord } from './account/records.js';
export type { EmailSummary } from './mail/email.js';

interface Result {
  readonly pass: boolean;
  readonly message: () => string;
}

interface Context {
  readonly isNot?: boolean;
}

async function matches<Item>(
  { isNot = false }: Context,
  kind: Kind<Item>,
  target: Target,
  expected: object,
  patience: Patience | undefined,
): Promise<Result> {
  const found = await arrival(kind, 'expect()', target, expected, patience, isNot);
  return found.isMet
    ? { pass: true, message: () => describeMet(kind, found) }
    : { pass: false, message: () => describeUnmet(kind, found, expected, patience?.times) };
}

/**
 * Matchers for `expect.extend` of jest and vitest. What is expected is a running sandbox, or the base URL of one:
 * `await expect(sandbox).toHaveReceivedEmail({ to: 'ada@example.com', design: 'Welcome' })`.
 *
 * They wait up to two seconds, or `timeoutMs`, until it is there. With `.not`, and beyond `times`, they watch for 200 ms,
 * or `timeoutMs`, that none comes.
 */
export const matchers = {
  /** An email was sent, by a design or by an automation. */
  toHaveReceivedEmail(this: Context, target: Target, expected: ExpectedEmail = {}, patience?: Patience) {
    return matches(this, emailKind, target, expected, patience);
  },
  /** An event was sent. */
  toHaveReceivedEvent(this: Context, target: Target, expected: ExpectedEvent = {}, patience?: Patience) {
    return matches(this, eventKind, target, expected, patience);
  },
  /** There is such a contact. */
  toHaveContact(this: Context, target: Target, expected: ExpectedContact = {}, patience?: Patience) {
    return matches(this, contactKind, target, expected, patience);
  },
};

type Assertion<Expected, Item> = (target: Target, expected?: Expected, patience?: Patience) => Promise<Item>;

function assertion<Item>(kind: Kind<Item>): Assertion<object, Item> {
  return async (target, expected = {}, patience) => {
    const found = await arrival(kind, 'The assertion', target, expected, patience);
    const [newest] = found.fitting;
    if (found.isMet && newest !== undefined) return newest;
    throw new AssertionError({ message: describeUnmet(kind, found, expected, patience?.times) });
  };
}

/**
 * For `node:test` and any other runner: gives the newest email that fits, as soon as it is there.
 *
 * @throws AssertionError that shows the nearest email that came
 */
export const assertReceivedEmail: Assertion<ExpectedEmail, EmailSummary> = assertion(emailKind);

/** The same for an event. @throws AssertionError that shows the nearest event that came */
export const assertReceivedEvent: Assertion<ExpectedEvent, EventRecord> = assertion(eventKind);

/** The same for a contact. @throws AssertionError that shows the nearest contact that is there */
export const assertContact: Assertion<ExpectedContact, ContactRecord> = assertion(contactKind);

/** The {@link matchers} as types, for the declarations of a test runner. */
export interface SandboxMatchers {
  toHaveReceivedEmail(expected?: ExpectedEmail, patience?: Patience): Promise<void>;
  toHaveReceivedEvent(expected?: ExpectedEvent, patience?: Patience): Promise<void>;
  toHaveContact(expected?: ExpectedContact, patience?: Patience): Promise<void>;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
    interface Matchers<R, T> extends SandboxMatchers {}
  }
}
