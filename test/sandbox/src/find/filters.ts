import * as z from 'zod/mini';

const text = z.optional(z.nullable(z.string()));
const PLAIN = 'must be a plain value, not undefined and not a matcher; compare the result with expect()';
const json = z.json();
const plain = z.unknown().check(z.refine((value) => json.safeParse(value).success, PLAIN));
const values = z.optional(z.record(z.string(), plain));

export const emailFilterSchema = z.strictObject({
  /** Recipient's address; capital letters make no difference. */
  to: text,
  /** Id or name of the design, or name of the automation. */
  design: text,
  /** Subject, with its variables filled in. */
  subject: text,
  /** Name of the event that triggered it. */
  eventName: text,
  /** Idempotency key that it was sent with. */
  key: text,
  /** Variables and their values; the email may have others too. */
  variables: values,
});

/** Which emails: all that is given must fit; `null` stands for what is not set. */
export type EmailFilter = z.input<typeof emailFilterSchema>;

export const eventFilterSchema = z.strictObject({
  id: text,
  name: text,
  email: text,
  userId: text,
  /** Idempotency key that it was sent with. */
  key: text,
  /** Properties and their values; the event may have others too. */
  properties: values,
});

/** Which events: all that is given must fit; `null` stands for what is not set. */
export type EventFilter = z.input<typeof eventFilterSchema>;
