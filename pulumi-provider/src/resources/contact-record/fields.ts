import {
  CONTACT_FIELDS,
  contactIdentifierSchema,
  encodeValue,
  eventSchemas,
  fieldsSetBy,
  isClearable,
  isRecord,
  isRoundedNumber,
  nearest,
  parseValue,
  readWith,
  updateContactBodySchema,
  WIRE_SCHEMAS,
  type ContactField,
  type EncodedValue,
  type FieldPath,
  type PropertyType,
  type Problem as Issue,
} from 'audience-core/internal';
import * as z from 'zod/mini';
import { isIdentifier, typeOf, type KnownProperties } from '../../contact-file/fields.js';
import { problem, type Problem } from '../../messages/index.js';
import { holdsUnknown, textsOf, type Raw } from '../raw.js';

/** Fields of a contact that an update can set, by name. */
export const FIELDS: ReadonlyMap<string, ContactField> = new Map(
  fieldsSetBy('updateContact').map((name): [string, ContactField] => [name, CONTACT_FIELDS[name]]),
);

export const IDENTIFIERS = ['email', 'userId'] as const;

type FieldSchemas = Readonly<Record<ContactField['type'], z.ZodMiniType>>;

function shapeOf(schemas: FieldSchemas): Readonly<Record<string, z.ZodMiniType>> {
  return {
    ...Object.fromEntries([...FIELDS].map(([name, { type }]) => [name, z.optional(schemas[type])])),
    properties: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  };
}

/** Fields as the service gives them. */
export const fieldShape = shapeOf(WIRE_SCHEMAS);

/** Fields as a program declares them. YAML has no dates, so text is a date, too. */
export const recordShape: Readonly<Record<string, z.ZodMiniType>> = {
  ...shapeOf({ ...WIRE_SCHEMAS, date: z.union([z.string(), z.number()]) }),
  clear: z.optional(z.array(z.string())),
};
export const RECORD_FIELDS: readonly string[] = Object.keys(recordShape);

/** The declared custom properties; none where they are no object, or unknown. */
export function propertiesOf(fields: Raw): Raw {
  const { properties } = fields;
  return isRecord(properties) ? properties : {};
}

export function clearOf({ clear }: Raw): string[] {
  return textsOf(clear);
}

/** Encodes a property's value for a request. ISO 8601 text is a date too: YAML has no dates. */
export function encodeProgramValue(type: PropertyType, value: unknown): EncodedValue {
  return type === 'date' && typeof value === 'string' ? parseValue(type, value) : encodeValue(type, value);
}

/** The problems of declared fields, each with its path; unknown values are not checked. */
export function fieldProblems(given: Raw, known: KnownProperties): Problem[] {
  const { properties, clear, ...fields } = given;
  const problems = new Map<string, Problem>();
  const add = (path: FieldPath, found: Problem): void => {
    const key = path.join('.');
    if (!problems.has(key)) problems.set(key, path.length > 1 ? found : { ...found, property: key });
  };
  const addIssue = ({ path, ...details }: Issue): void => {
    const where = FIELDS.has(String(path[0])) ? path : ['properties', ...path];
    add(where, problem('field.wrong', { issue: { ...details, path: where } }));
  };
  const custom = propertiesOf(given);
  if (properties !== undefined && !isRecord(properties) && !holdsUnknown(properties))
    add(['properties'], problem('field.noProperties', {}));
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries({ ...custom, ...fields })) {
    // `null` is an absent identifier.
    const isAbsent = value === undefined || (value === null && isIdentifier(name));
    if (isAbsent || holdsUnknown(value)) continue;
    const type = value === null ? undefined : typeOf(name, known);
    const read = type === undefined ? { ok: true, value } : encodeProgramValue(type, value);
    if ('problem' in read) addIssue({ ...read.problem, path: [name] });
    else body[name] = read.value;
  }
  for (const found of clearProblems(clear, body)) add(['clear'], found);
  const read = readWith(updateContactBodySchema, body);
  for (const issue of read.ok ? [] : read.issues) addIssue(issue);
  for (const name of IDENTIFIERS) {
    const { [name]: value } = body;
    if (typeof value !== 'string') continue;
    const address = readWith(contactIdentifierSchema, value);
    for (const issue of address.ok ? [] : address.issues) addIssue({ ...issue, path: [name] });
    if (HIDDEN.test(value)) add([name], problem('field.blank', {}));
  }
  const names = {
    properties: Object.keys(custom),
    clear: clearOf(given).filter((name) => !FIELDS.has(name)),
  };
  for (const [of, those] of Object.entries(names))
    for (const name of those) {
      const found = FIELDS.has(name) ? problem('field.isOwn', { name }) : propertyProblem(name, of, known);
      if (found !== undefined) add([of, name], found);
    }
  return [...problems.values()];
}

/** The problem of a property's name, where it is certain; `of` is the input that has it. */
function propertyProblem(
  name: string,
  of: string,
  { types, isComplete }: KnownProperties,
): Problem | undefined {
  if (!isComplete || types.has(name)) return undefined;
  return problem('input.noProperty', { of, name, near: nearest(name, [...types.keys()]) });
}

function clearProblems(clear: unknown, declared: Raw): Problem[] {
  if (clear === undefined || holdsUnknown(clear)) return [];
  if (!Array.isArray(clear) || clear.some((name) => typeof name !== 'string' || name === ''))
    return [problem('field.clear', {})];
  return clearOf({ clear }).flatMap((name): Problem[] => {
    if (!isClearable(name)) return [problem('field.clearsFixed', { name })];
    const isGiven = Object.hasOwn(declared, name) && declared[name] !== null;
    return isGiven ? [problem('field.clearsGiven', { name })] : [];
  });
}

/** Invisible, but makes a different identifier. */
const HIDDEN = /^\s|\s$|[\p{Cc}\u200B\u2060\uFEFF]/u;

/** An event that creates a contact, as a request has it. */
export const eventSchema = z.strictObject(eventSchemas);
export type CreationEvent = z.infer<typeof eventSchema>;

/** The problem of a `createWithEvent`, where it is known and has one. */
export function eventProblem(event: unknown): Problem | undefined {
  if (event === undefined || holdsUnknown(event)) return undefined;
  const values = isRecord(event) && isRecord(event['eventProperties']) ? event['eventProperties'] : {};
  const rounded = Object.keys(values).find((name) => isRoundedNumber(values[name]));
  if (rounded !== undefined) return problem('event.rounded', { name: rounded });
  const read = readWith(eventSchema, event);
  const [issue] = read.ok ? [] : read.issues;
  return issue && problem('event.wrong', { issue });
}

export function eventOf({ createWithEvent }: Raw): CreationEvent | undefined {
  return createWithEvent === undefined ? undefined : eventSchema.parse(createWithEvent);
}
