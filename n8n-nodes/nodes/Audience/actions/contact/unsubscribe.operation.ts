import { NotFoundError } from 'audience-core';
import type { Call, Item, Operation, Prepared } from '../../run/operation.js';
import { field } from '../fields.js';
import { contactLocator, IF_NOT_FOUND, readContactLocator, unlessNotFound } from './contact-locator.js';

function prepare(item: Item): Prepared {
  const { identifier, named } = readContactLocator(item);
  const unsubscribe: Call = async ({ options }) => {
    await item.session.api.contacts
      .update(identifier, { subscribed: false }, options)
      .catch((error: unknown) => Promise.reject(explained(error, identifier)));
    return [{ success: true, contact: identifier, subscribed: false }];
  };
  return { call: unlessNotFound(item, unsubscribe), contact: named };
}

/** The error does not advise to create a contact in order to unsubscribe it. */
function explained(error: unknown, identifier: string): Error {
  if (error instanceof NotFoundError && !error.unclear) {
    const message = `Could not unsubscribe contact '${identifier}': there is no such contact (404). Check the email or User ID, or set 'If Not Found' to 'Return an Empty Item'.`;
    return new NotFoundError(message, error);
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** Unsubscribes a contact from everything. */
export const unsubscribe: Operation = {
  value: 'unsubscribe',
  name: 'Unsubscribe',
  action: 'Unsubscribe contact',
  description: 'Unsubscribe a contact from all mailings, for good: only the contact can turn it back on',
  kind: 'writes',
  fields: [
    contactLocator('The contact to unsubscribe'),
    IF_NOT_FOUND,
    field(
      'notice',
      'Unsubscribes from all mailings, for good. Transactional emails are still sent. For one group, use Contact > Update.',
      'unsubscribeNotice',
    ),
  ],
  output: { success: 'boolean', contact: 'string', subscribed: 'boolean' },
  prepare,
};
