import { canAddress, contactIdentifierSchema, emailSchema, validate } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import * as z from 'zod/mini';
import { InputProblem } from '../../helpers/errors.js';
import type { Identifiers } from '../../run/item-contacts.js';
import type { Item } from '../operation.js';

/** The field that says which contact is meant. */
export function contactLocator(description: string): INodeProperties {
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
  };
}

/**
 * The contact's identifier, and which of the two it is.
 *
 * @throws ValidationError for an identifier that no contact can have.
 */
export function readContactLocator(item: Item): {
  identifier: string;
  isEmail: boolean;
  named: Identifiers;
} {
  const { mode, value } = item.parameters.locator('contact', 'person');
  const isEmail = mode === undefined ? value.includes('@') : mode === 'email';
  const problem = `The User ID '${value}' leads to whoever has that email address, as it has an '@'`;
  if (!isEmail && !canAddress(value))
    throw new InputProblem(problem, "Choose the contact 'By Email', with its email.");
  const what = `The contact '${value}' cannot be addressed`;
  const schema = z.object({ identifier: isEmail ? emailSchema : contactIdentifierSchema });
  const { identifier } = validate(schema, { identifier: value }, what);
  return { identifier, isEmail, named: isEmail ? { email: identifier } : { userId: identifier } };
}
