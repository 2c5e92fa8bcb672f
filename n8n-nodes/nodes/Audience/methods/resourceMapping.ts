import { isRecord } from 'audience-core/internal';
import type { PropertyType } from 'audience-core';
import {
  NodeOperationError,
  type ILoadOptionsFunctions,
  type ResourceMapperField,
  type ResourceMapperFields,
} from 'n8n-workflow';
import {
  customField,
  OF_EVENT,
  OF_UPDATE,
  type ContactFormField,
  type FieldsOfCall,
} from '../actions/contact-fields.js';
import { isEmpty } from '../form/values.js';
import { chosenDesign, inEditor } from './lists.js';

/** Fields of Contact > Update. */
export async function getContactUpdateFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  return await contactFields(this, OF_UPDATE);
}

/** Contact fields of Event > Send. */
export async function getEventContactFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  return await contactFields(this, OF_EVENT);
}

async function contactFields(
  context: ILoadOptionsFunctions,
  { builtIn, taken }: FieldsOfCall,
): Promise<ResourceMapperFields> {
  const properties = await inEditor(context, (session) => session.customProperties());
  const custom = [...properties.values()]
    .map(customField)
    .filter(({ name }) => !taken.includes(name))
    .sort((a, b) => a.label.localeCompare(b.label));
  return { fields: [...builtIn, ...custom].map(contactField) };
}

function contactField({ name, label, type, only }: ContactFormField): ResourceMapperField {
  const isEmail = name === 'email';
  const field = mapperField(name, isEmail ? 'Email (With the Contact Chosen by User ID)' : label, type);
  return only === false
    ? { ...field, type: 'options', options: [{ name: 'Unsubscribed', value: false }] }
    : field;
}

/**
 * Variables of the chosen email design. The editor keeps the notice of one design when another is chosen, and shows
 * it with automatic mapping too, so each must be true in both cases.
 */
export async function getEmailVariables(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const id = chosenDesign(this);
  if (id === '') {
    return noFields(
      this,
      'Choose an email design first: its variables appear here. If an expression chooses it, specify the variables by JSON.',
    );
  }
  const design = await inEditor(this, ({ designs }) => designs.findNew(id));
  if (design === undefined) return noFields(this, `There is no email design '${id}' in the service.`);
  const { name, dataVariables } = design;
  return {
    fields: dataVariables.map((variable) => mapperField(variable, variable, 'string')),
    emptyFieldsNotice:
      dataVariables.length === 0
        ? `The email '${name}' has no variables.`
        : `The variables of the email '${name}': ${dataVariables.join(', ')}.`,
  };
}

/**
 * No fields, and why.
 *
 * @throws NodeOperationError where the user has filled in some already: the editor would clear and save them, and the
 *   design may be there with the next credential or when an expression has a value.
 */
function noFields(context: ILoadOptionsFunctions, why: string): ResourceMapperFields {
  const mapped: unknown = context.getCurrentNodeParameter('dataVariables');
  const values = isRecord(mapped) && isRecord(mapped['value']) ? Object.values(mapped['value']) : [];
  if (values.every(isEmpty)) return { fields: [], emptyFieldsNotice: why };
  throw new NodeOperationError(context.getNode(), why);
}

/** Types of n8n's form fields, by those of the service. */
const FIELD_TYPES = { string: 'string', number: 'number', boolean: 'boolean', date: 'dateTime' } as const;

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
