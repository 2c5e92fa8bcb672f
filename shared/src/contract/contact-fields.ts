import { z } from 'zod/v4';
import { wholeObjectRule } from './check.js';
import { propertyValueSchema } from './common.js';
import type { PropertyType } from './common.js';

/**
 * Field names of a contact that no custom property can have (interface: Contact, "Reserved field names").
 */
export const RESERVED_PROPERTY_NAMES = [
  'email',
  'firstName',
  'lastName',
  'userId',
  'source',
  'subscribed',
  'subscriptionGroups',
] as const;

/** Properties that every account has, with their types (interface: Contact property, "Built-in properties"). */
export const BUILT_IN_PROPERTIES: Readonly<Record<string, PropertyType>> = {
  firstName: 'string',
  lastName: 'string',
  email: 'string',
  userId: 'string',
  source: 'string',
  subscribed: 'boolean',
  createdAt: 'date',
};

/** Fields that the service sets by itself: they are read, never written. */
export const READ_ONLY_FIELDS = ['id', 'createdAt'] as const;

const CAMEL_CASE = /^[a-z][a-zA-Z0-9]*$/;

/**
 * Says what is wrong with a name for a custom contact property, or `undefined` when it can be used.
 *
 * A name is camelCase (interface: Contact property), and neither reserved nor built in.
 */
export function propertyNameProblem(name: string): string | undefined {
  if (!CAMEL_CASE.test(name)) {
    const suggestion = toCamelCase(name);
    const hint = suggestion !== undefined && !isTaken(suggestion) ? `, such as '${suggestion}'` : '';
    return `'${name}' is not camelCase: a property name begins with a small letter and holds letters and digits only${hint}`;
  }
  if ((RESERVED_PROPERTY_NAMES as readonly string[]).includes(name)) {
    return `'${name}' is reserved: it is a field that every contact has; choose another name`;
  }
  if (isTaken(name)) {
    return `'${name}' is built in: the service sets it by itself; choose another name`;
  }
  return undefined;
}

function isTaken(name: string): boolean {
  return (
    (RESERVED_PROPERTY_NAMES as readonly string[]).includes(name) ||
    (READ_ONLY_FIELDS as readonly string[]).includes(name) ||
    Object.hasOwn(BUILT_IN_PROPERTIES, name)
  );
}

function toCamelCase(name: string): string | undefined {
  const words = name.match(/[A-Za-z0-9]+/g);
  if (words === null) return undefined;
  const camel = words
    .map((word, index) =>
      index === 0
        ? word.charAt(0).toLowerCase() + word.slice(1)
        : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('');
  return CAMEL_CASE.test(camel) ? camel : undefined;
}

/** Name of a custom property: camelCase, neither reserved nor built in. */
export const propertyNameSchema = z
  .string()
  .regex(CAMEL_CASE, {
    error: (issue) => propertyNameProblem(issue.input) ?? 'is not camelCase',
    abort: true,
  })
  .refine((name) => propertyNameProblem(name) === undefined, {
    error: (issue) => propertyNameProblem(String(issue.input)) ?? 'cannot be used',
  })
  .meta({ examples: ['teamSize'] });

/**
 * Adds custom properties to a request body: every further top-level field must have a name that a custom
 * property can have, and a value of `value`.
 */
export function withCustomProperties<Shape extends z.core.$ZodLooseShape, Value extends z.ZodType>(
  shape: Shape,
  value: Value,
) {
  return z
    .object(shape)
    .catchall(value)
    .check(
      wholeObjectRule((body, report) => {
        for (const name of Object.keys(body)) {
          if (Object.hasOwn(shape, name)) continue;
          const problem = propertyNameProblem(name);
          if (problem !== undefined) report(name, problem);
        }
      }),
    )
    .meta({
      propertyNames: { pattern: CAMEL_CASE.source, not: { enum: forbiddenBeside(Object.keys(shape)) } },
    });
}

function forbiddenBeside(declared: readonly string[]): string[] {
  const taken = new Set<string>([
    ...RESERVED_PROPERTY_NAMES,
    ...READ_ONLY_FIELDS,
    ...Object.keys(BUILT_IN_PROPERTIES),
  ]);
  return [...taken].filter((name) => !declared.includes(name));
}

/** A custom property's value, or `null` to clear it. */
export const clearablePropertyValueSchema = propertyValueSchema.nullable();
