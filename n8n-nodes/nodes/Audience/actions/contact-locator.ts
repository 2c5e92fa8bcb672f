import { NotFoundError } from 'audience-core';
import { canAddress, contactIdentifierSchema, emailSchema, validate } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import * as z from 'zod/mini';
import { InputProblem } from '../problem.js';
import { choice } from './fields.js';
import type { Identifiers, Call, Item } from '../item/operation.js';

/** The field that says which contact it is. */
export function contactLocator(description: string): INodeProperties {
  return {
    displayName: 'Contact',
    name: 'contact',
    type: 'resourceLocator',
    default: { mode: 'email', value: '' },
    required: true,
    description,
    modes: [
      { displayName: 'By Email', name: 'email', type: 'string', placeholder: 'e.g. nathan@example.com' },
      {
        displayName: 'By User ID',
        name: 'userId',
        type: 'string',
        placeholder: 'e.g. user-42',
        hint: 'The ID of the contact in your own system',
      },
    ],
  };
}

/** What to do where there is no such contact. */
export const IF_NOT_FOUND = choice(
  'If Not Found',
  'ifNotFound',
  'error',
  { empty: 'Return an Empty Item', error: 'Stop With an Error' },
  { description: 'What to do if the service has no such contact' },
);

/** The call; if the form says so, a contact that does not exist gives an empty item instead of an error. */
export function unlessNotFound({ parameters, note }: Item, call: Call): Call {
  const givesEmpty = parameters.choice('ifNotFound', ['error', 'empty']) === 'empty';
  return (options) =>
    call(options).catch((error: unknown) => {
      if (!givesEmpty || !(error instanceof NotFoundError)) throw error;
      note({ code: 'not-found' });
      return [{}];
    });
}

/** The contact's identifier, and which of the two it is. */
export function readContactLocator({ parameters }: Item): {
  identifier: string;
  isEmail: boolean;
  named: Identifiers;
} {
  const { mode, value } = parameters.locator('contact');
  const isEmail = mode === undefined ? value.includes('@') : mode === 'email';
  const subject = parameters.subject('contact');
  if (!isEmail && !canAddress(value))
    throw new InputProblem({ code: 'email-as-user-id', subject, given: value });
  const schema = z.object({ contact: isEmail ? emailSchema : contactIdentifierSchema });
  const { contact: identifier } = validate(
    schema,
    { contact: value },
    `The contact '${value}' cannot be addressed`,
  );
  return { identifier, isEmail, named: isEmail ? { email: identifier } : { userId: identifier } };
}
