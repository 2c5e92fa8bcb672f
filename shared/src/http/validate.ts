import type { z } from 'zod/v4';
import { ValidationError } from '../errors.js';
import type { ValidationIssue } from '../errors.js';

/** zod's findings as field paths and sentences. */
export function toIssues(error: z.core.$ZodError): ValidationIssue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((part) => (typeof part === 'symbol' ? part.toString() : part));
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key], message: 'is not a field of this call' }));
    }
    return [{ path, message: sentence(issue) }];
  });
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    return issue.input === undefined && issue.message.endsWith('received undefined')
      ? 'is missing'
      : `must be ${article(issue.expected)}`;
  }
  return issue.message;
}

function article(expected: string): string {
  if (expected === 'string') return 'text';
  if (expected === 'boolean') return 'true or false';
  if (expected === 'int') return 'a whole number';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/**
 * Reads data with a schema.
 *
 * @param what begins the message of the error, such as `Could not update contact 'ada@example.com'`.
 * @param known faults that are known already; the error names them too.
 * @throws ValidationError that names each faulty field.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  what: string,
  known: readonly ValidationIssue[] = [],
): z.infer<Schema> {
  const parsed = schema.safeParse(data);
  if (parsed.success && known.length === 0) return parsed.data;
  const found = parsed.success ? [] : toIssues(parsed.error);
  const isNew = ({ path }: ValidationIssue) =>
    !known.some((issue) => issue.path.join('.') === path.join('.'));
  throw new ValidationError(what, [...known, ...found.filter(isNew)]);
}
