import { consentOfHeader } from 'audience-core/internal';
import * as z from 'zod/mini';
import { problem, type Problem } from '../../messages.js';
import { eventProblem, eventSchema } from '../contact-record/fields.js';
import { holdsUnknown, unknownInputs, type Raw } from '../raw.js';

/** How a file or an array is read. */
export const fileOptionsShape = {
  columns: z.optional(z.record(z.string(), z.nullable(z.string()))),
  unsubscribed: z.optional(z.union([z.boolean(), z.record(z.string(), z.array(z.string()))])),
  headerRow: z.optional(z.int().check(z.minimum(1))),
  sheet: z.optional(z.string().check(z.minLength(1))),
  encoding: z.optional(z.string()),
  nullValues: z.optional(z.array(z.string())),
  emptyCells: z.optional(z.enum(['ignore', 'clear'])),
  dateFormat: z.optional(z.record(z.string(), z.string())),
  invalidRows: z.optional(z.enum(['fail', 'skip'])),
};

export const inputsSchema = z.object({
  file: z.optional(z.string().check(z.minLength(1))),
  contacts: z.optional(z.array(z.record(z.string(), z.unknown()))),
  ...fileOptionsShape,
  maxRemovals: z.optional(z.int().check(z.minimum(0))),
  createWithEvent: z.optional(eventSchema),
  /** Number and hash of all rows, added by the check: `300 contacts, 8f3a1c90b2d4e6f8`. */
  fingerprint: z.optional(z.string()),
});

export type Inputs = z.infer<typeof inputsSchema>;
export type FileOptions = Pick<Inputs, keyof typeof fileOptionsShape>;
/** Where contacts are declared, and how to read them. */
export type RowSource = FileOptions & Pick<Inputs, 'file' | 'contacts'>;

/** What each input must be, for messages. */
const EXPECTED: Readonly<Record<string, string>> = {
  file: 'the path of a file',
  contacts: 'a list of contacts, each an object',
  columns:
    "headers with their fields, or null for one that is not read: { 'Email Address': 'email', Notes: null }",
  unsubscribed: "true, or headers with the texts that mean no mail: { Status: ['unsubscribed', 'cleaned'] }",
  headerRow: 'the line of the header, such as 4',
  sheet: 'the name of a sheet',
  encoding: "an encoding: 'utf-8', or a label such as 'windows-1252'",
  nullValues: "a list of texts, for example ['NULL']",
  emptyCells: "'ignore' or 'clear'",
  dateFormat: "fields with the form of their dates, for example { signedUp: 'dd/MM/yyyy' }",
  invalidRows: "'fail' or 'skip'",
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

/** The source for messages: `'people.csv'`, or `the array 'contacts'`. */
export function nameOfSource({ file }: Pick<RowSource, 'file'>): string {
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
  const parsed = inputsSchema.safeParse(known(inputs));
  if (parsed.success) return optionProblem(parsed.data);
  const [input = '', index] = parsed.error.issues[0]?.path ?? [];
  return input === 'contacts' && typeof index === 'number'
    ? problem('contacts.item', { index })
    : wrong(String(input));
}

function wrong(name: string): Problem {
  return problem('contacts.input', { name, expected: EXPECTED[name] ?? 'of another type' });
}

function optionProblem({ columns = {}, encoding, dateFormat = {} }: FileOptions): Problem | undefined {
  if (encoding !== undefined && !isEncoding(encoding)) return wrong('encoding');
  for (const [header, field] of Object.entries(columns))
    if (field === 'subscribed' && consentOfHeader(header) === 'yes-means-no-mail')
      return problem('contacts.noMail', { header });
  for (const [field, format] of Object.entries(dateFormat))
    // Other libraries write days as DD and years as YYYY, and `mm` is minutes.
    if (!/^(?=.*y)(?=.*[ML])(?=.*d)[^DYQ]*$/.test(format.replaceAll(/'[^']*'/g, '')))
      return problem('contacts.dateFormat', { field, format });
  return undefined;
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== 'replacement';
  } catch {
    return false;
  }
}
