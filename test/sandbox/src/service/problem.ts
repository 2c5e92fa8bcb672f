import type * as z from 'zod';

/**
 * A request that the sandbox refuses: the HTTP status, and a sentence that names the thing and the way out.
 * It is answered as `{ "success": false, "message": ... }`.
 */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** What schemas find wrong, as one sentence that names each field. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  return [...new Set(issues.flatMap(describeIssue))].slice(0, 5).join('; ');
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `'${fieldName([...issue.path, key])}' is not a field of this request`);
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return [`'${fieldName(issue.path)}' is missing`];
  }
  const saysWhich = issue.message.startsWith(`'${String(issue.path.at(-1))}'`);
  return issue.path.length === 0 || saysWhich
    ? [issue.message]
    : [`'${fieldName(issue.path)}' ${lowerFirst(issue.message)}`];
}

function lowerFirst(message: string): string {
  return message.startsWith('Invalid') ? `is not valid: ${message}` : message;
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** Reads data from outside with a schema. @throws Problem 400 that names each field that is wrong. */
export function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (!result.success) throw new Problem(400, `${describeIssues(result.error.issues)}.`);
  return result.data;
}
