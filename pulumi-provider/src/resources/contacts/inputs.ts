import { PROPERTY_TYPES } from 'audience-core/internal';
import * as z from 'zod/mini';
import { eventProblem, eventSchema, withEventOnWire } from '../creation-event.js';
import { ON_REMOVAL } from '../on-removal.js';
import { holdsUnknown } from '../raw.js';
import type { Problem } from '../errors.js';
import type { Raw } from '../raw.js';
import { typesOf } from '../known-properties.js';
import type { PropertyTypes } from '../known-properties.js';
import type { Run } from '../run.js';
import type { Summary } from './check.js';
import { DELIMITERS } from './csv.js';
import { FILE_FORMATS } from './records.js';

/** Schema of the inputs as they are kept. */
export const inputsSchema = z.object({
  file: z.optional(z.string().check(z.minLength(1))),
  format: z.optional(z.enum(FILE_FORMATS)),
  delimiter: z.optional(z.enum(DELIMITERS)),
  contacts: z.optional(z.array(z.record(z.string(), z.unknown()))),
  propertyTypes: z.optional(z.record(z.string(), z.enum(PROPERTY_TYPES))),
  onRemove: z.optional(z.enum(ON_REMOVAL)),
  maxRemovals: z.optional(z.int().check(z.minimum(0))),
  allowEmpty: z.optional(z.boolean()),
  createWithEvent: z.optional(eventSchema),
  /** Hash of all records, added by the check: tells whether anything changed. */
  fingerprint: z.optional(z.string()),
});

/** Where many contacts are declared, and how. */
export type Inputs = z.infer<typeof inputsSchema>;

/** Words for what each input must be. */
const EXPECTED: Readonly<Record<string, string>> = {
  file: 'the path of a file',
  format: `one of ${FILE_FORMATS.join(', ')}`,
  delimiter: `one of ${DELIMITERS.map((one) => JSON.stringify(one)).join(' ')}`,
  contacts: 'a list of contacts, each an object',
  propertyTypes: `property names with one of ${PROPERTY_TYPES.join(', ')} each`,
  onRemove: `one of ${ON_REMOVAL.join(', ')}`,
  maxRemovals: 'a whole number of 0 or more',
  allowEmpty: 'true or false',
};

/** Names of all inputs, the fingerprint among them. */
export const INPUT_NAMES = Object.keys(inputsSchema.shape);

/** The inputs that are known at preview. */
export function known(inputs: Raw): Raw {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => !holdsUnknown(value)));
}

/** What is wrong with the inputs by themselves: the first of it. */
export function shapeProblems(inputs: Raw): Problem[] {
  const problem = (reason: string): Problem[] => [{ property: '', reason }];
  for (const name of Object.keys(inputs)) {
    if (!INPUT_NAMES.includes(name)) {
      const names = INPUT_NAMES.filter((one) => one !== 'fingerprint').join(', ');
      return problem(`'${name}' is not an input of contacts, which are ${names}`);
    }
  }
  if ((inputs['file'] === undefined) === (inputs['contacts'] === undefined)) {
    return problem("contacts are declared by a 'file' or by an array 'contacts': give one of the two");
  }
  const event = eventProblem(inputs['createWithEvent']);
  if (event !== undefined) return problem(event);
  const parsed = inputsSchema.safeParse(withEventOnWire(known(inputs)));
  if (parsed.success) return [];
  const [name = '', place] = parsed.error.issues[0]?.path ?? [];
  if (name === 'contacts' && typeof place === 'number') {
    return problem(`'contacts[${place}]' must be an object, with fields as a Contact has them`);
  }
  return problem(`'${String(name)}' must be ${EXPECTED[String(name)] ?? 'of another type'}`);
}

/** Whether those who leave stay in the service as they are: what `onRemove` is unless given. */
export function retains({ onRemove }: { readonly onRemove?: unknown }): boolean {
  return onRemove === undefined || onRemove === 'retain';
}

/** Types of custom properties that the inputs name. */
export function typesGiven({ propertyTypes }: Inputs): PropertyTypes {
  return new Map(Object.entries(propertyTypes ?? {}));
}

/** Types of the custom properties of the records: as given, else as the service has them. */
export async function typesNow(inputs: Inputs, { properties }: Summary, run: Run): Promise<PropertyTypes> {
  const given = typesGiven(inputs);
  const open = [...properties.keys()].filter((name) => !given.has(name));
  if (open.length === 0) return given;
  return new Map([...typesOf(open, await run.properties.fresh()), ...given]);
}
