import * as z from 'zod/mini';
import type { Problem } from '../errors.js';
import { eventProblem, eventSchema, withEventOnWire } from '../people/creation-event.js';
import { holdsUnknown } from '../raw.js';
import type { Raw } from '../raw.js';
import { unknownInput } from '../words.js';
import { FILE_OPTIONS_EXPECTED, fileOptionsShape, optionProblem } from './file/options.js';

/** Schema of the inputs as they are kept. */
export const inputsSchema = z.object({
  file: z.optional(z.string().check(z.minLength(1))),
  contacts: z.optional(z.array(z.record(z.string(), z.unknown()))),
  ...fileOptionsShape,
  maxUnsubscribes: z.optional(z.int().check(z.minimum(0))),
  createWithEvent: z.optional(eventSchema),
  /** Number and hash of all rows, added by the check: `300 contacts, 8f3a1c`. */
  fingerprint: z.optional(z.string()),
});

/** Where many contacts are declared, and how. */
export type Inputs = z.infer<typeof inputsSchema>;

/** Words for what each input must be. */
const EXPECTED: Readonly<Record<string, string>> = {
  file: 'the path of a file',
  contacts: 'a list of contacts, each an object',
  ...FILE_OPTIONS_EXPECTED,
  maxUnsubscribes: 'a whole number of 0 or more',
};

/** Names of the inputs that a program gives. */
const INPUT_NAMES = Object.keys(inputsSchema.shape).filter((name) => name !== 'fingerprint');

/** Reads inputs that were checked; those that are not known yet are left out. */
export function readInputs(raw: Raw): Inputs {
  return inputsSchema.parse(withEventOnWire(known(raw)));
}

/** The inputs that are known at preview. */
function known(inputs: Raw): Raw {
  return Object.fromEntries(
    Object.entries(inputs).filter(([, value]) => value !== null && !holdsUnknown(value)),
  );
}

/** What is wrong with the inputs by themselves: the first of it. */
export function shapeProblems(inputs: Raw): Problem[] {
  const problem = (reason: string): Problem[] => [{ property: '', reason }];
  const unknown = Object.keys(inputs).find((name) => !INPUT_NAMES.includes(name));
  if (unknown !== undefined) return problem(unknownInput(unknown, INPUT_NAMES));
  if (['file', 'contacts'].filter((name) => (inputs[name] ?? undefined) !== undefined).length !== 1)
    return problem("set either 'file' or 'contacts', and not both");
  const event = eventProblem(inputs['createWithEvent'] ?? undefined);
  if (event !== undefined) return problem(event);
  const parsed = inputsSchema.safeParse(withEventOnWire(known(inputs)));
  if (parsed.success) {
    const reason = optionProblem(parsed.data);
    return reason === undefined ? [] : problem(reason);
  }
  const [name = '', index] = parsed.error.issues[0]?.path ?? [];
  if (name === 'contacts' && typeof index === 'number') {
    return problem(`'contacts[${index}]' must be an object, with fields as a Contact has them`);
  }
  return problem(`'${String(name)}' must be ${EXPECTED[String(name)] ?? 'of another type'}`);
}
