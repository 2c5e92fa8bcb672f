import {
  CONTACT_FIELDS,
  contactFieldEntries,
  fieldsSetBy,
  propertyNameProblem,
} from 'audience-core/internal';
import type { ContactField, ContactFieldName, FieldWriter } from 'audience-core/internal';
import type { PropertyType, PropertyValue } from 'audience-core';
import type { INodeProperties } from 'n8n-workflow';
import { InputProblem } from '../helpers/errors.js';
import { byHand } from '../helpers/formulas.js';
import { isEmpty, looksLikeThousands, readIdentifier, readValue } from '../helpers/values.js';
import { dotRead, leftOut } from './notes.js';
import type { Item } from './operation.js';
import { readOptOut, refuseOptOut } from './opt-out.js';

/** A field of a contact as a form has it. */
export interface ContactFormField {
  readonly name: string;
  readonly label: string;
  readonly type: PropertyType;
  /** Whether `false` is the only value that can be set. */
  readonly onlyFalse: boolean;
}

/** The table of contact fields, each with the widest type of an entry. */
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

/** Names and labels of the fields that every contact has and that can be cleared. */
export function clearableFields(): { name: string; value: string }[] {
  return contactFieldEntries
    .filter(([, { clearable }]) => clearable)
    .map(([value, { label }]) => ({ name: label, value }));
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

/** Reads such form fields from a collection; those that were left empty are left out. */
export function readFieldProperties(
  { parameters }: Item,
  parent: string,
  fields: readonly ContactFormField[],
): Record<string, PropertyValue> {
  const values: Record<string, PropertyValue> = {};
  for (const { name, label, type } of fields) {
    const parameter = `${parent}.${name}`;
    const textOf = () =>
      isIdentifier(name) ? parameters.identifier(parameter, 'person') : parameters.text(parameter);
    const value = type === 'string' ? textOf() : parameters.given(parameter).value;
    if (!isEmpty(value)) values[name] = readValue(`'${label}'`, type, value);
  }
  return values;
}

/** The values of a resource mapper, and what was left out of it, each as the end of a sentence. */
export interface ReadContactFields {
  readonly fields: Record<string, PropertyValue>;
  readonly leftOut: readonly string[];
}

/**
 * Reads the resource mapper of contact fields and brings each value to the type that the service lists for it,
 * whatever the workflow stored: fields of an API-written or an AI-written workflow have no types of their own.
 *
 * @param whose identifiers by which the operation addresses the contact: they are not left out.
 * @param isTaken whether the call has something of its own under a name, so that no custom property can come with it.
 * @throws InputProblem for a field that does not exist and for a value that does not fit.
 */
export async function readContactFields(
  item: Item,
  parameter: string,
  builtIn: readonly ContactFormField[],
  whose: Readonly<Partial<Record<string, string>>> = {},
  isTaken: (name: string) => boolean = () => false,
): Promise<ReadContactFields> {
  const { names, automatic, read, isByExpression, isTyped, adviceOnColumnsOf } =
    item.parameters.mapped(parameter);
  const fields: Record<string, PropertyValue> = {};
  const notes: string[] = [];
  const unused: string[] = [];
  for (const name of names) {
    // Nothing is asked of the service for a field that was left empty.
    if ((automatic || !isByExpression(name)) && isEmpty(read(name, name))) continue;
    const field = isTaken(name) ? undefined : await findField(item, name, builtIn);
    const subject = `The contact field '${field?.label ?? name}'`;
    const value = read(name, subject, isIdentifier(name));
    if (isEmpty(value)) {
      notes.push(leftOut(subject, adviceOnColumnsOf(name)));
      continue;
    }
    // With automatic mapping the input may hold anything; only what fits a field is taken.
    if (field === undefined && automatic) {
      refuseOptOut(name, value, builtIn);
      if (!isIdentifierOf(whose, name, value)) unused.push(name);
      continue;
    }
    if (isTaken(name)) throw takenName(name);
    if (field === undefined) throw await unknownField(item, name, builtIn);
    const typed = field.onlyFalse
      ? readOptOut(subject, value, automatic)
      : isIdentifier(name)
        ? readIdentifier(subject, value)
        : readValue(subject, field.type, value, isTyped(name) ? byHand : undefined);
    if (looksLikeThousands(field.type, value)) notes.push(dotRead(`the contact field '${field.label}'`));
    // What Contact > Get gives for everyone who is subscribed.
    if (automatic && field.onlyFalse && typed === true) {
      notes.push(`the contact field '${field.label}' stays as it is: only the contact can turn it on`);
      continue;
    }
    fields[name] = typed;
  }
  if (unused.length > 0) {
    const takes = `'Map Automatically' takes fields of these names: ${await namesOf(item, builtIn)}`;
    const sets = unused.length === 1 ? 'sets' : 'set';
    notes.push(`${quoted(unused)} of the input ${sets} nothing on the contact. ${takes}`);
  }
  for (const note of notes) item.note(note);
  return { fields, leftOut: notes };
}

function takenName(name: string): InputProblem {
  return new InputProblem(
    `The contact field '${name}' cannot be set by an event, which has a field of that name itself`,
    'Remove it from the list; Contact > Update sets it.',
  );
}

function isIdentifier(name: string): boolean {
  return contactFieldEntries.some(([known, field]) => known === name && field.isIdentifier === true);
}

function isIdentifierOf(
  whose: Readonly<Partial<Record<string, string>>>,
  name: string,
  value: unknown,
): boolean {
  const own = Object.hasOwn(whose, name) ? whose[name] : undefined;
  return own?.toLowerCase() === String(value).trim().toLowerCase();
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

async function namesOf(item: Item, builtIn: readonly ContactFormField[]): Promise<string> {
  const custom = await item.session.customProperties();
  return [...builtIn.map(({ name }) => name), ...custom.keys()].join(', ');
}

async function findField(
  item: Item,
  name: string,
  builtIn: readonly ContactFormField[],
): Promise<ContactFormField | undefined> {
  const known = builtIn.find((field) => field.name === name);
  if (known !== undefined || propertyNameProblem(name) !== undefined) return known;
  const property = (await item.session.customProperties()).get(name);
  return property && { name, label: property.label ?? name, type: property.type, onlyFalse: false };
}

async function unknownField(
  item: Item,
  name: string,
  builtIn: readonly ContactFormField[],
): Promise<InputProblem> {
  const standard = contactFieldEntries.find(([known]) => known === name);
  if (standard !== undefined || name === 'id') {
    const canBeSet = standard !== undefined && standard[1].setBy.length > 0;
    return new InputProblem(
      `The contact field '${standard?.[1].label ?? name}' cannot be set here`,
      canBeSet
        ? 'Remove it from the list; where the operation takes it, it has a field of its own.'
        : 'The service sets it by itself; remove it from the list.',
    );
  }
  const known = await namesOf(item, builtIn);
  const canExist = propertyNameProblem(name) === undefined;
  return new InputProblem(
    `There is no contact property '${name}'`,
    `Use one of: ${known}${canExist ? '; or create it first (Contact Property > Create)' : ''}.`,
  );
}
