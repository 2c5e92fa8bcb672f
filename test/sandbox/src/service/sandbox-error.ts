import { describeIssue, readWith } from 'audience-core/internal';
import type { Schema, ValidationIssue } from 'audience-core/internal';

/** Something that the sandbox refuses or cannot do; the message says what happened to what, and the way out. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';

  constructor(
    message: string,
    /** HTTP status of the response that it is sent in. */
    readonly status = 400,
    /** Headers of that response. */
    readonly headers: Readonly<Record<string, string>> = {},
    /** Body of that response, where it is not made of the message. */
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
 * @throws SandboxError 400 that names each field that is wrong.
 */
export function readAs<Data>(schema: Schema<Data>, value: unknown, what = 'this call'): Data {
  const read = readWith(schema, value);
  if (read.ok) return read.data;
  throw new SandboxError(`${describeFaults(read.issues, what)}.`);
}

/** The faults of something that was read, in a few phrases. */
export function describeFaults(issues: readonly ValidationIssue[], what: string): string {
  const faults = issues.map((issue) => describeIssue(issue).replace(/(?<=is an unknown field)/, ` of ${what}`));
  return [...new Set(faults)].slice(0, MOST_FAULTS).join('; ');
}
