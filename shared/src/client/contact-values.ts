import { contract } from '../contract/endpoints.js';
import { foreignClass, isRecord } from '../is-record.js';
import {
  decodeValue,
  encodeUntypedValue,
  kindOf,
  propertyValueProblem,
} from '../contract/property-values.js';
import { refuse } from '../contract/rule.js';
import type { Problem } from '../messages/problems.js';
import * as z from '../zod.js';
import { valueProblem, type ContactSchema } from './schema.js';

/**
 * Encodes typed values for the wire: a `Date` becomes Unix seconds, `undefined` is left out. A schema has to have each
 * field that is not one of `standardFields`.
 */
export function encodeFields(
  fields: unknown,
  standardFields: ReadonlySet<string>,
  schema: ContactSchema | undefined,
): { readonly body: unknown; readonly problems: Problem[] } {
  if (!isPlain(fields)) {
    const given = foreignClass(fields) ?? kindOf(fields);
    const problem = { path: [], code: 'wrongType', expected: 'object', given } as const;
    return { body: fields, problems: [problem] };
  }
  const body = mapGiven(fields, (value) =>
    isPlain(value) ? mapGiven(value, encodeDate) : encodeDate(value),
  );
  const custom = Object.keys(schema === undefined ? {} : body).filter((name) => !standardFields.has(name));
  const problems = custom.flatMap((name): Problem[] => {
    const problem = valueProblem(schema ?? {}, name, fields[name]);
    return problem === undefined ? [] : [{ path: [name], ...problem }];
  });
  return { body, problems };
}

/** Another object, such as a promise, stays as it is: the schema of the body refuses it. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && foreignClass(value) === undefined;
}

/** A date that is none stays, and is refused by the schema of the body. */
function encodeDate(value: unknown): unknown {
  const encoded = value instanceof Date ? encodeUntypedValue(value) : undefined;
  return encoded?.ok === true ? encoded.value : value;
}

/** The fields that are not `undefined`, each with another value. */
function mapGiven(
  fields: Readonly<Record<string, unknown>>,
  encode: (value: unknown) => unknown,
): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]): [string, unknown] => [name, encode(value)]));
}

/** The schema of a contact whose custom properties have declared types; a date is read as a `Date`. */
export function typedContactSchema(schema: ContactSchema): z.ZodMiniType {
  const typed = Object.entries(schema).map(([name, type]): [string, z.ZodMiniType] => {
    const value = z.unknown().check(refuse((one: unknown) => propertyValueProblem(type, one)));
    const decode = z.transform((one: unknown) => decodeValue(type, one));
    return [name, z.nullish(z.pipe(value, decode))];
  });
  return z.extend(contract.getContact.response, Object.fromEntries(typed));
}
