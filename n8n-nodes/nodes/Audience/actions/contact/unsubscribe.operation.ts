import type { Call, Item, Operation } from '../operation.js';
import { contactLocator, readContactLocator } from './contact-locator.js';

function prepare(item: Item): Call {
  const { identifier, named } = readContactLocator(item);
  item.noteContact(named);
  return async () => {
    const { api } = item.session;
    await api.contacts.update(identifier, { subscribed: false }, { signal: item.signal });
    return [{ success: true, contact: identifier, subscribed: false }];
  };
}

/** Unsubscribes a contact from everything. */
export const unsubscribe: Operation = {
  value: 'unsubscribe',
  name: 'Unsubscribe',
  action: 'Unsubscribe contact',
  description: 'Unsubscribe a contact from all emails; only the contact can turn that back on',
  fields: [contactLocator('The contact to unsubscribe; it has to exist already')],
  output: { success: 'boolean', contact: 'string', subscribed: 'boolean' },
  prepare,
};
