import {
  CONTACT_FIELDS,
  contactFieldEntries,
  eventSchemas,
  isClearable,
  type ContactField,
  type FieldWriter,
} from 'audience-core/internal';
import type { ContactProperty, PropertyType, PropertyValue } from 'audience-core';
import type { INodeProperties } from 'n8n-workflow';
import { readMapping, type MappedField } from '../form/mapping.js';
import { isEmpty, readIdentifier, readValue } from '../form/values.js';
import { InputProblem, misfit, type Subject } from '../problem.js';
import type { Item } from '../item/operation.js';
import { mapper } from './fields.js';

/** A field of a contact that a form can set. */
export interface ContactFormField extends Omit<ContactField, 'description' | 'type' | 'setBy'> {
  readonly name: string;
  readonly type: PropertyType;
}

/** What a call can set of a contact by a form. */
export interface FieldsOfCall {
  /** The fields that every contact has; subscription groups have a form of their own. */
  readonly builtIn: readonly ContactFormField[];
  /** Names that the call has already, or that have a form field of their own. */
  readonly taken: readonly string[];
}

function fieldsOf(writer: FieldWriter, taken: readonly string[]): FieldsOfCall {
  const builtIn = contactFieldEntries.flatMap(([name, { setBy, type, ...field }]) =>
    type === 'groups' || !setBy.includes(writer) || taken.includes(name) ? [] : [{ name, type, ...field }],
  );
  return { builtIn, taken };
}

export const OF_UPDATE = fieldsOf('updateContact', []);
export const OF_EVENT = fieldsOf('sendEvent', ['email', 'userId', ...Object.keys(eventSchemas)]);
export const OF_EMAIL = fieldsOf('sendTransactionalEmail', ['email']);

/** A contact property of the account as a field. */
export function customField({ key, label, type }: ContactProperty): ContactFormField {
  return { name: key, label: label ?? key, type, clearable: true };
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

interface ContactFieldsRule {
  readonly of: FieldsOfCall;
  /** Whether the parameter is a JSON field instead of a resource mapper. */
  readonly isJson?: boolean;
  /** Whether a field that is empty clears the contact's value. */
  readonly clearsEmpty?: boolean;
}

/**
 * Reads a resource mapper of contact fields and converts each value to the type that the service lists for it: fields
 * of an API-written or an AI-written workflow have no types of their own.
 */
export async function readContactFields(
  item: Item,
  parameter: string,
  { of, isJson = false, clearsEmpty = false }: ContactFieldsRule,
): Promise<Record<string, PropertyValue | null>> {
  const { fields, isAutomatic } = readMapping(item.parameters, parameter, isJson);
  const values: Record<string, PropertyValue | null> = {};
  const unmapped: string[] = [];
  for (const mapped of fields) {
    const { name, stored } = mapped;
    const subject = item.parameters.subjectOf('contact field', name, stored);
    // An empty field needs no request.
    if (!clearsEmpty && !mapped.isComputed && isEmpty(stored)) continue;
    const field = await findField(item, name, of);
    if (field === undefined) {
      if (!isAutomatic) throw await unknownField(item, name, of);
      if (!isEmpty(mapped.read(subject))) unmapped.push(name);
      continue;
    }
    const named = subject.kind === 'argument' ? subject : { ...subject, name: field.label };
    const given = mapped.read(named, field.isIdentifier);
    if (given === undefined && mapped.isComputed && field.only === undefined) {
      item.note({ code: 'left-out', subject: named });
      continue;
    }
    const value = readField(item, field, named, given, mapped, isAutomatic);
    if (value !== undefined) values[name] = value;
    else if (clearsEmpty && isClearable(name)) values[name] = null;
  }
  if (unmapped.length > 0) item.note({ code: 'unmapped', names: unmapped });
  return values;
}

function readField(
  { parameters }: Item,
  { type, only, isIdentifier }: ContactFormField,
  subject: Subject,
  value: unknown,
  { isComputed, stored }: MappedField,
  isAutomatic: boolean,
): PropertyValue | undefined {
  if (isEmpty(value)) {
    // Whether an opt-out is meant is not known.
    if (only === false && isComputed && !isAutomatic) throw parameters.missing(subject, stored);
    return undefined;
  }
  if (isIdentifier) return readIdentifier(subject, value);
  if (only !== false) return parameters.typed(subject, type, value);
  if (readValue(subject, 'boolean', value) === false) return false;
  // With automatic mapping the column is read for everybody by its name, so it may be on as it is.
  if (isAutomatic) return undefined;
  throw misfit(subject, value, 'only-false');
}

async function findField(
  { session }: Item,
  name: string,
  { builtIn, taken }: FieldsOfCall,
): Promise<ContactFormField | undefined> {
  const known = builtIn.find((field) => field.name === name);
  if (known !== undefined || taken.includes(name)) return known;
  const property = (await session.customProperties()).get(name);
  return property && customField(property);
}

async function unknownField(
  { session }: Item,
  name: string,
  { builtIn, taken }: FieldsOfCall,
): Promise<InputProblem> {
  const standard = new Map<string, ContactField>(Object.entries(CONTACT_FIELDS)).get(name);
  const subject: Subject = { kind: 'contact field', name: standard?.label ?? name };
  if (standard !== undefined || name === 'id' || taken.includes(name))
    return new InputProblem({ code: 'field-cannot-be-set', subject });
  const names = [...builtIn.map((field) => field.name), ...(await session.customProperties()).keys()];
  return new InputProblem({ code: 'unknown-field', subject, given: name, names });
}
