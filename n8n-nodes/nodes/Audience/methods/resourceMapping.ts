import { BUILT_IN_PROPERTIES, propertyNameProblem } from 'audience-core/contract';
import type { ContactProperty, PropertyType } from 'audience-core';
import type {
  FieldType,
  ILoadOptionsFunctions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import * as z from 'zod';
import { BUILT_IN_LABELS } from '../actions/contact-fields.js';
import { toNodeError } from '../helpers/errors.js';
import { EDITOR_LIMITS, openSession } from '../transport/session.js';

const FIELD_TYPES: Readonly<Record<PropertyType, FieldType>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'dateTime',
};

/** Fields of Contact > Update. */
export async function getContactUpdateFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  return await contactFields(this, [
    'email',
    'userId',
    'firstName',
    'lastName',
    'source',
    'subscribed',
    'createdAt',
  ]);
}

/** Contact fields of Event > Send. */
export async function getEventContactFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  return await contactFields(this, ['firstName', 'lastName']);
}

async function contactFields(
  context: ILoadOptionsFunctions,
  builtIn: readonly string[],
): Promise<ResourceMapperFields> {
  try {
    const { api } = await openSession(context, EDITOR_LIMITS);
    const custom = (await api.properties.list({ list: 'custom' })).filter(
      ({ key }) => propertyNameProblem(key) === undefined,
    );
    return { fields: [...builtIn.map(builtInField), ...custom.sort(byLabel).map(customField)] };
  } catch (error) {
    throw toNodeError(context.getNode(), error);
  }
}

function builtInField(key: string): ResourceMapperField {
  const field: ResourceMapperField = {
    id: key,
    displayName: BUILT_IN_LABELS[key] ?? key,
    type: FIELD_TYPES[BUILT_IN_PROPERTIES[key] ?? 'string'],
    required: false,
    display: true,
    defaultMatch: false,
    canBeUsedToMatch: false,
  };
  if (key === 'email') return { ...field, displayName: 'Email (With the Contact Chosen by User ID)' };
  if (key === 'subscribed') {
    // The service lets nobody but the contact turn it back on.
    return { ...field, type: 'options', options: [{ name: 'Unsubscribed', value: false }] };
  }
  // The service sets it by itself, so the editor does not offer it.
  if (key === 'createdAt') return { ...field, readOnly: true, removed: true, display: false };
  return field;
}

function customField({ key, label, type }: ContactProperty): ResourceMapperField {
  return {
    id: key,
    displayName: label ?? key,
    type: FIELD_TYPES[type],
    required: false,
    display: true,
    defaultMatch: false,
    canBeUsedToMatch: false,
  };
}

function byLabel(a: ContactProperty, b: ContactProperty): number {
  return (a.label ?? a.key).localeCompare(b.label ?? b.key);
}

const locatorSchema = z.union([
  z.string(),
  z
    .object({ value: z.union([z.string(), z.number()]).nullish() })
    .transform(({ value }) => String(value ?? '')),
]);

/** Variables of the chosen email design. */
export async function getEmailVariables(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const chosen = locatorSchema.safeParse(this.getNodeParameter('transactionalId', ''));
  if (!chosen.success || chosen.data === '') {
    return { fields: [], emptyFieldsNotice: 'Choose an email design first; its variables then appear here.' };
  }
  try {
    const { api } = await openSession(this, EDITOR_LIMITS);
    for await (const { id, dataVariables } of api.transactional.iterate()) {
      if (id === chosen.data) return { fields: dataVariables.map(variableField) };
    }
    return { fields: [], emptyFieldsNotice: `There is no email design '${chosen.data}' in the service.` };
  } catch (error) {
    throw toNodeError(this.getNode(), error);
  }
}

function variableField(name: string): ResourceMapperField {
  return {
    id: name,
    displayName: name,
    type: 'string',
    required: false,
    display: true,
    defaultMatch: false,
    canBeUsedToMatch: false,
  };
}
