import {
  CONTACT_FIELDS,
  contactFieldEntries,
  fieldsSetBy,
  type ContactField,
  type ContactFieldName,
  type FieldWriter,
} from 'audience-core/internal';
import type { PropertyType, PropertyValue } from 'audience-core';
import type { INodeProperties, INodePropertyTypeOptions, ResourceMapperTypeOptionsBase } from 'n8n-workflow';
import type { Item } from '../item/operation.js';
import { isEmpty } from '../form/values.js';

export interface ContactFormField {
  readonly name: string;
  readonly label: string;
  readonly type: PropertyType;
  /** Whether `false` is the only value that can be set. */
  readonly onlyFalse: boolean;
}

const FIELDS: Readonly<Record<ContactFieldName, ContactField>> = CONTACT_FIELDS;

/** The fields that every contact has and that a call can set; subscription groups have a form of their own. */
export function formFields(writer: FieldWriter, without: readonly string[] = []): ContactFormField[] {
  return fieldsSetBy(writer)
    .filter((name) => !without.includes(name))
    .flatMap((name) => {
      const { type, label, only } = FIELDS[name];
      if (type === 'groups') return [];
      return [{ name, label, type, onlyFalse: only === false }];
    });
}

/** Types of n8n's form fields, by those of the service. */
export const FIELD_TYPES = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'dateTime',
} as const;
const DEFAULTS = { string: '', number: 0, boolean: false, date: '' } as const;

/** One form field for each field that every contact has. */
export function fieldProperties(fields: readonly ContactFormField[]): INodeProperties[] {
  return fields.map(({ name, label, type }) => ({
    displayName: label,
    name,
    type: FIELD_TYPES[type],
    default: DEFAULTS[type],
  }));
}

/** Whether a contact is found by a field. */
export function isIdentifier(name: string): boolean {
  return contactFieldEntries.some(([known, field]) => known === name && field.isIdentifier === true);
}

/** Reads such form fields from a collection; those that were left empty are left out. */
export function readFieldProperties(
  { parameters }: Item,
  parent: string,
  fields: readonly ContactFormField[],
): Record<string, PropertyValue> {
  const values: Record<string, PropertyValue> = {};
  for (const { name, type } of fields) {
    const parameter = `${parent}.${name}`;
    const value = isIdentifier(name) ? parameters.identifier(parameter) : parameters.value(parameter);
    if (!isEmpty(value)) values[name] = parameters.typed(parameters.subject(parameter), type, value);
  }
  return values;
}

type MapperTexts = Pick<INodeProperties, 'displayName' | 'name' | 'description'> & {
  readonly valuesLabel: string;
  readonly method: string;
};

/** A resource mapper of contact fields: those that are wanted are added. */
export function contactFieldsMapper(texts: MapperTexts): INodeProperties {
  return mapper(texts, {
    fieldWords: { singular: 'field', plural: 'fields' },
    addAllFields: false,
    // The editor shows it whenever there are no fields: while they load, if that fails, and if there are none.
    noFieldsError: 'No fields loaded. Press Retry, or check the credential.',
  });
}

/** A resource mapper of the variables of an email: all of them are there. */
export function variablesMapper(texts: MapperTexts): INodeProperties {
  return mapper(
    texts,
    {
      fieldWords: { singular: 'variable', plural: 'variables' },
      addAllFields: true,
      // A variable that is new or gone is seen when the node is opened.
      refreshStaleSchemaOnOpen: true,
      noFieldsError:
        'No variables loaded. If no note below says why, check the credential, then refresh the list.',
    },
    { loadOptionsDependsOn: ['transactionalId.value'] },
  );
}

function mapper(
  { valuesLabel, method, ...texts }: MapperTexts,
  options: Omit<ResourceMapperTypeOptionsBase, 'mode'>,
  more: INodePropertyTypeOptions = {},
): INodeProperties {
  const resourceMapper = { resourceMapperMethod: method, mode: 'add', supportAutoMap: true } as const;
  return {
    ...texts,
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    typeOptions: { ...more, resourceMapper: { ...resourceMapper, valuesLabel, ...options } },
  };
}
