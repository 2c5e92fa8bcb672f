import { CONTACT_FIELDS, updateContactBodySchema, validate } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import { InputProblem } from '../../helpers/errors.js';
import { leftOut as leftOutOf } from '../notes.js';
import { formFields, readContactFields } from '../contact-fields.js';
import { GROUP_FIELDS, readGroups } from '../groups.js';
import { listChoice, readChoices } from '../list-choice.js';
import type { Call, Item, Operation } from '../operation.js';
import { contactFieldsMapper } from '../resource-mapper.js';
import { updatingCall } from '../updating.js';
import { contactLocator, readContactLocator } from './contact-locator.js';

const fields: INodeProperties[] = [
  contactLocator(
    'The contact to update; it has to exist already. To change its email, choose it by its User ID.',
  ),
  contactFieldsMapper({
    displayName: 'Fields',
    name: 'fields',
    description:
      'Fields to change. A field that is left empty stays as it is; a switch in the list is always sent, so remove it if it is to stay.',
    valuesLabel: 'Fields to Change',
    method: 'getContactUpdateFields',
  }),
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    options: [
      listChoice('clear', 'Fields to Clear', 'Fields whose value is to be removed', {
        loadOptionsMethod: 'getClearableContactFields',
      }),
      ...GROUP_FIELDS,
    ],
  },
];

async function prepare(item: Item): Promise<Call> {
  const { parameters } = item;
  const { identifier, isEmail, named } = readContactLocator(item);
  // What follows may fail because the service does.
  item.noteContact(named);
  const { fields: set, leftOut } = await readContactFields(item, 'fields', formFields('updateContact'));
  if (isEmail && String(set['email'] ?? identifier).toLowerCase() !== identifier.toLowerCase()) {
    throw new InputProblem(
      `The email of contact '${identifier}' cannot be changed while the contact is chosen by its email`,
      "Set 'Contact' to 'By User ID' and give the contact's User ID there.",
    );
  }
  if (isEmail) delete set['email'];
  const cleared = await readCleared(item, set);
  const changes = { ...set, ...cleared, ...(await readGroups(item, 'additionalFields')) };
  if (Object.keys(changes).length === 0) {
    const silent = ['clear', 'subscribeTo', 'unsubscribeFrom']
      .map((name) => `additionalFields.${name}`)
      .filter((name) => parameters.mustGiveSomething(name))
      .map((name) => leftOutOf(`'${parameters.form.label(name)}'`));
    const reasons = [...leftOut, ...silent];
    throw new InputProblem(
      `There is nothing to change on contact '${identifier}'${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`,
      `Give at least one field a value, or choose a group or one of 'Fields to Clear'.${parameters.context.continueOnFail() ? '' : " Where that is no mistake, set 'On Error' in the settings of the node to 'Continue': the other items are then carried out."}`,
    );
  }
  const body = validate(updateContactBodySchema, changes, `The contact '${identifier}' cannot be updated`);
  item.noteContact(named, body);
  const output = { success: true, contact: identifier };
  return updatingCall(item, { identifier, body }, output, async (changed) => {
    const { id } = await item.session.api.contacts.update(identifier, changed, { signal: item.signal });
    return { success: true, ...(id === undefined ? {} : { id }), contact: identifier };
  });
}

async function readCleared(
  item: Item,
  set: Readonly<Record<string, unknown>>,
): Promise<Record<string, null>> {
  const cleared = readChoices(item, 'additionalFields.clear');
  if (cleared.length === 0) return {};
  const clearable = new Map(Object.entries(CONTACT_FIELDS).map(([name, field]) => [name, field.clearable]));
  const custom = await item.session.customProperties();
  for (const name of cleared) {
    if (Object.hasOwn(set, name) && set[name] !== undefined) {
      throw new InputProblem(
        `The field '${name}' is to be set and cleared at once`,
        "Remove it from 'Fields' or from 'Fields to Clear'.",
      );
    }
    if (clearable.get(name) ?? custom.has(name)) continue;
    throw new InputProblem(
      `'Fields to Clear' names '${name}', which ${clearable.has(name) ? 'cannot be cleared' : 'is no field of a contact'}`,
      'Choose the fields from the list.',
    );
  }
  return Object.fromEntries(cleared.map((name) => [name, null]));
}

/** Updates a contact. */
export const update: Operation = {
  value: 'update',
  name: 'Update',
  action: 'Update contact',
  description: 'Change fields and subscription groups of an existing contact',
  fields,
  output: { success: 'boolean', id: 'string', contact: 'string' },
  prepare,
};
