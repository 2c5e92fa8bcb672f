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
import { isWholeItem } from '../form/expressions.js';
import { readMapping, type Mapping } from '../form/mapping.js';
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
  /** By what the contact is chosen. */
  readonly identifier?: string;
}

type Values = Record<string, PropertyValue | null>;

/**
 * Reads a resource mapper of contact fields and converts each value to the type that the service lists for it: fields
 * of an API-written or an AI-written workflow have no types of their own.
 */
export async function readContactFields(
  item: Item,
  parameter: string,
  rule: ContactFieldsRule,
): Promise<Values> {
  const mapping = readMapping(item.parameters, parameter, rule.isJson);
  if (mapping.from === 'columns') return await readColumns(item, mapping, rule);
  const values: Values = {};
  for (const { name, stored, isComputed, read } of mapping.fields) {
    // An empty field needs no request.
    if (rule.clearsEmpty !== true && !isComputed && isEmpty(stored)) continue;
    const field = await findField(item, name, rule.of);
    if (field === undefined) throw await unknownField(item, name, rule.of, mapping.from);
    const { kind, name: argument } = item.parameters.subjectOf('contact field', name, stored);
    const subject = { kind, name: kind === 'argument' ? argument : field.label };
    const value = read(subject, field.isIdentifier);
    // Whether an opt-out is meant is not known.
    if (field.only === false && isComputed && isEmpty(value)) throw item.parameters.missing(subject, stored);
    if (value === undefined && isComputed) item.note({ code: 'left-out', subject });
    else set(values, item, field, subject, value, rule);
  }
  const names = Object.keys(values);
  const object = item.parameters.stored(rule.isJson === true ? `${parameter}Json` : `${parameter}.value`);
  if (isWholeItem(object) && names.length > 0)
    item.note({ code: 'whole-item', subject: item.parameters.subject(parameter), names });
  return values;
}

/** Reads the columns of an item that have the name of a contact field. Identifiers are only changed where a user maps them. */
async function readColumns(item: Item, { fields }: Mapping, rule: ContactFieldsRule): Promise<Values> {
  const values: Values = {};
  const unused: string[] = [];
  for (const { name, read } of fields) {
    const field = await findField(item, name, rule.of);
    const subject: Subject = { kind: 'contact field', name: field?.label ?? name };
    const value = read(subject);
    if (field === undefined || field.isIdentifier === true) {
      const isChosen = String(value).trim().toLowerCase() === rule.identifier?.toLowerCase();
      if (!isEmpty(value) && !isChosen) unused.push(name);
    } else if (field.only !== false || isFalse(subject, value)) {
      // A column that says that the contact is subscribed changes nothing.
      set(values, item, field, subject, value, rule);
    }
  }
  if (unused.length > 0) item.note({ code: 'unmapped', names: unused });
  return values;
}

function isFalse(subject: Subject, value: unknown): boolean {
  return !isEmpty(value) && readValue(subject, 'boolean', value) === false;
}

/** Sets a field to a value of its type; an empty one clears it, where the user has chosen so. */
function set(
  values: Values,
  { parameters }: Item,
  { name, type, only, isIdentifier }: ContactFormField,
  subject: Subject,
  value: unknown,
  { clearsEmpty = false }: ContactFieldsRule,
): void {
  if (isEmpty(value)) {
    if (clearsEmpty && isClearable(name)) values[name] = null;
    return;
  }
  values[name] =
    isIdentifier === true ? readIdentifier(subject, value) : parameters.typed(subject, type, value);
  if (only === false && values[name] !== false) throw misfit(subject, value, 'only-false');
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
  from: Mapping['from'],
): Promise<InputProblem> {
  const standard = new Map<string, ContactField>(Object.entries(CONTACT_FIELDS)).get(name);
  const subject: Subject = { kind: 'contact field', name: standard?.label ?? name };
  if (standard !== undefined || name === 'id' || taken.includes(name))
    return new InputProblem({
      code: standard?.isIdentifier === true ? 'has-own-field' : 'field-cannot-be-set',
      subject,
      names: [from === 'form' ? 'the list' : 'the JSON'],
    });
  const names = [...builtIn.map((field) => field.name), ...(await session.customProperties()).keys()];
  return new InputProblem({ code: 'unknown-field', subject, given: name, names });
}
