import {
  CONTACT_FIELDS,
  contactIdentifierSchema,
  encodeUntypedValue,
  encodeValue,
  eventSchemas,
  fieldsSetBy,
  isClearable,
  isRecord,
  isRoundedNumber,
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
import type { KnownProperties } from '../../contact-file/fields.js';
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

export function isDateField(name: string): boolean {
  return FIELDS.get(name)?.type === 'date';
}

/** The problems of declared fields, by the path to each field; unknown values are not checked. */
export function fieldProblems(given: Raw, types: KnownProperties['types']): ReadonlyMap<string, Problem> {
  const { properties, clear, ...standard } = given;
  const problems = new Map<string, Problem>();
  const add = (path: FieldPath, found: Problem): void => {
    const key = path.join('.');
    if (!problems.has(key)) problems.set(key, path.length > 1 ? found : { ...found, property: key });
  };
  const addIssue = (issue: Issue): void => add(issue.path, problem('field.wrong', { issue }));
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(standard)) {
    if (value === undefined || holdsUnknown(value)) continue;
    // `null` is an absent identifier.
    if (value === null && FIELDS.get(name)?.isIdentifier === true) continue;
    const date = value !== null && isDateField(name) ? encodeProgramValue('date', value) : undefined;
    if (value === null && !isClearable(name)) add([name], problem('field.notClearable', {}));
    else if (date?.ok === false) addIssue({ ...date.problem, path: [name] });
    else body[name] = date?.value ?? value;
    if (typeof value !== 'string' || !IDENTIFIERS.some((identifier) => identifier === name)) continue;
    const read = readWith(contactIdentifierSchema, value);
    if (!read.ok) for (const issue of read.issues) addIssue({ ...issue, path: [name] });
    else if (name === 'userId' && HIDDEN.test(value)) add([name], problem('field.blank', {}));
  }
  if (properties !== undefined && !isRecord(properties) && !holdsUnknown(properties))
    add(['properties'], problem('field.noProperties', {}));
  for (const [name, value] of Object.entries(propertiesOf(given))) {
    if (value === undefined) continue;
    const path = ['properties', name];
    const result = encodeProperty(types.get(name), value);
    if (FIELDS.has(name)) add(path, problem('field.isOwn', { name }));
    else if (result.ok) body[name] = result.value;
    else addIssue({ ...result.problem, path });
  }
  for (const found of clearProblems(clear, body)) add(['clear'], found);
  const read = readWith(updateContactBodySchema, body);
  for (const issue of read.ok ? [] : read.issues) {
    const [first] = issue.path;
    const isCustom = first !== undefined && !FIELDS.has(String(first));
    addIssue(isCustom ? { ...issue, path: ['properties', ...issue.path] } : issue);
  }
  return problems;
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

type EncodedProperty = Exclude<EncodedValue, { ok: true }> | { ok: true; value: unknown };

function encodeProperty(type: PropertyType | undefined, value: unknown): EncodedProperty {
  if (value === null || holdsUnknown(value)) return { ok: true, value: null };
  if (isRoundedNumber(value)) return { ok: false, problem: { code: 'roundedNumber' } };
  return type === undefined ? encodeUntypedValue(value) : encodeProgramValue(type, value);
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
