import { describeIssue, readWith } from 'audience-core/internal';
import type { Schema, ValidationIssue } from 'audience-core/internal';

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
    /** Body of the response, where it is not made of the message. */
    readonly body?: unknown,
  ) {
    super(message);
  }
}

/** Faults beyond this many are left out of a sentence. */
const MOST_FAULTS = 5;

/**
 * Reads data from outside with a schema.
 *
 * @param what is read, as it is called in a sentence
 * @throws Problem 400 that names each field that is wrong.
 */
export function readAs<Data>(schema: Schema<Data>, value: unknown, what = 'this call'): Data {
  const read = readWith(schema, value);
  if (read.ok) return read.data;
  throw new Problem(400, `${describeFaults(read.issues, what)}.`);
}

/** The faults of something that was read, in a few phrases. */
export function describeFaults(issues: readonly ValidationIssue[], what: string): string {
  const faults = issues.map((issue) => describeIssue(issue).replace(/of this call$/, `of ${what}`));
  return [...new Set(faults)].slice(0, MOST_FAULTS).join('; ');
}
