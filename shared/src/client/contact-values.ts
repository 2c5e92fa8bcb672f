import { isRecord } from '../is-record.js';
import { propertyNameProblem } from '../contract/property-names.js';
import {
  decodeValue,
  describeRefusal,
  encodeUntypedValue,
  encodeValue,
  propertyValueProblem,
} from '../contract/property-values.js';
import { rule } from '../contract/rule.js';
import type { ValidationIssue } from '../errors.js';
import type { ContactSchema } from './contact-schema.js';

/** Fields in the form of the wire, and what is wrong with them. */
export interface EncodedFields {
  readonly body: unknown;
  readonly issues: readonly ValidationIssue[];
}

/**
 * Brings typed values into the form of the wire: a `Date` becomes Unix seconds, `undefined` is left out. With a
 * schema, each custom property must be in it and have its type.
 *
 * @param fields what the caller gave.
 * @param standardFields fields that are no custom properties.
 */
export function encodeFields(
  fields: unknown,
  standardFields: ReadonlySet<string>,
  schema: ContactSchema | undefined,
): EncodedFields {
  const issues: ValidationIssue[] = [];
  if (!isRecord(fields)) {
    issues.push({ path: [], message: 'the fields must be an object of names and values' });
    return { body: fields, issues };
  }
  const encode = (name: string, value: unknown): unknown => {
    if (standardFields.has(name)) return isRecord(value) ? encodeMap(name, value, issues) : value;
    const problem = propertyNameProblem(name) ?? schemaProblem(schema, name, value);
    if (problem !== undefined) issues.push({ path: [name], message: problem });
    return problem === undefined ? encodeDate(value, [name], issues) : value;
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    body: Object.fromEntries(given.map(([name, value]): [string, unknown] => [name, encode(name, value)])),
    issues,
  };
}

/** A map of names and values, such as `eventProperties`. */
function encodeMap(
  field: string,
  map: Readonly<Record<string, unknown>>,
  issues: ValidationIssue[],
): Record<string, unknown> {
  const given = Object.entries(map).filter(([, value]) => value !== undefined);
  const encoded = given.map(([name, value]): [string, unknown] => [
    name,
    encodeDate(value, [field, name], issues),
  ]);
  return Object.fromEntries(encoded);
}

function encodeDate(value: unknown, path: readonly string[], issues: ValidationIssue[]): unknown {
  if (!(value instanceof Date)) return value;
  const encoded = encodeUntypedValue(value);
  if (encoded.ok) return encoded.value;
  issues.push({ path, message: describeRefusal(encoded, value) });
  return null;
}

function schemaProblem(schema: ContactSchema | undefined, name: string, value: unknown): string | undefined {
  if (schema === undefined) return undefined;
  const type = Object.hasOwn(schema, name) ? schema[name] : undefined;
  if (type === undefined) {
    const known = Object.keys(schema);
    return `is not a property in the contact schema, which has ${known.length === 0 ? 'none' : known.join(', ')}`;
  }
  if (value === null) return undefined;
  const encoded = encodeValue(type, value);
  return encoded.ok ? undefined : describeRefusal(encoded, value);
}

/** The fields of what should be an object; none of what is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** Turns the Unix seconds of a contact's date properties into `Date`s, where a schema names them. */
export function decodeDates(
  contact: Readonly<Record<string, unknown>>,
  schema: ContactSchema,
): Record<string, unknown> {
  const decoded: Record<string, unknown> = { ...contact };
  for (const [name, type] of Object.entries(schema)) {
    if (Object.hasOwn(contact, name)) decoded[name] = decodeValue(type, contact[name]);
  }
  return decoded;
}

/** Check that a contact's custom properties are of the types that a schema says. */
export function hasTypesOf(schema: ContactSchema): ReturnType<typeof rule> {
  return rule((contact, report) => {
    for (const [name, type] of Object.entries(schema)) {
      if (!Object.hasOwn(contact, name)) continue;
      const problem = propertyValueProblem(type, contact[name]);
      if (problem !== undefined) report(name, problem);
    }
  });
}
