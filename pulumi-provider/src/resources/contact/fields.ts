import {
  CONTACT_FIELDS,
  contactFieldEntries,
  contactIdentifierSchema,
  describeRefusal,
  encodeUntypedValue,
  encodeValue,
  fieldsSetBy,
  isRecord,
  parseValue,
  readWith,
  updateContactBodySchema,
  WIRE_SCHEMAS,
} from 'audience-core/internal';
import type {
  ContactField,
  EncodedValue,
  FieldSetBy,
  FieldValues,
  PropertyType,
  ValidationIssue,
} from 'audience-core/internal';
import * as z from 'zod/mini';
import { holdsUnknown } from '../raw.js';
import type { Raw } from '../raw.js';
import type { PropertyTypes } from '../known-properties.js';

/** Value of a custom property: what the service takes, `null` to clear it. Dates are Unix seconds here. */
export type FieldValue = string | number | boolean | null;

/** Fields to send, as the client takes them. */
export type Changes = Record<string, FieldValue | Record<string, boolean>>;

/** What can be declared of one contact, in the form of the wire. */
export type ContactFields = FieldValues<FieldSetBy<'updateContact'>> & {
  properties?: Readonly<Record<string, FieldValue>> | undefined;
};

/** Fields of a contact that an update can set, by name. */
export const FIELDS: ReadonlyMap<string, ContactField> = new Map(
  fieldsSetBy('updateContact').map((name): [string, ContactField] => [name, CONTACT_FIELDS[name]]),
);

/** Fields that find a contact. */
export const IDENTIFIERS = ['email', 'userId'] as const;

/** Names of all that a contact can declare. */
export const RECORD_FIELDS: readonly string[] = [...FIELDS.keys(), 'properties'];

/** Schemas of what state keeps of a contact. */
export const keptShape: Readonly<Record<string, z.ZodMiniType>> = {
  ...Object.fromEntries([...FIELDS].map(([name, { type }]) => [name, z.optional(WIRE_SCHEMAS[type])])),
  properties: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
};

const keptSchema = z.pipe(z.object(keptShape), z.custom<ContactFields, Raw>());

/** Reads fields that were checked, and brought to the form of the wire, before. */
export function keptFields(raw: Raw): ContactFields {
  return keptSchema.parse(raw);
}

/** The declared custom properties by name; none where they are not an object, or not known yet. */
export function propertiesOf(fields: Raw): Raw {
  const { properties } = fields;
  return isRecord(properties) ? properties : {};
}

/** Ids of the declared subscription groups. */
export function groupsOf(fields: Raw): string[] {
  const { subscriptionGroups } = fields;
  return isRecord(subscriptionGroups) ? Object.keys(subscriptionGroups) : [];
}

/** Brings a value of a property to the wire: that of programs, or that of files. */
export type Codec = (type: PropertyType, value: unknown) => EncodedValue;

/** The codec of programs: values have their types, but for dates, which many languages have as ISO 8601 text only. */
export const encodeProgramValue: Codec = (type, value) =>
  type === 'date' && typeof value === 'string' ? parseValue(type, value) : encodeValue(type, value);

/** Fields in the form of the wire, and what is wrong with them. */
export interface Encoded {
  readonly fields: Raw;
  readonly issues: readonly ValidationIssue[];
}

/**
 * Brings declared fields to the form of the wire and finds their faults by the interface. What is not known yet is
 * left for later.
 *
 * @param types types of custom properties; a value without a type is only checked to be one that the service takes.
 * @param codec `encodeProgramValue` for values of a program, `parseValue` for those of a file.
 */
