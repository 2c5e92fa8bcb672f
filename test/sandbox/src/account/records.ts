import { isRecord, propertyTypeSchema } from 'audience-core/internal';
import * as z from 'zod/mini';

const timestamp = z.string();
const values = z.record(z.string(), z.unknown());

/** From when to when something does not show yet, in milliseconds since 1970. */
export const hiddenSchema = z.optional(z.object({ from: z.number(), until: z.number() }));

/** Something that may not show yet. */
export interface Hideable {
  readonly hidden?: z.output<typeof hiddenSchema>;
}

/** Subject and body (HTML) of a mail, with `{{variables}}`; named by a hash of its content, so it never changes. */
export const templateRecordSchema = z.object({ id: z.string(), subject: z.string(), body: z.string() });
export type TemplateRecord = z.infer<typeof templateRecordSchema>;

/** A transactional email design. `position` grows with each new design and is what cursors point at. */
export const designRecordSchema = z.object({
  id: z.string(),
  position: z.int(),
  name: z.string(),
  lastUpdated: timestamp,
  dataVariables: z.array(z.string()),
  templateId: z.string(),
});
export type DesignRecord = z.infer<typeof designRecordSchema>;

/** A mail that goes out when an event of a name arrives. */
export const automationRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  eventName: z.string(),
  dataVariables: z.array(z.string()),
  templateId: z.string(),
});
export type AutomationRecord = z.infer<typeof automationRecordSchema>;

export const groupRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
});
/** A custom contact property; its id is its key. */
export const propertyRecordSchema = z.object({
  id: z.string(),
  label: z.string(),
  type: propertyTypeSchema,
  hidden: hiddenSchema,
});
/** An email as the recipient would get it. */
export const emailRecordSchema = z.object({
  id: z.string(),
  time: timestamp,
  to: z.string(),
  subject: z.string(),
  /** The design that was sent; null for a mail of an automation. */
  transactionalId: z.nullable(z.string()),
  /** Name of the design, or of the automation. */
  design: z.string(),
  /** Event that triggered the mail; null for a transactional one. */
  eventId: z.nullable(z.string()),
  eventName: z.nullable(z.string()),
  contactId: z.nullable(z.string()),
  /** Values of the variables, as they were sent. */
  variables: values,
  /** Variables that the template expects and the sender did not give. */
  missingVariables: z.array(z.string()),
  /** Variables that the sender gave and the template does not know. */
  surplusVariables: z.array(z.string()),
  /** Idempotency key that it was sent with. */
  key: z.nullable(z.string()),
  read: z.boolean(),
  templateId: z.string(),
});
export type EmailRecord = z.infer<typeof emailRecordSchema>;

/** What an event did at one automation: the mail it sent, or why it sent none. */
const triggeredSchema = z.object({
  automationId: z.string(),
  automationName: z.string(),
  emailId: z.nullable(z.string()),
  skipped: z.nullable(z.string()),
});

export const eventRecordSchema = z.object({
  id: z.string(),
  time: timestamp,
  name: z.string(),
  contactId: z.string(),
  email: z.nullable(z.string()),
  userId: z.nullable(z.string()),
  properties: values,
  /** Idempotency key that it was sent with. */
  key: z.nullable(z.string()),
  triggered: z.array(triggeredSchema),
});
export type EventRecord = z.infer<typeof eventRecordSchema>;

export const keyRecordSchema = z.object({
  id: z.string(),
  fingerprint: z.string(),
  /** When it is forgotten, in milliseconds since 1970. */
  until: z.number(),
  /** Result of the call. */
  response: z.unknown(),
  /** Response to a failed call, where a failed call uses its key. */
  failure: z.optional(
    z.readonly(
      z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.optional(z.unknown()) }),
    ),
  ),
});
export type KeyRecord = z.infer<typeof keyRecordSchema>;

const fieldChangeSchema = z.object({
  /** Name of the field or custom property; of a subscription group `subscriptionGroups.<id>`. */
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});

const changesSchema = z.readonly(z.array(fieldChangeSchema));

/** What a call did to the account: the mails and the event that it made, and what it changed of a contact. */
export const effectsSchema = z.object({
  emails: z.readonly(z.array(z.string())),
  events: z.readonly(z.array(z.string())),
  contact: z.nullable(z.object({ id: z.string(), isNew: z.boolean(), changes: changesSchema })),
});
export type Effects = z.infer<typeof effectsSchema>;

/** What a call did that only read, or that was refused. */
export const NO_EFFECTS: Effects = { emails: [], events: [], contact: null };

/** A call that the service received. The Authorization header is never part of it. */
export const requestLogEntrySchema = z.object({
  id: z.string(),
  time: timestamp,
  /** Time until the response, in milliseconds. */
  durationMs: z.number(),
  method: z.string(),
  /** Path and query, as sent. */
  path: z.string(),
  /** Name of the endpoint in the contract; null when the path is none of them. */
  route: z.nullable(z.string()),
  /** Status of the response; null when the connection was cut or left hanging. */
  status: z.nullable(z.int()),
  /** Idempotency key that it was sent with. */
  key: z.nullable(z.string()),
  /** Body as JSON, or as text where it was none. */
  requestBody: z.unknown(),
  responseBody: z.unknown(),
  /** What was made to go wrong; null when nothing was. */
  fault: z.nullable(z.string()),
  /** Whether the service applied the call, even if the response says otherwise. */
  applied: z.boolean(),
  /** Whether the response is that of an earlier call with the same idempotency key. */
  replayed: z.boolean(),
  /** What it did to the account. */
  effects: z._default(effectsSchema, NO_EFFECTS),
});
export type RequestLogEntry = z.infer<typeof requestLogEntrySchema>;

/** The email address and the userId that the body of a call names. */
export function identifiersIn(body: unknown): readonly string[] {
  const named = isRecord(body) ? body : {};
  return [named['email'], named['userId']].filter((text) => typeof text === 'string');
}

/** Last number given to each kind of id, so that no id is given twice. */
export const counterRecordSchema = z.object({ id: z.string(), last: z.int() });
