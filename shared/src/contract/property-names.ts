import type { ProblemDetails } from '../messages/problems.js';
import * as z from '../zod.js';
import type { PropertyType } from './types.js';
import { contactFieldEntries } from './contact-fields.js';
import { isRoundedNumber } from './property-values.js';
import { refuse, rule } from './rule.js';

/** Field names of a contact that no custom property can have (interface: Contact, "Reserved field names"). */
const RESERVED_PROPERTY_NAMES: readonly string[] = contactFieldEntries
  .filter(([, { setBy }]) => setBy.length > 0)
  .map(([name]) => name);

/** Properties that every account lists, with their types (interface: Contact property, "Built-in properties"). */
export const BUILT_IN_PROPERTIES: Readonly<Record<string, PropertyType>> = Object.fromEntries(
  contactFieldEntries.flatMap(([name, { type }]) => (type === 'groups' ? [] : [[name, type]])),
);

/** The same, and the fields that no call can set. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  ...RESERVED_PROPERTY_NAMES,
  'id',
  ...contactFieldEntries.map(([name]) => name),
]);
const CAMEL_CASE = /^[a-z][a-zA-Z0-9]*$/;

/** Says what is wrong with a name for a custom contact property, or `undefined` when it can be used. */
export function propertyNameProblem(name: string): ProblemDetails | undefined {
  if (!CAMEL_CASE.test(name)) {
    const suggestion = toCamelCase(name);
    const wayOut = suggestion === undefined || UNAVAILABLE.has(suggestion) ? undefined : suggestion;
    return { code: 'notCamelCase', given: name, wayOut };
  }
  if (RESERVED_PROPERTY_NAMES.includes(name)) return { code: 'reservedName', given: name };
  return UNAVAILABLE.has(name) ? { code: 'builtInName', given: name } : undefined;
}

/** The same for a further field of a body: a reserved one that the body lacks, such as `source`, is not of an event. */
function customFieldProblem(name: string): ProblemDetails | undefined {
  const problem = propertyNameProblem(name);
  return problem?.code === 'reservedName' ? { code: 'notInEvent' } : problem;
}

function toCamelCase(name: string): string | undefined {
  const words = name.match(/[A-Za-z0-9]+/g);
  if (words === null) return undefined;
  const camel = words
    .map((word, index) => word.charAt(0)[index === 0 ? 'toLowerCase' : 'toUpperCase']() + word.slice(1))
    .join('');
  return CAMEL_CASE.test(camel) ? camel : undefined;
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
      const problem = customFieldProblem(name);
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
