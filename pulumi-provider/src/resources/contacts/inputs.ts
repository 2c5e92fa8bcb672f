import { readWith, wordIssue } from 'audience-core/internal';
import * as z from 'zod/mini';
import { comparableText } from '../../contact-file/consent.js';
import { bare, equalNames } from '../../contact-file/headers.js';
import { optionsShape } from '../../contact-file/options.js';
import { problem, SENTENCES, type Problem } from '../../messages/index.js';
import { eventProblem, eventSchema } from '../contact-record/fields.js';
import { holdsUnknown, unknownInputs, type Raw } from '../raw.js';

export const inputsSchema = z.object({
  ...optionsShape({
    consent: SENTENCES['contacts.consent'],
    others: SENTENCES['contacts.others'],
    encoding: SENTENCES['contacts.encoding'],
    dateFormat: SENTENCES['contacts.dateFormat'],
  }),
  maxRemovals: z.optional(z.int().check(z.minimum(0))),
  createWithEvent: z.optional(eventSchema),
});

/** Where contacts are declared, and how to read them. */
export type Inputs = z.infer<typeof inputsSchema>;

const INPUT_NAMES = Object.keys(inputsSchema.shape);

/** Parses checked inputs, without those that preview does not know. */
export function readInputs(raw: Raw): Inputs {
  return inputsSchema.parse(known(raw));
}

function known(inputs: Raw): Raw {
  return Object.fromEntries(
    Object.entries(inputs).filter(([, value]) => value !== null && !holdsUnknown(value)),
  );
}

/** The source for messages: `'people.csv'`, or `the array 'contacts'`. */
export function nameOfSource({ file }: Pick<Inputs, 'file'>): string {
  return file === undefined ? "the array 'contacts'" : `'${file}'`;
}

/** The first problem of the inputs, without a look at the rows. */
export function inputProblem(inputs: Raw): Problem | undefined {
  const [unknown] = unknownInputs(inputs, INPUT_NAMES);
  if (unknown !== undefined) return unknown;
  if (['file', 'contacts'].filter((name) => (inputs[name] ?? undefined) !== undefined).length !== 1)
    return problem('contacts.source', {});
  const event = eventProblem(inputs['createWithEvent'] ?? undefined);
  if (event !== undefined) return event;
  const read = readWith(inputsSchema, known(inputs));
  if (!read.ok) return problem('text', { text: read.issues.map((issue) => wordIssue(issue)).join('; ') });
  const { columns = {}, consent } = read.data;
  const answers = typeof consent === 'object' ? consent : {};
  const names = [
    ...[columns, answers].map((headers) => equalNames(Object.keys(headers), bare)),
    ...Object.values(answers).map((texts) => equalNames(Object.keys(texts), comparableText)),
  ].find(({ length }) => length > 0);
  return names && problem('contacts.equal', { names });
}
