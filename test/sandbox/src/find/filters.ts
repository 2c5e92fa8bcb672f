import * as z from 'zod/mini';

const text = z.optional(z.string());
const textOrNone = z.optional(z.nullable(z.string()));
const PLAIN = 'must be a plain value, not undefined and not a matcher; compare the result with expect()';
const json = z.json();
const plain = z.unknown().check(z.refine((value) => json.safeParse(value).success, PLAIN));
const values = z.optional(z.record(z.string(), plain));

export const emailFilterSchema = z.strictObject({
  /** Recipient's address; capital letters make no difference. */
  to: text,
  /** Id or name of a design, or name of an automation; it must exist. */
  design: text,
  /** Subject, with its variables filled in. */
  subject: text,
  /** Name of the event that triggered it. */
  eventName: textOrNone,
  /** Idempotency key that it was sent with. */
  key: textOrNone,
  /** Variables and their values; the email may have others too. */
  variables: values,
  /** Id of an email: only those after it. */
  after: text,
});

/** Which emails: all that is given must fit; `null` stands for what is not set. */
export type EmailFilter = z.input<typeof emailFilterSchema>;

export const eventFilterSchema = z.strictObject({
  id: text,
  name: text,
  email: textOrNone,
  userId: textOrNone,
  /** Idempotency key that it was sent with. */
  key: textOrNone,
  /** Properties and their values; the event may have others too. */
  properties: values,
  /** Id of an event: only those after it. */
  after: text,
});

/** Which events: all that is given must fit; `null` stands for what is not set. */
export type EventFilter = z.input<typeof eventFilterSchema>;
