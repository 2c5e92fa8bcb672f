import { contactFieldEntries, type FieldWriter } from 'audience-core/internal';
import type { PropertyType } from 'audience-core';
import type { INodeProperties } from 'n8n-workflow';
import { mapper } from './fields.js';

/** A field of a contact that a form can set. */
export interface ContactFormField {
  readonly name: string;
  readonly label: string;
  readonly type: PropertyType;
  /** Whether `false` is the only value that can be set. */
  readonly onlyFalse: boolean;
  readonly clearable: boolean;
  /** Whether a contact is found by it. */
  readonly isIdentifier: boolean;
}

/** The fields that every contact has and that a call can set; subscription groups have a form of their own. */
export function formFields(writer: FieldWriter, without: readonly string[] = []): ContactFormField[] {
  return contactFieldEntries.flatMap(([name, field]) => {
    const { setBy, type, label, only, clearable, isIdentifier = false } = field;
    if (type === 'groups' || !setBy.includes(writer) || without.includes(name)) return [];
    return [{ name, label, type, onlyFalse: only === false, clearable, isIdentifier }];
  });
}

/** A resource mapper of contact fields: those that are wanted are added. */
export function contactFieldsMapper(
  displayName: string,
  name: string,
  resourceMapperMethod: 'getContactUpdateFields' | 'getEventContactFields',
  more: Pick<INodeProperties, 'description' | 'displayOptions'>,
): INodeProperties {
  const options = {
    resourceMapperMethod,
    // An event can cause an email: nothing goes out that nobody mapped.
    supportAutoMap: resourceMapperMethod === 'getContactUpdateFields',
    fieldWords: { singular: 'field', plural: 'fields' },
    addAllFields: false,
    // The editor shows it whenever there are no fields: while they load, if that fails, and if there are none.
    noFieldsError: 'No fields loaded. Press Retry, or check the credential.',
  };
  return mapper(displayName, name, options, more);
}
