import { fieldsSetBy } from 'audience-core/internal';
import * as z from 'zod/mini';
import type { Account } from './account.js';
import type { ContactRecord } from './contact-record.js';

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

/** What a call did to the account. */
export type Effects = z.infer<typeof effectsSchema>;

/** What happened to a contact, in order. */
export const timelineSchema = z.object({
  items: z.array(
    z.object({
      time: z.string(),
      kind: z.enum(['created', 'changed', 'event', 'email']),
      /** Id of the event or the mail; of the contact for what changed it. */
      id: z.string(),
      /** Name of the event, or subject of the mail. */
      title: z.string(),
      changes: changesSchema,
      /** The call behind it; null when it is not in the log (any more). */
      requestId: z.nullable(z.string()),
    }),
  ),
});

/** Something that happened to a contact. */
export type TimelineEntry = z.infer<typeof timelineSchema>['items'][number];

/** What a call did that only read, or that was refused. */
export const NO_EFFECTS: Effects = { emails: [], events: [], contact: null };

/** Does something, at once, and gives what it did to the account beside its result. */
export function withEffects<Result>(
  account: Account,
  act: () => Result,
): { result: Result; effects: Effects } {
  const emails: string[] = [];
  const events: string[] = [];
  let contact: Changed | undefined;
  const stop = [
    account.emails.watch((email) => {
      if (email !== undefined) emails.push(email.id);
    }),
    account.events.watch((event) => {
      if (event !== undefined) events.push(event.id);
    }),
    account.contacts.watch((after, before) => (contact = { before: contact?.before ?? before, after })),
  ];
  try {
    const result = act();
    const isIdle = contact === undefined && emails.length === 0 && events.length === 0;
    return { result, effects: isIdle ? NO_EFFECTS : { emails, events, contact: changesOf(contact) } };
  } finally {
    for (const end of stop) end();
  }
}

/** A contact before and after; one that is new, or deleted, has one of the two. */
interface Changed {
  readonly before: ContactRecord | undefined;
  readonly after: ContactRecord | undefined;
}

function changesOf(contact: Changed | undefined): Effects['contact'] {
  const id = (contact?.after ?? contact?.before)?.id;
  if (contact === undefined || id === undefined) return null;
  const [before, after] = [fieldsOf(contact.before), fieldsOf(contact.after)];
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, before: valueOf(before, field), after: valueOf(after, field) }))
    .filter((change) => change.before !== change.after);
  return { id, isNew: contact.before === undefined, changes };
}

/** Fields that have one value each. */
const STANDARD_FIELDS = fieldsSetBy('updateContact').filter((name) => name !== 'subscriptionGroups');

/** The fields and properties of a contact by name, without ids and times. */
function fieldsOf(contact: ContactRecord | undefined): Readonly<Record<string, unknown>> {
  if (contact === undefined) return {};
  const { subscriptionGroups, properties, ...standard } = contact;
  const known: Readonly<Record<string, unknown>> = standard;
  const groups = Object.entries(subscriptionGroups).map(([id, value]): [string, boolean] => [
    `subscriptionGroups.${id}`,
    value,
  ]);
  return {
    ...Object.fromEntries(STANDARD_FIELDS.map((name) => [name, known[name]])),
    ...properties,
    ...Object.fromEntries(groups),
  };
}

function valueOf(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
}
