import type { Account } from '../account/account.js';
import { KEPT_FIELDS } from '../account/contact-record.js';
import type { ContactRecord } from '../account/contact-record.js';
import type { AutomationRecord, DesignRecord, EmailRecord, EventRecord } from '../account/records.js';
import { renderSubject } from './template.js';
import type { Variables } from './template.js';

/** Puts the mail of a design into the inbox. */
export function deliver(
  account: Account,
  design: DesignRecord,
  message: {
    readonly to: string;
    readonly variables: Variables;
    readonly contactId: string | null;
    readonly idempotencyKey: string | null;
  },
): EmailRecord {
  return account.emails.put({
    ...envelope(account, design, message.to, message.variables),
    transactionalId: design.id,
    eventId: null,
    eventName: null,
    contactId: message.contactId,
    surplusVariables: Object.keys(message.variables).filter((name) => !design.dataVariables.includes(name)),
    idempotencyKey: message.idempotencyKey,
  });
}

/**
 * Puts the mail of an automation into the inbox. Its variables are the event's properties, and beside them the
 * contact's own fields. What an event carries beyond the template is no mistake, so nothing is surplus here.
 */
export function deliverTriggered(
  account: Account,
  automation: AutomationRecord,
  event: Omit<EventRecord, 'triggered'>,
  contact: ContactRecord & { readonly email: string },
): EmailRecord {
  const variables = { ...contactVariables(contact), ...event.eventProperties };
  return account.emails.put({
    ...envelope(account, automation, contact.email, variables),
    transactionalId: null,
    eventId: event.id,
    eventName: event.name,
    contactId: contact.id,
    surplusVariables: [],
    idempotencyKey: event.idempotencyKey,
  });
}

function envelope(
  account: Account,
  source: DesignRecord | AutomationRecord,
  to: string,
  variables: Variables,
) {
  const template = account.templates.get(source.templateId);
  return {
    id: account.nextId('email'),
    time: account.clock.timestamp(),
    to,
    subject: template === undefined ? source.name : renderSubject(template, variables),
    designName: source.name,
    dataVariables: variables,
    missingVariables: source.dataVariables.filter((name) => !Object.hasOwn(variables, name)),
    read: false,
    templateId: source.templateId,
  };
}

function contactVariables(contact: ContactRecord): Variables {
  const fields = KEPT_FIELDS.map((name): [string, unknown] => [name, Reflect.get(contact, name)]);
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string');
  return { ...contact.properties, ...Object.fromEntries(texts) };
}
