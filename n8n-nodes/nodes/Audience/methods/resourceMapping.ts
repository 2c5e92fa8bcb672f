import type { PropertyType } from 'audience-core';
import type {
  FieldType,
  ILoadOptionsFunctions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import { formFields } from '../actions/contact-fields.js';
import type { ContactFormField } from '../actions/contact-fields.js';
import { EVENT_CONTACT_FIELDS } from '../actions/event/contact-event.js';
import { chosenDesign, inEditor } from './editor.js';

const FIELD_TYPES: Readonly<Record<PropertyType, FieldType>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'dateTime',
};

/** Fields of Contact > Update. */
export async function getContactUpdateFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  return await contactFields(this, formFields('updateContact'));
}

/** Contact fields of Event > Send. */
export async function getEventContactFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  return await contactFields(this, EVENT_CONTACT_FIELDS);
}

async function contactFields(
  context: ILoadOptionsFunctions,
  builtIn: readonly ContactFormField[],
): Promise<ResourceMapperFields> {
  const custom = await inEditor(context, (session) => session.customProperties());
  const own = [...custom.values()]
    .map(({ key, label, type }) => mapperField(key, label ?? key, type))
    .sort((a, b) => a.displayName.localeCompare(b.displayName));
  return { fields: [...builtIn.map(builtInField), ...own] };
}

function builtInField({ name, label, type, onlyFalse }: ContactFormField): ResourceMapperField {
  if (name === 'email') return mapperField(name, 'Email (With the Contact Chosen by User ID)', type);
  const field = mapperField(name, label, type);
  // The service lets nobody but the contact turn it back on.
  return onlyFalse ? { ...field, type: 'options', options: [{ name: 'Unsubscribed', value: false }] } : field;
}

/** Variables of the chosen email design. */
export async function getEmailVariables(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const id = chosenDesign(this);
  if (id === '') {
    return { fields: [], emptyFieldsNotice: 'Choose an email design first; its variables then appear here.' };
  }
  const design = await inEditor(this, (session) => session.design(id));
  if (design === undefined) {
    return { fields: [], emptyFieldsNotice: `There is no email design '${id}' in the service.` };
  }
  return {
    fields: design.dataVariables.map((name) => mapperField(name, name, 'string')),
    emptyFieldsNotice: 'This email has no variables; there is nothing to fill in here.',
  };
}

function mapperField(id: string, displayName: string, type: PropertyType): ResourceMapperField {
  return {
    id,
    displayName,
    type: FIELD_TYPES[type],
    required: false,
    display: true,
    defaultMatch: false,
    canBeUsedToMatch: false,
  };
}
