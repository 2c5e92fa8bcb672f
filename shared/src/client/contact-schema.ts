import { PROPERTY_TYPES, type ContactProperty, type PropertyType } from '../contract/types.js';
import { propertyNameProblem } from '../contract/property-names.js';
import { ValidationError, type ValidationIssue } from '../errors.js';
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
    throw new ValidationError(CANNOT_BE_USED, [{ path: [], message: 'must map names to types' }]);
  const issues: ValidationIssue[] = [];
  for (const [name, type] of Object.entries(schema)) {
    const problem = propertyNameProblem(name);
    if (problem !== undefined) issues.push({ path: [name], message: problem });
    if (!PROPERTY_TYPES.includes(type)) {
      issues.push({ path: [name], message: `must be one of ${PROPERTY_TYPES.join(', ')}` });
    }
  }
  if (issues.length > 0) throw new ValidationError(CANNOT_BE_USED, issues);
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
