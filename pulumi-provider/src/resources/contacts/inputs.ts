import * as z from 'zod/mini';
import { eventProblem, eventSchema } from '../contact-record/fields.js';
import { holdsUnknown, unknownInputs } from '../raw.js';
import type { Raw } from '../raw.js';
import { problem } from '../../messages.js';
import type { Problem } from '../../messages.js';
import { FILE_OPTIONS_EXPECTED, fileOptionsShape, optionProblem } from './file/options.js';

/** Schema of the inputs in state. */
export const inputsSchema = z.object({
  file: z.optional(z.string().check(z.minLength(1))),
  contacts: z.optional(z.array(z.record(z.string(), z.unknown()))),
  ...fileOptionsShape,
  maxRemovals: z.optional(z.int().check(z.minimum(0))),
  createWithEvent: z.optional(eventSchema),
  /** Number and hash of all rows, added by the check: `300 contacts, 8f3a1c90b2d4e6f8`. */
  fingerprint: z.optional(z.string()),
});

/** Checked inputs of Contacts. */
export type Inputs = z.infer<typeof inputsSchema>;

const EXPECTED: Readonly<Record<string, string>> = {
  file: 'the path of a file',
  contacts: 'a list of contacts, each an object',
  ...FILE_OPTIONS_EXPECTED,
  maxRemovals: 'a whole number of 0 or more',
};

const INPUT_NAMES = Object.keys(inputsSchema.shape).filter((name) => name !== 'fingerprint');

/** Parses checked inputs, without those that preview does not know. */
export function readInputs(raw: Raw): Inputs {
  return inputsSchema.parse(known(raw));
}

function known(inputs: Raw): Raw {
  return Object.fromEntries(
    Object.entries(inputs).filter(([, value]) => value !== null && !holdsUnknown(value)),
  );
}

/** The first problem of the inputs, without a look at the rows. */
export function inputProblem(inputs: Raw): Problem | undefined {
  const [unknown] = unknownInputs(inputs, INPUT_NAMES);
  if (unknown !== undefined) return unknown;
  if (['file', 'contacts'].filter((name) => (inputs[name] ?? undefined) !== undefined).length !== 1)
    return problem('contacts.source', {});
  const event = eventProblem(inputs['createWithEvent'] ?? undefined);
  if (event !== undefined) return event;
  const parsed = inputsSchema.safeParse(known(inputs));
  if (parsed.success) {
    const text = optionProblem(parsed.data);
    return text === undefined ? undefined : problem('text', { text });
  }
  const [input = '', index] = parsed.error.issues[0]?.path ?? [];
  const name = String(input);
  return name === 'contacts' && typeof index === 'number'
    ? problem('contacts.item', { index })
    : problem('contacts.input', { name, expected: EXPECTED[name] ?? 'of another type' });
}
