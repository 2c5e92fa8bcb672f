import * as z from 'zod/mini';
import { eventProblem, eventSchema, withEventOnWire } from '../contact-record/creation-event.js';
import { holdsUnknown } from '../raw.js';
import type { Raw } from '../raw.js';
import { unknownInput } from '../words.js';
import { FILE_OPTIONS_EXPECTED, fileOptionsShape, optionProblem } from './file/options.js';

/** Schema of the inputs in state. */
export const inputsSchema = z.object({
  file: z.optional(z.string().check(z.minLength(1))),
  contacts: z.optional(z.array(z.record(z.string(), z.unknown()))),
  ...fileOptionsShape,
  maxUnsubscribes: z.optional(z.int().check(z.minimum(0))),
  createWithEvent: z.optional(eventSchema),
  /** Number and hash of all rows, added by the check: `300 contacts, 8f3a1c`. */
  fingerprint: z.optional(z.string()),
});

/** Checked inputs of Contacts. */
export type Inputs = z.infer<typeof inputsSchema>;

const EXPECTED: Readonly<Record<string, string>> = {
  file: 'the path of a file',
  contacts: 'a list of contacts, each an object',
  ...FILE_OPTIONS_EXPECTED,
  maxUnsubscribes: 'a whole number of 0 or more',
};

const INPUT_NAMES = Object.keys(inputsSchema.shape).filter((name) => name !== 'fingerprint');

/** Parses checked inputs, without those that preview does not know. */
export function readInputs(raw: Raw): Inputs {
  return inputsSchema.parse(withEventOnWire(known(raw)));
}

function known(inputs: Raw): Raw {
  return Object.fromEntries(
    Object.entries(inputs).filter(([, value]) => value !== null && !holdsUnknown(value)),
  );
}

/** The first problem of the inputs, without a look at the rows. */
export function inputProblem(inputs: Raw): string | undefined {
  const unknown = Object.keys(inputs).find((name) => !INPUT_NAMES.includes(name));
  if (unknown !== undefined) return unknownInput(unknown, INPUT_NAMES);
  if (['file', 'contacts'].filter((name) => (inputs[name] ?? undefined) !== undefined).length !== 1)
    return "set either 'file' or 'contacts', and not both";
  const event = eventProblem(inputs['createWithEvent'] ?? undefined);
  if (event !== undefined) return event;
  const parsed = inputsSchema.safeParse(withEventOnWire(known(inputs)));
  if (parsed.success) return optionProblem(parsed.data);
  const [name = '', index] = parsed.error.issues[0]?.path ?? [];
  return name === 'contacts' && typeof index === 'number'
    ? `'contacts[${index}]' must be an object with the fields of a Contact`
    : `'${String(name)}' must be ${EXPECTED[String(name)] ?? 'of another type'}`;
}
