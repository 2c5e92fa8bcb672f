import { propertyTypeSchema } from '../contract/common.js';
import type { EmailSchema } from '../contract/messages.js';
import { propertyNameSchema } from '../contract/property-names.js';
import { encodeValue } from '../contract/property-values.js';
import { PROPERTY_TYPES, type Datum, type PropertyType } from '../types.js';
import { fieldsOf } from '../is-record.js';
import { validate } from '../issues.js';
import { nearest } from '../nearest.js';
import type { Problem, ProblemDetails } from '../messages/problems.js';
import * as z from '../zod.js';

/** The custom properties that contacts have: name to type. */
export type ContactSchema = Readonly<Record<string, PropertyType>>;

/** Type of an event's property: one of contact properties, or `json` for any value, such as the lines of a receipt. */
export type EventPropertyType = PropertyType | 'json';

/** The events that a program sends: name to the types of their properties. */
export type EventSchema = Readonly<Record<string, Readonly<Record<string, EventPropertyType>>>>;

/** What an account has. A part that is left out is not checked. */
export interface AccountSchema {
  readonly contacts?: ContactSchema | undefined;
  readonly emails?: EmailSchema | undefined;
  readonly events?: EventSchema | undefined;
}

/** A part of a schema; one that is not declared allows any name. */
export type PartOf<Schema extends AccountSchema, Part extends keyof AccountSchema> =
  Schema extends Readonly<Record<Part, infer Declared extends NonNullable<AccountSchema[Part]>>>
    ? Declared
    : NonNullable<AccountSchema[Part]>;

/** TypeScript type of a property's value, to read and to write; a date is a `Date`. */
export type ValueOf<Type extends EventPropertyType> = {
  string: string;
  number: number;
  boolean: boolean;
  date: Date;
  json: Datum;
}[Type];

const schemaShape = z.strictObject({
  contacts: z.optional(z.record(propertyNameSchema, propertyTypeSchema)),
  emails: z.optional(z.record(z.string(), z.array(z.string()))),
  events: z.optional(z.record(z.string(), z.record(z.string(), z.enum([...PROPERTY_TYPES, 'json'])))),
});

/**
 * Declares what an account has: contacts, emails and events are then typed, and checked before they are sent.
 * `npx --no audience-core schema` writes it:
 *
 * ```ts
 * const schema = defineSchema({
 *   contacts: { teamSize: 'number', trialEndsAt: 'date' },
 *   emails: { 'design-welcome': ['firstName', 'link'] },
 *   events: { orderPlaced: { total: 'number', lines: 'json' } },
 * });
 * ```
 *
 * @throws ValidationError that names each faulty name and type.
 */
export function defineSchema<const Schema extends AccountSchema>(schema: Schema): Schema {
  readSchema(schema);
  return schema;
}

/** The same for data from a file. */
export function readSchema(schema: unknown): AccountSchema {
  return validate(schemaShape, schema, 'The schema cannot be used');
}

/** What is wrong with a named value by the types that are declared; `null` and `undefined` are of any type. */
export function valueProblem(
  types: Readonly<Record<string, EventPropertyType>>,
  name: string,
  value: unknown,
): ProblemDetails | undefined {
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  if (type === undefined) return notInSchema(name, Object.keys(types));
  if (type === 'json' || value === undefined || value === null) return undefined;
  const encoded = encodeValue(type, value);
  return encoded.ok ? undefined : encoded.problem;
}

/** What is wrong with an email by the schema: its design, or a variable that is missing or not declared. */
export function emailProblems(schema: EmailSchema | undefined, message: Fields): Problem[] {
  return declaredProblems(schema, message, 'transactionalId', (names) => {
    const values = fieldsOf(message['dataVariables']);
    const missing = names.filter((name) => values[name] === undefined);
    const others = Object.keys(values).filter((name) => !names.includes(name));
    return [
      ...missing.map((name): Problem => ({ path: ['dataVariables', name], code: 'missing' })),
      ...others.map((name) => ({ path: ['dataVariables', name], ...notInSchema(name, names) })),
    ];
  });
}

/** What is wrong with an event by the schema: its name, or the name or type of a property. */
export function eventProblems(schema: EventSchema | undefined, event: Fields): Problem[] {
  return declaredProblems(schema, event, 'eventName', (types) =>
    Object.entries(fieldsOf(event['eventProperties'])).flatMap(([name, value]) => {
      const problem = valueProblem(types, name, value);
      return problem === undefined ? [] : [{ path: ['eventProperties', name], ...problem }];
    }),
  );
}

type Fields = Readonly<Record<string, unknown>>;

function declaredProblems<Declared>(
  schema: Readonly<Record<string, Declared>> | undefined,
  message: Fields,
  nameField: 'transactionalId' | 'eventName',
  problemsOf: (declared: Declared) => Problem[],
): Problem[] {
  const name = message[nameField];
  if (schema === undefined || typeof name !== 'string') return [];
  const declared = Object.hasOwn(schema, name) ? schema[name] : undefined;
  if (declared !== undefined) return problemsOf(declared);
  return [{ path: [nameField], ...notInSchema(name, Object.keys(schema)) }];
}

function notInSchema(name: string, names: readonly string[]): ProblemDetails {
  return { code: 'notInSchema', expected: names, wayOut: nearest(name, names) };
}
