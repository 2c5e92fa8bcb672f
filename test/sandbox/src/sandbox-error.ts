import { sentenceOf, type Problem } from './messages.js';

/** Something that the sandbox refuses or cannot do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';

  constructor(
    /** What is wrong, as data. */
    readonly problem: Problem,
    /** HTTP status of the response that it is sent in. */
    readonly status = 400,
    /** Headers of that response. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(sentenceOf(problem));
  }
}
