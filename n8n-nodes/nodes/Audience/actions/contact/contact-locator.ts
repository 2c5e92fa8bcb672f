import { contactIdentifierSchema, emailSchema, validate } from 'audience-core/contract';
import type { INodeProperties } from 'n8n-workflow';
import { showFor } from '../common.descriptions.js';
import type { Item } from '../operation.js';

/** The field that says which contact is meant. */
export function contactLocator(operation: string, description: string): INodeProperties {
  return {
    displayName: 'Contact',
    name: 'contact',
    type: 'resourceLocator',
    default: { mode: 'email', value: '' },
    required: true,
    description,
    modes: [
      {
        displayName: 'By Email',
        name: 'email',
        type: 'string',
        placeholder: 'e.g. nathan@example.com',
      },
      {
        displayName: 'By User ID',
        name: 'userId',
        type: 'string',
        placeholder: 'e.g. user-42',
        hint: 'The ID that your own system gave the person',
      },
    ],
    displayOptions: showFor('contact', operation),
  };
}

/**
 * The contact's identifier, and whether it is an email address.
 *
 * @throws ValidationError for an identifier that no contact can have.
 */
export function readContactLocator(item: Item): { identifier: string; isEmail: boolean } {
  const { mode, value } = item.parameters.locator('contact', 'Contact');
  const isEmail = mode === undefined ? value.includes('@') : mode === 'email';
  const what = `The contact '${value}' cannot be addressed`;
  validate(
    { email: emailSchema, userId: contactIdentifierSchema }[isEmail ? 'email' : 'userId'],
    value,
    what,
  );
  return { identifier: value, isEmail };
}
