import { CONTACT_FIELDS, contactFieldEntries, parseValue, propertyNameProblem } from 'audience-core/internal';
import type { ContactField } from 'audience-core/internal';
import type { PropertyValue } from 'audience-core';
import { isExpression } from '../expressions/expressions.js';
import { InputProblem } from '../messages/errors.js';
import { readMapper } from '../parameters/mapped.js';
import type { Item } from '../run/operation.js';
import { isEmpty, misfit, readIdentifier } from '../values/values.js';
import { isIdentifier } from './contact-fields.js';
import type { ContactFormField } from './contact-fields.js';

/** How an operation reads contact fields. */
export interface ContactFieldsRule {
  /** The fields that every contact has and that it can set. */
  readonly builtIn: readonly ContactFormField[];
  /** Identifiers of the contact: no note says that they are left out. */
  readonly whose?: Readonly<Partial<Record<string, string>>>;
  /** Whether the call itself has a field of that name, so that no contact property can be sent with it. */
  readonly isOfCall?: (name: string) => boolean;
  /** Whether a field that is empty clears the contact's value. */
  readonly clearsEmpty?: boolean;
}

/**
 * Reads a resource mapper of contact fields and converts each value to the type that the service lists for it: fields
 * of an API-written or an AI-written workflow have no types of their own.
 *
 * @throws InputProblem for a field that does not exist and for a value that does not fit.
 */
export async function readContactFields(
  item: Item,
  parameter: string,
  { builtIn, whose = {}, isOfCall = () => false, clearsEmpty = false }: ContactFieldsRule,
): Promise<Record<string, PropertyValue | null>> {
  const { names, isAutomatic, read, stored } = readMapper(item.parameters, parameter);
  const fields: Record<string, PropertyValue | null> = {};
  const unused: string[] = [];
  for (const name of names) {
    // An empty field needs no request.
    if (!clearsEmpty && !isExpression(stored(name)) && isEmpty(read(name, name))) continue;
    const field = isOfCall(name) ? undefined : await findField(item, name, builtIn);
    const subject = subjectOf(field?.label ?? name);
    const value = read(name, subject, isIdentifier(name));
    if (field === undefined) {
      if (!isAutomatic) throw isOfCall(name) ? ownField(name) : await unknownField(item, name, builtIn);
      // With automatic mapping the input may hold anything; only what fits a field is used.
      refuseOptOut(name, value);
      if (!isEmpty(value) && !isIdentifierOf(whose, name, value)) unused.push(name);
    } else if (isEmpty(value)) {
      if (clearsEmpty && field.isClearable) fields[name] = null;
    } else if (field.onlyFalse) {
      if (!readOptOut(subject, value, isAutomatic)) fields[name] = false;
    } else {
      fields[name] = isIdentifier(name)
        ? readIdentifier(subject, value)
        : item.parameters.typed(subject, field.type, value);
    }
  }
  if (unused.length > 0) {
    const quoted = unused.map((name) => `'${name}'`).join(', ');
    item.note(
      `${quoted} of the input matched no contact field. The fields are: ${await namesOf(item, builtIn)}`,
    );
  }
  return fields;
}

function subjectOf(label: string): string {
  return `The contact field '${label}'`;
}

/**
 * Reads a switch that can only be turned off.
 *
 * @param isAutomatic whether the column is read for everybody by its name, so that it may be on as it is.
 * @throws InputProblem for any other value.
 */
function readOptOut(subject: string, value: unknown, isAutomatic: boolean): boolean {
  const read = readFlag(value);
  if (read === false || (read === true && isAutomatic)) return read;
  throw misfit(
    subject,
    value,
    isAutomatic ? 'true or false' : 'false, as only the contact can subscribe again',
    'Use Contact > Unsubscribe for those who opt out, behind a Filter node.',
  );
}

/** @throws InputProblem for somebody who has opted out, where the operation would add them as subscribed. */
function refuseOptOut(name: string, value: unknown): void {
  if (name.toLowerCase() !== 'subscribed' || isEmpty(value) || readFlag(value) === true) return;
  throw new InputProblem(
    `The field '${name}' of the input is '${String(value)}', and this operation cannot unsubscribe`,
    'Send those who have opted out to Contact > Unsubscribe, by a Filter node before this one.',
  );
}

function readFlag(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (['yes', 'y'].includes(text)) return true;
  if (['no', 'n'].includes(text)) return false;
  const read = parseValue('boolean', value);
  return read.ok ? read.value : undefined;
}

function ownField(name: string): InputProblem {
  return new InputProblem(
    `The contact field '${name}' cannot be set by an event, because the event has its own field with this name`,
    'Remove it from the list, and set it with Contact > Update.',
  );
}

function isIdentifierOf(
  whose: Readonly<Partial<Record<string, string>>>,
  name: string,
  value: unknown,
): boolean {
  const own = Object.hasOwn(whose, name) ? whose[name] : undefined;
  return own?.toLowerCase() === String(value).trim().toLowerCase();
}

async function namesOf(item: Item, builtIn: readonly ContactFormField[]): Promise<string> {
  const custom = await item.session.customProperties();
  return [...builtIn.map(({ name }) => name), ...custom.keys()].join(', ');
}

interface KnownField extends ContactFormField {
  readonly isClearable: boolean;
}

async function findField(
  item: Item,
  name: string,
  builtIn: readonly ContactFormField[],
): Promise<KnownField | undefined> {
  const known = builtIn.find((field) => field.name === name);
  if (known !== undefined) {
    const isClearable = contactFieldEntries.some(([one, { clearable }]) => one === name && clearable);
    return { ...known, isClearable };
  }
  if (propertyNameProblem(name) !== undefined) return undefined;
  const property = (await item.session.customProperties()).get(name);
  if (property === undefined) return undefined;
  const { label, type } = property;
  return { name, label: label ?? name, type, onlyFalse: false, isClearable: true };
}

async function unknownField(
  item: Item,
  name: string,
  builtIn: readonly ContactFormField[],
): Promise<InputProblem> {
  const standard: ContactField | undefined = new Map<string, ContactField>(
    Object.entries(CONTACT_FIELDS),
  ).get(name);
  if (standard !== undefined || name === 'id') {
    const canBeSet = standard !== undefined && standard.setBy.length > 0;
    return new InputProblem(
      `The contact field '${standard?.label ?? name}' cannot be set here`,
      canBeSet
        ? 'Remove it from the list. If the operation has this field, it stands outside of the list.'
        : 'Remove it from the list: the service sets it by itself.',
    );
  }
  const canExist = propertyNameProblem(name) === undefined;
  return new InputProblem(
    `There is no contact property '${name}'`,
    `Use one of: ${await namesOf(item, builtIn)}${canExist ? '; or create it first with Contact Property > Create' : ''}.`,
  );
}
