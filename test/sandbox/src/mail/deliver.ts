import type { Account } from '../account/account.js';
import { KEPT_FIELDS, type ContactRecord } from '../account/contact-record.js';
import type { AutomationRecord, DesignRecord, EmailRecord, EventRecord } from '../account/records.js';
import { renderSubject, variablesOf, type Variables } from './template.js';

/** Puts the mail of a design into the inbox, or that of an automation with the event that triggered it. */
export function deliver(
  account: Account,
  source: DesignRecord | AutomationRecord,
  message: Pick<EmailRecord, 'to' | 'contactId' | 'variables' | 'key'>,
  event?: Omit<EventRecord, 'triggered'>,
): EmailRecord {
  const template = account.templates.get(source.templateId);
  const { variables } = message;
  const isKnown = (name: string) =>
    source.dataVariables.includes(name) ||
    (template !== undefined && variablesOf(template.subject, template.body).used.includes(name));
  const surplus = Object.keys(variables).filter((name) => !isKnown(name));
  // Field by field: an object that is spread into another gets its own shape, as large as the email.
  return account.emails.put({
    id: account.nextId('email'),
    time: account.clock.timestamp(),
    to: message.to,
    subject: template === undefined ? source.name : renderSubject(template, variables),
    transactionalId: event === undefined ? source.id : null,
    design: source.name,
    eventId: event?.id ?? null,
    eventName: event?.name ?? null,
    contactId: message.contactId,
    variables,
    missingVariables: source.dataVariables.filter((name) => !Object.hasOwn(variables, name)),
    // What an event carries beyond the template is no mistake.
    surplusVariables: event === undefined ? surplus : [],
    key: message.key,
    read: false,
    templateId: source.templateId,
  });
}

/** The contact's own fields, which an automation's mail can show. */
export function contactVariables(contact: ContactRecord): Variables {
  const fields = KEPT_FIELDS.map((name): [string, unknown] => [name, Reflect.get(contact, name)]);
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string');
  return { ...contact.properties, ...Object.fromEntries(texts) };
}
