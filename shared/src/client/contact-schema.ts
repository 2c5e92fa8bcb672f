import { PROPERTY_TYPES, type ContactProperty, type PropertyType } from '../contract/types.js';
import { propertyNameProblem } from '../contract/property-names.js';
import { ValidationError } from '../errors.js';
import type { Problem } from '../problem.js';
import { isRecord } from '../is-record.js';

/** The custom properties that contacts have: name to type. */
export type ContactSchema = Readonly<Record<string, PropertyType>>;

/** TypeScript type of a property's value, to read and to write; a date is a `Date`. */
export type ValueOf<Type extends PropertyType> = {
  string: string;
  number: number;
  boolean: boolean;
  date: Date;
}[Type];

const CANNOT_BE_USED = 'The contact schema cannot be used';

/**
 * Declares the custom properties that contacts have, for typed contacts, updates and events:
 *
 * ```ts
 * const schema = defineContactSchema({ teamSize: 'number', trialEndsAt: 'date' });
 * ```
 *
 * @throws ValidationError for a name that no custom property can have, and for a type that does not exist.
 */
export function defineContactSchema<const Schema extends ContactSchema>(schema: Schema): Schema {
  if (!isRecord(schema))
    throw new ValidationError(CANNOT_BE_USED, [{ path: [], code: 'wrongType', expected: 'object' }]);
  const problems: Problem[] = [];
  for (const [name, type] of Object.entries(schema)) {
    const problem = propertyNameProblem(name);
    if (problem !== undefined) problems.push({ path: [name], ...problem });
    if (!PROPERTY_TYPES.includes(type)) {
      problems.push({ path: [name], code: 'notOneOf', expected: PROPERTY_TYPES });
    }
  }
  if (problems.length > 0) throw new ValidationError(CANNOT_BE_USED, problems);
  return schema;
}

/** The schema that a list of contact properties amounts to, without the built-in ones. */
export function contactSchemaOf(properties: readonly ContactProperty[]): ContactSchema {
  return Object.fromEntries(
    properties
      .filter(({ key }) => propertyNameProblem(key) === undefined)
      .map(({ key, type }): [string, PropertyType] => [key, type])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
