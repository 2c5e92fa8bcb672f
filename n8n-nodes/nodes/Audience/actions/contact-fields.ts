import {
  CONTACT_FIELDS,
  contactFieldEntries,
  propertyNameProblem,
  type ContactField,
  type FieldWriter,
} from 'audience-core/internal';
import type { PropertyType, PropertyValue } from 'audience-core';
import type { INodeProperties } from 'n8n-workflow';
import { readMapping, type MappedField } from '../form/mapping.js';
import { isEmpty, misfit, readIdentifier, readSwitch } from '../form/values.js';
import { InputProblem, type Subject } from '../problem.js';
import type { Item } from '../item/operation.js';
import { mapper } from './fields.js';

/** A field of a contact that a form can set. */
export interface ContactFormField extends Omit<ContactField, 'type' | 'setBy'> {
  readonly name: string;
  readonly type: PropertyType;
}

/** The fields that every contact has and that a call can set; subscription groups have a form of their own. */
export function formFields(writer: FieldWriter, without: readonly string[] = []): ContactFormField[] {
  return contactFieldEntries.flatMap(([name, { setBy, type, ...field }]) =>
    type === 'groups' || !setBy.includes(writer) || without.includes(name) ? [] : [{ name, type, ...field }],
  );
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

export interface ContactFieldsRule {
  /** The fields that every contact has and that it can set. */
  readonly builtIn: readonly ContactFormField[];
  /** Names that the call has already: no contact property of such a name can be sent with it. */
  readonly ofCall?: readonly string[];
  /** Whether the parameter is a JSON field instead of a resource mapper. */
  readonly isJson?: boolean;
  /** Whether a field that is empty clears the contact's value. */
  readonly clearsEmpty?: boolean;
}

/**
 * Reads a resource mapper of contact fields and converts each value to the type that the service lists for it: fields
 * of an API-written or an AI-written workflow have no types of their own.
 *
 * @throws InputProblem for a field that does not exist, and for a value that does not fit.
 */
export async function readContactFields(
  item: Item,
  parameter: string,
  rule: ContactFieldsRule,
): Promise<Record<string, PropertyValue | null>> {
  const { fields, isAutomatic } = readMapping(item.parameters, parameter, rule.isJson);
  const values: Record<string, PropertyValue | null> = {};
  const unmapped: string[] = [];
  for (const mapped of fields) {
    const { name, stored } = mapped;
    const subject = item.parameters.subjectOf('contact field', name, stored);
    // An empty field needs no request.
    if (rule.clearsEmpty !== true && !mapped.isComputed && isEmpty(stored)) continue;
    const field = await findField(item, name, rule);
    if (field === undefined) {
      if (!isAutomatic) throw await unknownField(item, name, rule);
      if (!isEmpty(mapped.read(subject))) unmapped.push(name);
      continue;
    }
    const named = subject.kind === 'argument' ? subject : { ...subject, name: field.label };
    const value = readField(item, field, mapped, named, isAutomatic);
    if (value !== undefined) values[name] = value;
    else if (rule.clearsEmpty === true && field.clearable) values[name] = null;
  }
  if (unmapped.length > 0) item.note({ code: 'unmapped', names: unmapped });
  return values;
}

function readField(
  { parameters }: Item,
  { type, only, isIdentifier }: ContactFormField,
  mapped: MappedField,
  subject: Subject,
  isAutomatic: boolean,
): PropertyValue | undefined {
  const value = mapped.read(subject, isIdentifier);
  if (isEmpty(value)) return undefined;
  if (isIdentifier) return readIdentifier(subject, value);
  if (only !== false) return parameters.typed(subject, type, value);
  const read = readSwitch(value);
  if (read === false) return false;
  // With automatic mapping the column is read for everybody by its name, so it may be on as it is.
  if (read === true && isAutomatic) return undefined;
  throw misfit(subject, value, isAutomatic ? 'boolean' : 'only-false');
}

async function findField(
  { session }: Item,
  name: string,
  { builtIn, ofCall = [] }: ContactFieldsRule,
): Promise<ContactFormField | undefined> {
  if (ofCall.includes(name)) return undefined;
  const known = builtIn.find((field) => field.name === name);
  if (known !== undefined || propertyNameProblem(name) !== undefined) return known;
  const property = (await session.customProperties()).get(name);
  if (property === undefined) return undefined;
  return { name, label: property.label ?? name, type: property.type, clearable: true };
}

async function unknownField(
  { session }: Item,
  name: string,
  { builtIn, ofCall = [] }: ContactFieldsRule,
): Promise<InputProblem> {
  const standard = new Map<string, ContactField>(Object.entries(CONTACT_FIELDS)).get(name);
  const subject: Subject = { kind: 'contact field', name: standard?.label ?? name };
  if (standard !== undefined || name === 'id' || ofCall.includes(name))
    return new InputProblem({ code: 'field-cannot-be-set', subject });
  const names = [...builtIn.map((field) => field.name), ...(await session.customProperties()).keys()];
  return new InputProblem({ code: 'unknown-field', subject, given: name, names });
}
