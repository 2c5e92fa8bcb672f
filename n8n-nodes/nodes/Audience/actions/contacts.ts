import type { Contact, ContactProperty } from 'audience-core';
import { contactFieldEntries, decodeValue, updateContactBodySchema, validate } from 'audience-core/internal';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { field, choice } from './fields.js';
import type { Call, Item, Operation, Prepared } from '../item/operation.js';
import { contactLocator, IF_NOT_FOUND, readContactLocator, unlessNotFound } from './contact-locator.js';
import { InputProblem } from '../problem.js';
import { contactFieldsMapper, OF_UPDATE, readContactFields } from './contact-fields.js';
import { GROUP_FIELDS, readGroups } from './groups.js';

function prepareGet(item: Item): Prepared {
  const { identifier } = readContactLocator(item);
  const simplify = item.parameters.flag('simplify');
  const read: Call = async (options) => {
    const reading = item.session.api.contacts.get(identifier, options);
    if (!simplify) {
      const raw: object = await reading;
      return [{ ...raw }];
    }
    const [contact, custom] = await Promise.all([reading, item.session.customProperties()]);
    return [simplified(contact, custom)];
  };
  return { call: unlessNotFound(item, read) };
}

/** Fields that have a value, dates as ISO text, and the ids of the groups that the contact is subscribed to. */
function simplified(
  { subscriptionGroups, ...fields }: Contact,
  custom: ReadonlyMap<string, ContactProperty>,
): IDataObject {
  const groups = Object.entries(subscriptionGroups ?? {}).filter(([, subscribed]) => subscribed);
  const filled = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => {
      const type = contactFieldEntries.find(([one]) => one === name)?.[1].type ?? custom.get(name)?.type;
      const date = type === 'date' ? decodeValue('date', value) : undefined;
      return [name, date instanceof Date ? date.toISOString() : value] as const;
    });
  return { ...Object.fromEntries(filled), subscriptionGroups: groups.map(([id]) => id) };
}

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get contact',
  description: 'Retrieve a contact with all its fields',
  kind: 'reads',
  fields: [
    contactLocator('The contact to read'),
    IF_NOT_FOUND,
    field('boolean', 'Simplify', 'simplify', {
      default: true,
      description: 'Whether to return a simplified version of the response instead of the raw data',
    }),
  ],
  prepare: prepareGet,
};

function prepareUnsubscribe(item: Item): Prepared {
  const { identifier, named } = readContactLocator(item);
  const unsubscribe: Call = async (options) => {
    await item.session.api.contacts.update(identifier, { subscribed: false }, options);
    return [{ success: true, contact: identifier, subscribed: false }];
  };
  return { call: unlessNotFound(item, unsubscribe), contact: named };
}

export const unsubscribe: Operation = {
  value: 'unsubscribe',
  name: 'Unsubscribe',
  action: 'Unsubscribe contact',
  description: 'Unsubscribe a contact from all mailings',
  kind: 'writes',
  fields: [
    contactLocator('The contact to unsubscribe'),
    IF_NOT_FOUND,
    field(
      'notice',
      'Unsubscribes from all mailings. We assume that transactional emails are still sent. For one group, use Contact > Update.',
      'unsubscribeNotice',
    ),
  ],
  prepare: prepareUnsubscribe,
};

const UPDATE_FIELDS: INodeProperties[] = [
  contactLocator('The contact to update. To change its email, choose it by its User ID.'),
  contactFieldsMapper('Fields', 'fields', 'getContactUpdateFields', {
    description:
      'Fields to change. A switch in the list is always sent: to keep the value, remove the switch.',
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

async function prepareUpdate(item: Item): Promise<Prepared> {
  const { parameters, session } = item;
  const { identifier, isEmail, named } = readContactLocator(item);
  const set = await readContactFields(item, 'fields', {
    of: OF_UPDATE,
    clearsEmpty: parameters.choice('emptyFields', ['keep', 'clear']) === 'clear',
    identifier,
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
    const read: Call = async (options) => {
      const { id } = await session.api.contacts.get(identifier, options);
      return [{ success: true, id, contact: identifier }];
    };
    return { call: read };
  }
  const body = validate(updateContactBodySchema, changes, `The contact '${identifier}' cannot be updated`);
  const call: Call = async (options) => {
    const { id } = await session.api.contacts.update(identifier, body, options);
    return [{ success: true, ...(id === undefined ? {} : { id }), contact: identifier }];
  };
  return { call, contact: isEmail ? { ...named, userId: body.userId } : { ...named, email: body.email } };
}

export const update: Operation = {
  value: 'update',
  name: 'Update',
  action: 'Update contact',
  description: 'Change fields and subscription groups of an existing contact',
  kind: 'writes',
  fields: UPDATE_FIELDS,
  prepare: prepareUpdate,
};
