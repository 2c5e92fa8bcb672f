import { didYouMean, readWith, wordIssue, type Problem, type Schema } from 'audience-core/internal';
import { SandboxError } from './sandbox-error.js';

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
  throw new SandboxError({ code: 'invalid', faults: describeFaults(read.issues, what) });
}

/** The faults of something that was read, in a few phrases. */
export function describeFaults(issues: readonly Problem[], what: string): string {
  const faults = issues.map((issue) =>
    issue.code === 'unknownField'
      ? `'${issue.path.join('.')}' is an unknown field of ${what}${didYouMean(issue.wayOut)}`
      : wordIssue(issue),
  );
  return [...new Set(faults)].slice(0, MOST_FAULTS).join('; ');
}
