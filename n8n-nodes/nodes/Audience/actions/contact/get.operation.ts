import type { Contact } from 'audience-core';
import type { IDataObject } from 'n8n-workflow';
import { toOutput } from '../list.js';
import type { Call, Item, Operation } from '../operation.js';
import { contactLocator, readContactLocator } from './contact-locator.js';

function prepare(item: Item): Call {
  const { identifier } = readContactLocator(item);
  const simplify = item.parameters.flag('simplify');
  return async () => {
    const contact = await item.session.api.contacts.get(identifier, { signal: item.signal });
    return [simplify ? simplified(contact) : toOutput(contact)];
  };
}

/** Fields that have a value, and the ids of the groups that the contact is subscribed to as a list. */
function simplified({ subscriptionGroups, ...fields }: Contact): IDataObject {
  const groups = Object.entries(subscriptionGroups ?? {}).filter(([, subscribed]) => subscribed);
  const filled = Object.entries(toOutput(fields)).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return { ...Object.fromEntries(filled), subscriptionGroups: groups.map(([id]) => id) };
}

/** Reads a contact. */
export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get contact',
  description: 'Retrieve a contact with all its fields',
  fields: [
    contactLocator('The contact to read'),
    {
      displayName: 'Simplify',
      name: 'simplify',
      type: 'boolean',
      default: true,
      description: 'Whether to return a simplified version of the response instead of the raw data',
    },
  ],
  prepare,
};
