import { updateContactBodySchema, validate } from 'audience-core/contract';
import type { ContactUpdate } from 'audience-core';
import type { INodeProperties } from 'n8n-workflow';
import * as z from 'zod';
import { InputProblem } from '../../helpers/errors.js';
import { groupChoice, optionsField, showFor } from '../common.descriptions.js';
import { readContactFields } from '../contact-fields.js';
import type { Call, Item, ItemOperation } from '../operation.js';
import { readGroups } from '../sending.js';
import { contactLocator, readContactLocator } from './contact-locator.js';

const description: INodeProperties[] = [
  contactLocator(
    'update',
    'The contact to update; it has to exist already. To change its email, choose it by its User ID.',
  ),
  {
    displayName: 'Fields',
    name: 'fields',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    description: 'Fields to change. A field that is left empty stays as it is.',
    typeOptions: {
      resourceMapper: {
        resourceMapperMethod: 'getContactUpdateFields',
        mode: 'add',
        valuesLabel: 'Fields to Change',
        fieldWords: { singular: 'field', plural: 'fields' },
        addAllFields: false,
        supportAutoMap: true,
        noFieldsError: 'The service lists no contact properties',
      },
    },
    displayOptions: showFor('contact', 'update'),
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: showFor('contact', 'update'),
    options: [
      {
        displayName: 'Fields to Clear',
        name: 'clear',
        type: 'multiOptions',
        typeOptions: { loadOptionsMethod: 'getClearableContactFields' },
        default: [],
        description:
          'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
      },
      groupChoice('subscribeTo', 'Subscribe to Groups', 'Subscription groups to add the contact to'),
      groupChoice(
        'unsubscribeFrom',
        'Unsubscribe From Groups',
        'Subscription groups to take the contact out of',
      ),
    ],
  },
  optionsField('contact', 'update', false),
];

const SETTABLE = ['email', 'userId', 'firstName', 'lastName', 'source', 'subscribed'];

/** The contract's schema has read it; here TypeScript is told so. */
const bodySchema = z.custom<ContactUpdate>();

async function prepare(item: Item): Promise<Call> {
  const { identifier, isEmail } = readContactLocator(item);
  const fields = await readContactFields(item, 'fields', { builtIn: SETTABLE });
  if (isEmail && fields['email'] === identifier) delete fields['email'];
  if (isEmail && fields['email'] !== undefined) {
    throw new InputProblem(
      `The email of contact '${identifier}' cannot be changed while the contact is chosen by its email`,
      "Set 'Contact' to 'By User ID' and give the contact's User ID there.",
    );
  }
  const cleared = item.parameters.ids('additionalFields.clear', 'Fields to Clear');
  const groups = readGroups(item, 'additionalFields');
  const changes = {
    ...fields,
    ...Object.fromEntries(cleared.map((name) => [name, null])),
    ...(groups === undefined ? {} : { subscriptionGroups: groups }),
  };
  const both = cleared.find((name) => fields[name] !== undefined);
  if (both !== undefined) {
    throw new InputProblem(
      `The field '${both}' is to be set and cleared at once`,
      "Remove it from 'Fields' or from 'Fields to Clear'.",
    );
  }
  if (Object.keys(changes).length === 0) {
    throw new InputProblem(
      `There is nothing to change on contact '${identifier}'`,
      "Give at least one field a value, or choose one in 'Fields to Clear'.",
    );
  }
  const body = bodySchema.parse(
    validate(updateContactBodySchema, changes, `The contact '${identifier}' cannot be updated`),
  );
  return async () => {
    const { id, attempts } = await item.session.api.contacts.update(identifier, body, {
      signal: item.signal,
    });
    return { success: true, ...(id === undefined ? {} : { id }), contact: identifier, attempts };
  };
}

/** Updates a contact. */
export const update: ItemOperation = { kind: 'item', description, prepare };
