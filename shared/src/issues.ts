import { ValidationError } from './errors.js';
import { kindOf } from './contract/property-values.js';
import { foreignClass, isRecord } from './is-record.js';
import { isForm, isProblemCode, type Problem, type ProblemDetails } from './messages/problems.js';
import { nearest } from './nearest.js';
import type * as z from './zod.js';

/** Anything that reads data as a zod schema does, of any build. */
export interface Schema<Data> {
  safeParse(
    data: unknown,
    params?: { reportInput?: boolean },
  ): { success: true; data: Data } | { success: false; error: { issues: readonly z.core.$ZodIssue[] } };
}

/** What a schema read, or the faults that it found. */
export type ReadResult<Data> =
  { readonly ok: true; readonly data: Data } | { readonly ok: false; readonly issues: readonly Problem[] };

/** Reads data with a schema; faults come as problems. */
export function readWith<Data>(schema: Schema<Data>, data: unknown): ReadResult<Data> {
  const parsed = schema.safeParse(data, { reportInput: true });
  return parsed.success
    ? { ok: true, data: parsed.data }
    : { ok: false, issues: problemsOf(parsed.error.issues, namesOf(schema)) };
}

/** A schema's findings as problems; needs `reportInput: true`, to tell what is missing. */
function problemsOf(issues: readonly z.core.$ZodIssue[], names: readonly string[]): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const path = issue.path.map((part) => (typeof part === 'symbol' ? part.toString() : part));
    if (issue.code !== 'unrecognized_keys') return [{ path, ...detailsOf(issue) }];
    const known = path.length > 0 ? [] : names;
    return issue.keys.map((key) => ({
      path: [...path, key],
      code: 'unknownField',
      wayOut: nearest(key, known),
    }));
  });
}

/** What an issue says: its message is a code or a form where the schema is of this package. */
function detailsOf(issue: z.core.$ZodIssue): ProblemDetails {
  const { message, input } = issue;
  if (isProblemCode(message)) return { ...(issue.code === 'custom' && issue.params), code: message };
  const kind = kindOf(input);
  const given = kind === 'object' ? (foreignClass(input) ?? kind) : kind;
  if (isForm(message)) return { code: 'wrongType', expected: message, given };
  switch (issue.code) {
    case 'invalid_type': {
      const expected = issue.expected === 'record' ? 'object' : issue.expected;
      if (input === undefined) return { code: 'missing' };
      return isForm(expected) ? { code: 'wrongType', expected, given } : { code: 'other', given: message };
    }
    case 'invalid_value':
      return { code: 'notOneOf', expected: issue.values.map(String) };
    case 'invalid_key':
      return issue.issues.map(detailsOf)[0] ?? { code: 'other', given: message };
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return { code: 'empty' };
      if (issue.inclusive === false) return { code: 'wrongType', expected: 'positive', given: String(input) };
      return { code: 'tooSmall', expected: Number(issue.minimum) };
    case 'too_big':
      return { code: issue.origin === 'string' ? 'tooLong' : 'tooLarge', expected: Number(issue.maximum) };
    default:
      return { code: 'other', given: message };
  }
}

/** Names of the fields of an object's schema, also inside of a pipe. */
function namesOf(schema: unknown): string[] {
  const def: unknown = isRecord(schema) ? (schema['def'] ?? schema['_def']) : undefined;
  if (!isRecord(def)) return [];
  return isRecord(def['shape']) ? Object.keys(def['shape']) : namesOf(def['in']);
}

/**
 * Reads data with a schema.
 *
 * @param what begins the error's message, such as `Could not update contact 'ada@example.com'`.
 * @throws ValidationError that names each faulty field, those that are `known` already too.
 */
export function validate<Data>(
  schema: Schema<Data>,
  data: unknown,
  what: string,
  known: readonly Problem[] = [],
): Data {
  const read = readWith(schema, data);
  if (read.ok && known.length === 0) return read.data;
  const found = read.ok ? [] : read.issues;
  const isNew = ({ path }: Problem) => !known.some((issue) => issue.path.join('.') === path.join('.'));
  throw new ValidationError(what, [...known, ...found.filter(isNew)]);
}
