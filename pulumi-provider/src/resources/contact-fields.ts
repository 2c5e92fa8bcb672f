import { propertyValueProblem, updateContactBodySchema, validate, ValidationError } from 'audience-core';
import type { ContactProperty, ValidationIssue } from 'audience-core';
import * as z from 'zod';
import { holdsUnknown } from './host.js';
import type { Raw } from './host.js';
import { toWire } from './wire.js';

/** Value of a custom property: what the service takes, `null` to clear it. Dates are Unix seconds here. */
export type FieldValue = string | number | boolean | null;

/** Fields to send, as the client takes them. */
export type Changes = Record<string, FieldValue | Record<string, boolean>>;

/** What can be declared of one contact, in the form of the wire. */
export interface ContactFields {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly source?: string | undefined;
  readonly subscribed?: false | undefined;
  readonly subscriptionGroups?: Readonly<Record<string, boolean>> | undefined;
  readonly properties?: Readonly<Record<string, FieldValue>> | undefined;
}

/** Fields of text that a contact has beside its identifiers; each can be cleared. */
export const TEXT_FIELDS = ['firstName', 'lastName', 'source'] as const;

/** Reads fields that were checked before. */
export const contactFieldsSchema = z.object({
  email: z.string().optional(),
  userId: z.string().optional(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  source: z.string().optional(),
  subscribed: z.literal(false).optional(),
  subscriptionGroups: z.record(z.string(), z.boolean()).optional(),
  properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});

const propertiesSchema = z.record(z.string(), z.unknown());

const STANDARD_FIELDS: readonly string[] = Object.keys(updateContactBodySchema.shape);

/**
 * Faults of a contact's fields by the interface, and of its property values by the service's list. What is not
 * known yet is left for later.
 *
 * @param listed the service's properties; without them, values are not checked against types.
 */
export function fieldIssues(
  fields: Raw,
  listed: readonly ContactProperty[] | undefined,
): readonly ValidationIssue[] {
  const { properties, ...standard } = fields;
  const issues: ValidationIssue[] = [];
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(standard)) {
    if (value !== undefined && !holdsUnknown(value)) body[name] = value;
  }
  const values = propertiesSchema.safeParse(properties ?? {});
  if (values.success) {
    for (const [name, value] of Object.entries(values.data)) {
      if (STANDARD_FIELDS.includes(name)) {
        issues.push({
          path: ['properties', name],
          message: `is a field of its own: declare it beside 'properties'`,
        });
        continue;
      }
      const type = listed?.find(({ key }) => key === name)?.type;
      const problem =
        type === undefined || holdsUnknown(value) ? undefined : propertyValueProblem(type, value);
      if (problem !== undefined) issues.push({ path: ['properties', name], message: problem });
      else
        body[name] = holdsUnknown(value)
          ? null
          : value instanceof Date && Number.isNaN(value.getTime())
            ? value
            : toWire(value);
    }
  } else if (!holdsUnknown(properties)) {
    issues.push({ path: ['properties'], message: 'must be an object of property names and values' });
  }
  return [...issues, ...bodyIssues(body)];
}

function bodyIssues(body: Raw): readonly ValidationIssue[] {
  try {
    validate(updateContactBodySchema, body, '');
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.issues.map((issue) => {
      const [first] = issue.path;
      const isCustom = first !== undefined && !STANDARD_FIELDS.includes(String(first));
      return isCustom ? { ...issue, path: ['properties', ...issue.path] } : issue;
    });
  }
}

/** An issue as one phrase: `'properties.teamSize' must be a number, not text`. */
export function describeIssue({ path, message }: ValidationIssue): string {
  if (path.length === 0 || message.startsWith("'")) return message;
  return `'${path.join('.')}' ${message}`;
}

/**
 * What has to be sent so that a contact with `before` declared has `after`: fields that are new or differ, and
 * `null` for those that are no longer declared, where they can be cleared. Identifiers are left to the caller.
 */
export function fieldChanges(before: ContactFields, after: ContactFields): Changes {
  const changes: Changes = {};
  for (const name of TEXT_FIELDS) {
    if (after[name] !== before[name]) changes[name] = after[name] ?? null;
  }
  if (after.subscribed === false && before.subscribed !== false) changes['subscribed'] = false;
  const groups = Object.entries(after.subscriptionGroups ?? {}).filter(
    ([id, member]) => before.subscriptionGroups?.[id] !== member,
  );
  if (groups.length > 0) changes['subscriptionGroups'] = Object.fromEntries(groups);
  const old = before.properties ?? {};
  const wanted = after.properties ?? {};
  for (const name of Object.keys(old)) {
    if (!Object.hasOwn(wanted, name) && old[name] !== null) changes[name] = null;
  }
  for (const [name, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(old, name) || old[name] !== value) changes[name] = value;
  }
  return changes;
}

/** All declared fields but the identifiers, as they are sent. */
export function declaredFields(fields: ContactFields): Changes {
  return fieldChanges({}, fields);
}
