import { updateContactBodySchema, validate } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import { InputProblem } from '../../problem.js';
import type { Call, Item, Operation, Prepared } from '../../run/operation.js';
import { formFields } from '../contact-fields.js';
import { choice } from '../fields.js';
import { GROUP_FIELDS, readGroups } from '../groups.js';
import { readContactFields } from '../mapped-contact-fields.js';
import { contactFieldsMapper } from '../mappers.js';
import { contactLocator, readContactLocator } from './contact-locator.js';

const fields: INodeProperties[] = [
  contactLocator('The contact to update. To change its email, choose it by its User ID.'),
  contactFieldsMapper({
    displayName: 'Fields',
    name: 'fields',
    description: 'Fields to change. A switch in the list is always sent: remove it if it is to stay.',
    valuesLabel: 'Fields to Change',
    method: 'getContactUpdateFields',
  }),
  choice(
    'Empty Fields',
    'emptyFields',
    'keep',
    { clear: ['Clear', 'Remove the value of the contact'], keep: ['Keep', 'Keep the value of the contact'] },
    { description: 'What to do with the value of the contact if a field is empty' },
  ),
  ...GROUP_FIELDS,
];

async function prepare(item: Item): Promise<Prepared> {
  const { parameters, session } = item;
  const { identifier, isEmail, named } = readContactLocator(item);
  const set = await readContactFields(item, 'fields', {
    builtIn: formFields('updateContact'),
    clearsEmpty: parameters.choice('emptyFields', ['keep', 'clear']) === 'clear',
  });
  if (isEmail && String(set['email'] ?? identifier).toLowerCase() !== identifier.toLowerCase()) {
    const subject = { kind: 'contact field', name: 'Email' } as const;
    throw new InputProblem({ code: 'email-by-email', subject, given: identifier });
  }
  if (isEmail) delete set['email'];
  const changes = { ...set, ...(await readGroups(item)) };
  if (Object.keys(changes).length === 0) {
    item.note({ code: 'nothing-to-change' });
    // A contact that does not exist is an error, as in every update.
    const read: Call = async ({ options }) => {
      const { id } = await session.api.contacts.get(identifier, options);
      return [{ success: true, id, contact: identifier }];
    };
    return { call: read };
  }
  const body = validate(updateContactBodySchema, changes, `The contact '${identifier}' cannot be updated`);
  const call: Call = async ({ options }) => {
    const { id } = await session.api.contacts.update(identifier, body, options);
    return [{ success: true, ...(id === undefined ? {} : { id }), contact: identifier }];
  };
  return { call, contact: { ...named, ...(isEmail ? {} : { email: body.email }) } };
}

/** Updates a contact. */
export const update: Operation = {
  value: 'update',
  name: 'Update',
  action: 'Update contact',
  description: 'Change fields and subscription groups of an existing contact',
  kind: 'writes',
  fields,
  output: { success: 'boolean', id: 'string', contact: 'string' },
  prepare,
};
