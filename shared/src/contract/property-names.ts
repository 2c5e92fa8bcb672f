import type { ProblemDetails } from '../messages/problems.js';
import * as z from '../zod.js';
import type { PropertyType } from '../types.js';
import { contactFieldEntries } from './contact-fields.js';
import { isRoundedNumber } from './property-values.js';
import { refuse, rule } from './rule.js';

/** Properties that every account lists, with their types (interface: Contact property, "Built-in properties"). */
export const BUILT_IN_PROPERTIES: Readonly<Record<string, PropertyType>> = Object.fromEntries(
  contactFieldEntries.flatMap(([name, { type }]) => (type === 'groups' ? [] : [[name, type]])),
);

/** Names that no custom property can have: the fields of every contact (interface: Contact). */
const UNAVAILABLE: ReadonlySet<string> = new Set(['id', ...contactFieldEntries.map(([name]) => name)]);
const CAMEL_CASE = /^[a-z][a-zA-Z0-9]*$/;

/** Says what is wrong with a name for a custom contact property, or `undefined` when it can be used. */
export function propertyNameProblem(name: string): ProblemDetails | undefined {
  if (!CAMEL_CASE.test(name)) return { code: 'notCamelCase', given: name };
  return UNAVAILABLE.has(name) ? { code: 'reservedName', given: name } : undefined;
}

/** Name of a custom property: camelCase, neither reserved nor built in. */
export const propertyNameSchema = z
  .string()
  .check(refuse(propertyNameProblem))
  .register(z.globalRegistry, {
    pattern: CAMEL_CASE.source,
    examples: ['teamSize'],
    not: { enum: [...UNAVAILABLE] },
  });

/** The body of a request with custom properties: further fields, checked by name and by the schema `value`. */
export function withCustomProperties(
  shape: Record<string, z.ZodMiniType>,
  value: z.ZodMiniType,
  rules: readonly z.core.$ZodCheck<object>[],
  meta: Record<string, unknown> = {},
) {
  const names = rule((body, report) => {
    for (const name of Object.keys(body)) {
      if (Object.hasOwn(shape, name)) continue;
      const problem = propertyNameProblem(name);
      if (problem !== undefined) report(name, problem);
      else if (isRoundedNumber(body[name])) report(name, { code: 'roundedNumber' });
    }
  });
  return z
    .catchall(z.object(shape), value)
    .check(names, ...rules)
    .register(z.globalRegistry, {
      propertyNames: {
        pattern: CAMEL_CASE.source,
        not: { enum: [...UNAVAILABLE].filter((name) => !Object.hasOwn(shape, name)) },
      },
      ...meta,
    });
}
