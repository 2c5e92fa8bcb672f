import { BUILT_IN_PROPERTIES, propertyNameProblem, READ_ONLY_FIELDS } from 'audience-core/contract';
import type { PropertyType, PropertyValue } from 'audience-core';
import { InputProblem } from '../helpers/errors.js';
import { toWireValue } from '../helpers/values.js';
import type { Item } from './operation.js';

/** Names of contact fields as people see them; custom properties are shown by their label. */
export const BUILT_IN_LABELS: Readonly<Record<string, string>> = {
  email: 'Email',
  userId: 'User ID',
  firstName: 'First Name',
  lastName: 'Last Name',
  source: 'Source',
  subscribed: 'Subscribed',
  createdAt: 'Created At',
};

/** Which fields of a resource mapper an operation takes, and what it says of the others. */
export interface ContactFieldRules {
  /** Built-in fields that can be set. */
  readonly builtIn: readonly string[];
}

/**
 * Reads the resource mapper of contact fields and brings each value to the type that the service lists for it,
 * whatever the workflow stored: fields of an API-written or an AI-written workflow have no types of their own.
 *
 * @throws InputProblem for a field that does not exist and for a value that does not fit.
 */
export async function readContactFields(
  item: Item,
  parameter: string,
  rules: ContactFieldRules,
): Promise<Record<string, PropertyValue>> {
  const { values, automatic } = item.parameters.mapped(parameter);
  const fields: Record<string, PropertyValue> = {};
  for (const [name, value] of Object.entries(values)) {
    const type = await typeOf(item, name, rules);
    if (type === undefined) {
      // With automatic mapping the input may hold anything; only what fits a field is taken.
      if (automatic) continue;
      throw await unknownField(item, name, rules);
    }
    fields[name] = toWireValue(`The contact field '${BUILT_IN_LABELS[name] ?? name}'`, value, type);
  }
  return fields;
}

async function typeOf(item: Item, name: string, rules: ContactFieldRules): Promise<PropertyType | undefined> {
  if (rules.builtIn.includes(name)) return BUILT_IN_PROPERTIES[name];
  if (propertyNameProblem(name) !== undefined) return undefined;
  return (await item.session.propertyTypes()).get(name);
}

async function unknownField(item: Item, name: string, rules: ContactFieldRules): Promise<InputProblem> {
  if ((READ_ONLY_FIELDS as readonly string[]).includes(name)) {
    return new InputProblem(`The field '${name}' cannot be set`, 'The service sets it by itself; remove it.');
  }
  if (Object.hasOwn(BUILT_IN_LABELS, name)) {
    return new InputProblem(
      `The field '${BUILT_IN_LABELS[name]}' cannot be set among the contact fields here`,
      'Remove it from the list; there is a field of its own for it where the operation takes it.',
    );
  }
  const custom = [...(await item.session.propertyTypes()).keys()].filter(
    (key) => propertyNameProblem(key) === undefined,
  );
  const known = [...rules.builtIn, ...custom].join(', ');
  return new InputProblem(
    `There is no contact property '${name}'`,
    `Create it first (Contact Property > Create), or use one of: ${known}.`,
  );
}
