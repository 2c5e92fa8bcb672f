import { contract } from 'audience-core/internal';
import type { Account } from '../account/account.js';
import type { ContactRecord } from '../account/contact-record.js';
import type { AutomationRecord, EventRecord } from '../account/records.js';
import { contactVariables, deliver } from '../mail/deliver.js';
import { checkContactValues } from './contact-values.js';
import { matchContact } from './match-contact.js';
import { DONE, operation } from './operation.js';

const sendEvent = operation(contract.sendEvent, (account, request) => {
  const { eventName, eventProperties } = request.body;
  const properties = checkContactValues(account, request.body, ['eventName', 'eventProperties']);
  const contact = matchContact(account, request.body, properties, request.profile);
  const event = {
    id: account.nextId('event'),
    time: account.clock.timestamp(),
    name: eventName,
    contactId: contact.id,
    email: contact.email,
    userId: contact.userId,
    properties: eventProperties ?? {},
    key: request.idempotencyKey,
  };
  const triggered = [...account.automations.values()]
    .filter((automation) => automation.eventName === eventName)
    .map((automation) => trigger(account, automation, event, contact));
  account.events.put({ ...event, triggered });
  return DONE;
});

function trigger(
  account: Account,
  automation: AutomationRecord,
  event: Omit<EventRecord, 'triggered'>,
  contact: ContactRecord,
): EventRecord['triggered'][number] {
  const about = { automationId: automation.id, automationName: automation.name };
  const { email } = contact;
  if (email === null) return { ...about, emailId: null, skipped: 'The contact has no email address.' };
  if (!contact.subscribed) return { ...about, emailId: null, skipped: 'The contact is unsubscribed.' };
  const variables = { ...contactVariables(contact), ...event.properties };
  const { key } = event;
  const message = { to: email, contactId: contact.id, variables, key };
  const sent = deliver(account, automation, message, event);
  return { ...about, emailId: sent.id, skipped: null };
}

export const eventOperations = { sendEvent };
