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
  const { variables } = message;
  return put(account, design, {
    to: message.to,
    transactionalId: design.id,
    eventId: null,
    eventName: null,
    contactId: message.contactId,
    dataVariables: variables,
    surplusVariables: Object.keys(variables).filter((name) => !design.dataVariables.includes(name)),
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
  return put(account, automation, {
    to: contact.email,
    transactionalId: null,
    eventId: event.id,
    eventName: event.name,
    contactId: contact.id,
    dataVariables: variables,
    surplusVariables: [],
    idempotencyKey: event.idempotencyKey,
  });
}

function put(
  account: Account,
  source: DesignRecord | AutomationRecord,
  message: Omit<
    EmailRecord,
    'id' | 'time' | 'subject' | 'designName' | 'missingVariables' | 'read' | 'templateId'
  >,
): EmailRecord {
  const template = account.templates.get(source.templateId);
  const { dataVariables } = message;
  // Field by field: an object that is spread into another has a shape of its own, as large as the mail.
  return account.emails.put({
    id: account.nextId('email'),
    time: account.clock.timestamp(),
    to: message.to,
    subject: template === undefined ? source.name : renderSubject(template, dataVariables),
    transactionalId: message.transactionalId,
    designName: source.name,
    eventId: message.eventId,
    eventName: message.eventName,
    contactId: message.contactId,
    dataVariables,
    missingVariables: source.dataVariables.filter((name) => !Object.hasOwn(dataVariables, name)),
    surplusVariables: message.surplusVariables,
    idempotencyKey: message.idempotencyKey,
    read: false,
    templateId: source.templateId,
  });
}

function contactVariables(contact: ContactRecord): Variables {
  const fields = KEPT_FIELDS.map((name): [string, unknown] => [name, Reflect.get(contact, name)]);
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string');
  return { ...contact.properties, ...Object.fromEntries(texts) };
}
