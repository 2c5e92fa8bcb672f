import { isRecord } from '../is-record.js';
import { customFieldProblem } from '../contract/property-names.js';
import {
  decodeValue,
  encodeUntypedValue,
  encodeValue,
  kindOf,
  propertyValueProblem,
} from '../contract/property-values.js';
import { rule } from '../contract/rule.js';
import type { Problem, ProblemDetails } from '../problem.js';
import type { ContactSchema } from './contact-schema.js';

/**
 * Encodes typed values for the wire: a `Date` becomes Unix seconds, `undefined` is left out. With a schema, each custom
 * property must be in it and have its type.
 *
 * @param standardFields fields that are no custom properties.
 */
export function encodeFields(
  fields: unknown,
  standardFields: ReadonlySet<string>,
  schema: ContactSchema | undefined,
): { readonly body: unknown; readonly problems: Problem[] } {
  const problems: Problem[] = [];
  if (!isRecord(fields)) {
    problems.push({
      path: [],
      code: 'wrongType',
      expected: 'object',
      given: kindOf(fields),
    });
    return { body: fields, problems };
  }
  const encodeDate = (value: unknown, path: readonly string[]): unknown => {
    if (!(value instanceof Date)) return value;
    const encoded = encodeUntypedValue(value);
    if (encoded.ok) return encoded.value;
    problems.push({ path, ...encoded.problem });
    return null;
  };
  const body = mapGiven(fields, (name, value) => {
    if (standardFields.has(name))
      return isRecord(value) ? mapGiven(value, (inner, one) => encodeDate(one, [name, inner])) : value;
    const problem = customFieldProblem(name) ?? schemaProblem(schema, name, value);
    if (problem === undefined) return encodeDate(value, [name]);
    problems.push({ path: [name], ...problem });
    return value;
  });
  return { body, problems };
}

/** The fields that are not `undefined`, each with another value. */
function mapGiven(
  fields: Readonly<Record<string, unknown>>,
  encode: (name: string, value: unknown) => unknown,
): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]): [string, unknown] => [name, encode(name, value)]));
}

function schemaProblem(
  schema: ContactSchema | undefined,
  name: string,
  value: unknown,
): ProblemDetails | undefined {
  if (schema === undefined) return undefined;
  const type = Object.hasOwn(schema, name) ? schema[name] : undefined;
  if (type === undefined) return { code: 'notInSchema', expected: Object.keys(schema) };
  if (value === null) return undefined;
  const encoded = encodeValue(type, value);
  return encoded.ok ? undefined : encoded.problem;
}

/** The fields of an object; none of any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** A contact with its date properties as `Date`s. */
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

/** Checks that a contact's custom properties have the types of a schema. */
export function hasTypesOf(schema: ContactSchema): ReturnType<typeof rule> {
  return rule((contact, report) => {
    for (const [name, type] of Object.entries(schema)) {
      const value = Object.hasOwn(contact, name) ? contact[name] : null;
      const problem = propertyValueProblem(type, value);
      if (problem !== undefined) report(name, problem);
    }
  });
}