export function encodeFields(given: Raw, types: PropertyTypes, codec: Codec = encodeProgramValue): Encoded {
  const { properties, ...standard } = given;
  const issues: ValidationIssue[] = [];
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(standard)) {
    if (value === undefined || holdsUnknown(value)) continue;
    fields[name] = value;
    issues.push(...identifierIssues(name, value));
  }
  const encoded = new Map<string, unknown>();
  if (properties === undefined || isRecord(properties)) {
    for (const [name, value] of Object.entries(properties ?? {})) {
      if (value === undefined) continue;
      const path = ['properties', name];
      if (FIELDS.has(name)) {
        issues.push({ path, message: `is a field of its own: declare it beside 'properties'` });
        continue;
      }
      const result = encodeProperty(types.get(name), value, codec);
      if (result.ok) encoded.set(name, result.value);
      else issues.push({ path, message: describeRefusal(result, value) });
    }
  } else if (!holdsUnknown(properties)) {
    issues.push({ path: ['properties'], message: 'must be an object of property names and values' });
  }
  const told = new Set(issues.map(({ path }) => path.join('.')));
  issues.push(...bodyIssues(fields, encoded).filter(({ path }) => !told.has(path.join('.'))));
  return {
    fields: properties === undefined ? fields : { ...fields, properties: Object.fromEntries(encoded) },
    issues,
  };
}

type EncodedProperty = Exclude<EncodedValue, { ok: true }> | { ok: true; value: FieldValue };

function encodeProperty(type: PropertyType | undefined, value: unknown, codec: Codec): EncodedProperty {
  if (value === null || holdsUnknown(value)) return { ok: true, value: null };
  return type === undefined ? encodeUntypedValue(value) : codec(type, value);
}

/** Makes one identifier another, of somebody else, though people see no difference. */
const HIDDEN = /^\s|\s$|[\p{Cc}\u200B\u2060\uFEFF]/u;

/** What a path cannot hold: the contact could never be found by it. */
function identifierIssues(name: string, value: unknown): ValidationIssue[] {
  if (typeof value !== 'string' || !IDENTIFIERS.some((identifier) => identifier === name)) return [];
  const read = readWith(contactIdentifierSchema, value);
  if (!read.ok) return read.issues.map(({ message }) => ({ path: [name], message }));
  return name === 'userId' && HIDDEN.test(value)
    ? [
        {
          path: [name],
          message:
            'has a blank at its edge, or a character that nobody sees, by which it is another userId to the service than the one without',
        },
      ]
    : [];
}

function bodyIssues(fields: Raw, properties: ReadonlyMap<string, unknown>): readonly ValidationIssue[] {
  const read = readWith(updateContactBodySchema, { ...fields, ...Object.fromEntries(properties) });
  if (read.ok) return [];
  return read.issues.map((issue) => {
    const [first] = issue.path;
    const isCustom = first !== undefined && !FIELDS.has(String(first));
    return isCustom ? { ...issue, path: ['properties', ...issue.path] } : issue;
  });
}

/** Dates, however deep, in the form in which they are compared, kept and sent: Unix seconds. */
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

/**
 * What has to be sent so that a contact with `before` declared has `after`: fields that are new or differ, and
 * `null` for those that are no longer declared, where they can be cleared. Identifiers are left to the caller.
 */
export function fieldChanges(before: ContactFields, after: ContactFields): Changes {
  const changes: Changes = {};
  for (const [name, { type, isIdentifier, clearable }] of contactFieldEntries) {
    if (isIdentifier === true || name === 'createdAt') continue;
    const [was, is] = [before[name], after[name]];
    if (type === 'groups') {
      const changed = changedGroups(was, is);
      if (Object.keys(changed).length > 0) changes[name] = changed;
    } else if (is === undefined) {
      if (was !== undefined && clearable) changes[name] = null;
    } else if (is !== was) {
      changes[name] = is;
    }
  }
  const [old, wanted] = [before.properties ?? {}, after.properties ?? {}];
  for (const name of Object.keys(old)) {
    if (!Object.hasOwn(wanted, name) && old[name] !== null) changes[name] = null;
  }
  for (const [name, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(old, name) || old[name] !== value) changes[name] = value;
  }
  return changes;
}

const groupsSchema = z.catch(z.record(z.string(), z.boolean()), {});

function changedGroups(was: unknown, is: unknown): Record<string, boolean> {
  const [before, after] = [groupsSchema.parse(was ?? {}), groupsSchema.parse(is ?? {})];
  return Object.fromEntries(Object.entries(after).filter(([id, member]) => before[id] !== member));
}

/** All declared fields but the identifiers, as they are sent. */
export function declaredFields(fields: ContactFields): Changes {
  return fieldChanges({}, fields);
}
