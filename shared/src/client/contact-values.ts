import { fromUnixSeconds, toUnixSeconds } from '../contract/dates.js';
import type { PropertyType } from '../contract/common.js';
import type { ValidationIssue } from '../errors.js';
import type { ContactSchema } from './contact-schema.js';

/** Longest distance from 1970 that a `Date` can hold, in seconds. */
const LARGEST_UNIX_SECONDS = 8_640_000_000_000;

/** Fields in the form of the wire, and what is wrong with them. */
export interface EncodedFields {
  readonly body: Record<string, unknown>;
  readonly issues: readonly ValidationIssue[];
}

/**
 * Brings typed values into the form of the wire: a `Date` becomes Unix seconds, `undefined` is left out. With a
 * schema, each custom property must be in it and have its type.
 *
 * @param standardFields fields that are no custom properties.
 */
export function encodeFields(
  fields: Readonly<Record<string, unknown>>,
  standardFields: ReadonlySet<string>,
  schema: ContactSchema | undefined,
): EncodedFields {
  const issues: ValidationIssue[] = [];
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (schema !== undefined && !standardFields.has(name)) {
      const problem = schemaProblem(schema, name, value);
      if (problem !== undefined) issues.push({ path: [name], message: problem });
    }
    body[name] = encodeValue(value, [name], issues);
  }
  return { body, issues };
}

/** One value, or a map of values (`eventProperties`), in the form of the wire. */
function encodeValue(value: unknown, path: (string | number)[], issues: ValidationIssue[]): unknown {
  if (value instanceof Date) {
    if (!Number.isNaN(value.getTime())) return toUnixSeconds(value);
    issues.push({ path, message: 'is not a valid date' });
    return null;
  }
  if (path.length === 1 && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, inner]) => inner !== undefined)
        .map(([name, inner]) => [name, encodeValue(inner, [...path, name], issues)]),
    );
  }
  return value;
}

function schemaProblem(schema: ContactSchema, name: string, value: unknown): string | undefined {
  const type = Object.hasOwn(schema, name) ? schema[name] : undefined;
  if (type === undefined) {
    const known = Object.keys(schema);
    return `is not a property in the contact schema, which has ${known.length === 0 ? 'none' : known.join(', ')}`;
  }
  return propertyValueProblem(type, value);
}

/**
 * Says why a value does not fit a property's type, or `undefined` when it does. A date may be a `Date` or whole
 * Unix seconds; `null` fits every type, as it clears the property.
 */
export function propertyValueProblem(type: PropertyType, value: unknown): string | undefined {
  if (value === null) return undefined;
  switch (type) {
    case 'string':
      return typeof value === 'string' ? undefined : `must be text, not ${describe(value)}`;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
        ? undefined
        : `must be a number, not ${describe(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `must be true or false, not ${describe(value)}`;
    case 'date':
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'is not a valid date' : undefined;
      if (typeof value === 'number' && Number.isInteger(value)) {
        return Math.abs(value) <= LARGEST_UNIX_SECONDS
          ? undefined
          : 'must be Unix time in seconds; this looks like milliseconds or finer';
      }
      return `must be a date (a Date or whole Unix seconds), not ${describe(value)}`;
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return Number.isInteger(value)
        ? 'a number'
        : Number.isFinite(value)
          ? 'a decimal number'
          : String(value);
    case 'boolean':
      return 'true or false';
    default:
      return 'an object';
  }
}

/** Turns the Unix seconds of a contact's date properties into `Date`s, where a schema names them. */
export function decodeDates(
  contact: Readonly<Record<string, unknown>>,
  schema: ContactSchema,
): Record<string, unknown> {
  const decoded: Record<string, unknown> = { ...contact };
  for (const [name, type] of Object.entries(schema)) {
    const value = decoded[name];
    if (type === 'date' && typeof value === 'number') decoded[name] = fromUnixSeconds(value);
  }
  return decoded;
}
