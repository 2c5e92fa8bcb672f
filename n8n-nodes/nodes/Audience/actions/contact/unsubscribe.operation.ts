import { NotFoundError } from 'audience-core';
import type { Call, Item, Operation } from '../operation.js';
import { updatingCall } from '../updating.js';
import { contactLocator, readContactLocator } from './contact-locator.js';

function prepare(item: Item): Call {
  const { identifier, named } = readContactLocator(item);
  item.noteContact(named);
  const output = { success: true, contact: identifier, subscribed: false };
  return updatingCall(item, { identifier, body: { subscribed: false } }, output, async (changed) => {
    await item.session.api.contacts
      .update(identifier, changed, { signal: item.signal })
      .catch((error: unknown) => Promise.reject(explained(error, identifier)));
    return output;
  });
}

/** Nobody is told to create a contact in order to unsubscribe it. */
function explained(error: unknown, identifier: string): Error {
  if (error instanceof NotFoundError && !error.unclear) {
    const message = `Could not unsubscribe contact '${identifier}': there is no such contact (404). Check the email or User ID.`;
    return new NotFoundError(message, error);
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** Unsubscribes a contact from everything. */
export const unsubscribe: Operation = {
  value: 'unsubscribe',
  name: 'Unsubscribe',
  action: 'Unsubscribe contact',
  description:
    'Unsubscribe a contact from all mailings, for good: only the contact can turn it back on. An email of Email > Send may still go out.',
  fields: [
    contactLocator('The contact to unsubscribe; it has to exist already'),
    {
      displayName:
        "Unsubscribes from all mailings, for good: only the contact can turn it back on. What Email > Send sends goes out all the same. For one group, use Contact > Update and 'Unsubscribe From Groups'.",
      name: 'unsubscribeNotice',
      type: 'notice',
      default: '',
    },
  ],
  output: { success: 'boolean', contact: 'string', subscribed: 'boolean' },
  prepare,
};
