import { ValidationError, type ValidationIssue } from './errors.js';
import { isRecord } from './is-record.js';
import { didYouMean } from './nearest.js';
import type * as z from './zod.js';

/** Anything that reads data as a schema of zod does, of whichever build. */
export interface Schema<Data> {
  safeParse(
    data: unknown,
    params?: { reportInput?: boolean },
  ): { success: true; data: Data } | { success: false; error: { issues: readonly z.core.$ZodIssue[] } };
}

/** What a schema read, or the faults that it found. */
export type ReadResult<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** Messages of zod's own. */
const ZOD_MESSAGE = /^(Invalid|Too) /;

/** Reads data with a schema; faults come as field paths and sentences. */
export function readWith<Data>(schema: Schema<Data>, data: unknown): ReadResult<Data> {
  const parsed = schema.safeParse(data, { reportInput: true });
  return parsed.success
    ? { ok: true, data: parsed.data }
    : { ok: false, issues: toIssues(parsed.error.issues, namesOf(schema)) };
}

/** A schema's findings as field paths and sentences; needs `reportInput: true`, to tell what is missing. */
function toIssues(issues: readonly z.core.$ZodIssue[], names: readonly string[]): ValidationIssue[] {
  // One missing field and one unknown field: probably a wrong name.
  const missing = issues.filter(({ message, path }) => path.length === 1 && message.startsWith('is missing'));
  return issues.flatMap((issue): ValidationIssue[] => {
    const path = issue.path.map((part) => (typeof part === 'symbol' ? part.toString() : part));
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: `is an unknown field${path.length > 0 ? '' : didYouMean(key, names) || meantBy(missing)}`,
      }));
    if (issue.code === 'invalid_key')
      return [{ path, message: `has the name '${String(path.at(-1))}', which cannot be used` }];
    return [{ path, message: ZOD_MESSAGE.test(issue.message) ? inWords(issue) : issue.message }];
  });
}

function meantBy(missing: readonly z.core.$ZodIssue[]): string {
  return missing.length === 1 ? ` (did you mean '${String(missing[0]?.path[0])}'?)` : '';
}

/** Names of the fields of an object's schema, also inside of a pipe. */
function namesOf(schema: unknown): string[] {
  const def: unknown = isRecord(schema) ? (schema['def'] ?? schema['_def']) : undefined;
  if (!isRecord(def)) return [];
  return isRecord(def['shape']) ? Object.keys(def['shape']) : namesOf(def['in']);
}

function inWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${KINDS.get(issue.expected) ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `is too small: at least ${issue.minimum}`;
    case 'too_big':
      return `is too large: at most ${issue.maximum}`;
    default:
      return 'cannot be used';
  }
}

/** zod's names of kinds of values, and the words of messages. */
const KINDS = new Map<string, string>([
  ['string', 'text'],
  ['boolean', 'true or false'],
  ['int', 'a whole number'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
]);

/**
 * Reads data with a schema.
 *
 * @param what begins the message of the error, such as `Could not update contact 'ada@example.com'`.
 * @param known faults that are known already; the error names them too.
 * @throws ValidationError that names each faulty field.
 */
export function validate<Data>(
  schema: Schema<Data>,
  data: unknown,
  what: string,
  known: readonly ValidationIssue[] = [],
): Data {
  const read = readWith(schema, data);
  if (read.ok && known.length === 0) return read.data;
  const found = read.ok ? [] : read.issues;
  const isNew = ({ path }: ValidationIssue) =>
    !known.some((issue) => issue.path.join('.') === path.join('.'));
  throw new ValidationError(what, [...known, ...found.filter(isNew)]);
}
