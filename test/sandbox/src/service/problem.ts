import { describeIssue, readWith } from 'audience-core/contract';
import type { Schema } from 'audience-core/contract';

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

/** Faults beyond this many are left out of a sentence. */
const MOST_FAULTS = 5;

/** Reads data from outside with a schema. @throws Problem 400 that names each field that is wrong. */
export function readAs<Data>(schema: Schema<Data>, value: unknown): Data {
  const read = readWith(schema, value);
  if (read.ok) return read.data;
  const faults = [...new Set(read.issues.map((issue) => describeIssue(issue)))];
  throw new Problem(400, `${faults.slice(0, MOST_FAULTS).join('; ')}.`);
}
