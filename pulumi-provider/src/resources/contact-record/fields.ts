import {
  CONTACT_FIELDS,
  contactIdentifierSchema,
  encodeUntypedValue,
  encodeValue,
  fieldsSetBy,
  isRecord,
  isRoundedNumber,
  parseValue,
  readWith,
  wordIssue,
  wordProblem,
  updateContactBodySchema,
  WIRE_SCHEMAS,
} from 'audience-core/internal';
import type { ContactField, EncodedValue, PropertyType, ValidationIssue } from 'audience-core/internal';
import * as z from 'zod/mini';
import { holdsUnknown } from '../raw.js';
import type { Raw } from '../raw.js';
import type { PropertyTypes } from '../known-service.js';

/** Fields of a contact that an update can set, by name. */
export const FIELDS: ReadonlyMap<string, ContactField> = new Map(
  fieldsSetBy('updateContact').map((name): [string, ContactField] => [name, CONTACT_FIELDS[name]]),
);

export const IDENTIFIERS = ['email', 'userId'] as const;

/** Names of all inputs of a contact in a list. */
export const RECORD_FIELDS: readonly string[] = [...FIELDS.keys(), 'properties', 'clear'];

/** Schemas of a contact's fields and properties. */
export const fieldShape: Readonly<Record<string, z.ZodMiniType>> = {
  ...Object.fromEntries([...FIELDS].map(([name, { type }]) => [name, z.optional(WIRE_SCHEMAS[type])])),
  properties: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
};

/** The same for a declared contact. */
export const recordShape: Readonly<Record<string, z.ZodMiniType>> = {
  ...fieldShape,
  clear: z.optional(z.array(z.string())),
};

export function isClearable(name: string): boolean {
  const field = FIELDS.get(name);
  return field === undefined || (field.clearable && field.isIdentifier !== true);
}

/** The declared custom properties; none where they are no object, or unknown. */
export function propertiesOf(fields: Raw): Raw {
  const { properties } = fields;
  return isRecord(properties) ? properties : {};
}

export function clearOf({ clear }: Raw): string[] {
  return Array.isArray(clear) ? clear.filter((name) => typeof name === 'string') : [];
}

/** Encodes a property's value for a request. ISO 8601 text is a date too: YAML has no dates. */
export function encodeProgramValue(type: PropertyType, value: unknown): EncodedValue {
  return type === 'date' && typeof value === 'string' ? parseValue(type, value) : encodeValue(type, value);
}

/** A problem of a declared field: the core's, or one of this package. */
export type FieldIssue =
  | ValidationIssue
  | { readonly path: readonly (string | number)[]; readonly message: string; readonly code?: never };

/** A problem with the name of its field. */
export function wordFieldIssue(issue: FieldIssue): string {
  return issue.code === undefined ? `'${issue.path.join('.')}' ${issue.message}` : wordIssue(issue);
}

/** What is wrong with declared fields; unknown values are not checked. */
export function fieldIssues(given: Raw, types: PropertyTypes): readonly FieldIssue[] {
  const { properties, clear, ...standard } = given;
  const issues: FieldIssue[] = [];
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(standard)) {
    if (value === undefined || holdsUnknown(value)) continue;
    // `null` is an absent identifier.
    if (value === null && FIELDS.get(name)?.isIdentifier === true) continue;
    if (value === null && !isClearable(name)) issues.push({ path: [name], message: CANNOT_BE_CLEARED });
    else fields[name] = value;
    issues.push(...identifierIssues(name, value));
  }
  const encoded: Record<string, unknown> = {};
  if (properties !== undefined && !isRecord(properties) && !holdsUnknown(properties))
    issues.push({ path: ['properties'], message: 'must be an object of property names and values' });
  for (const [name, value] of Object.entries(propertiesOf(given))) {
    if (value === undefined) continue;
    const path = ['properties', name];
    const result = encodeProperty(types.get(name), value);
    if (FIELDS.has(name))
      issues.push({ path, message: `is a field of its own: declare it beside 'properties'` });
    else if (result.ok) encoded[name] = result.value;
    else issues.push({ path, message: wordProblem(result.problem) });
  }
  issues.push(...clearIssues(clear, { ...fields, ...encoded }));
  const reported = new Set(issues.map(({ path }) => path.join('.')));
  return [...issues, ...bodyIssues(fields, encoded).filter(({ path }) => !reported.has(path.join('.')))];
}

const CANNOT_BE_CLEARED = 'cannot be cleared: remove it';

function clearIssues(clear: unknown, declared: Raw): FieldIssue[] {
  if (clear === undefined || holdsUnknown(clear)) return [];
  const path = ['clear'];
  if (!Array.isArray(clear) || clear.some((name) => typeof name !== 'string' || name === ''))
    return [{ path, message: 'must be a list of variable names of fields and properties' }];
  return clearOf({ clear }).flatMap((name) => {
    if (!isClearable(name)) return [{ path, message: `names '${name}', which ${CANNOT_BE_CLEARED}` }];
    const isGiven = Object.hasOwn(declared, name) && declared[name] !== null;
    return isGiven ? [{ path, message: `names '${name}', which also has a value` }] : [];
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

function identifierIssues(name: string, value: unknown): FieldIssue[] {
  if (typeof value !== 'string' || !IDENTIFIERS.some((identifier) => identifier === name)) return [];
  const read = readWith(contactIdentifierSchema, value);
  if (!read.ok) return read.issues.map(({ message }) => ({ path: [name], message }));
  return name === 'userId' && HIDDEN.test(value)
    ? [{ path: [name], message: 'has a blank at its edge, or an invisible character: type it in by hand' }]
    : [];
}

function bodyIssues(fields: Raw, properties: Raw): readonly FieldIssue[] {
  const read = readWith(updateContactBodySchema, { ...fields, ...properties });
  if (read.ok) return [];
  return read.issues.map((issue) => {
    const [first] = issue.path;
    const isCustom = first !== undefined && !FIELDS.has(String(first));
    return isCustom ? { ...issue, path: ['properties', ...issue.path] } : issue;
  });
}

/** A value with all dates in it as Unix seconds. */
export function onWire(value: Raw): Raw;
export function onWire(value: unknown): unknown;
export function onWire(value: unknown): unknown {
  if (value instanceof Date) {
    const encoded = encodeUntypedValue(value);
    return encoded.ok ? encoded.value : null;
  }
  if (Array.isArray(value)) return value.map(onWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, onWire(inner)]));
}
