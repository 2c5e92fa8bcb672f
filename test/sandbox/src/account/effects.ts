import { fieldsSetBy } from 'audience-core/internal';
import type { Account } from './account.js';
import type { ContactRecord } from './contact-record.js';
import { NO_EFFECTS, type Effects } from './records.js';

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
