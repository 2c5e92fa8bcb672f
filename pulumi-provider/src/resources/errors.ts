import { problem, sentence, textOf } from '../messages.js';
import type { Problem } from '../messages.js';
import type { Raw } from './raw.js';

/** An error with a problem for the person: what happened, to which resource, and what to do next. */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
  readonly problem: Problem;

  constructor(given: Problem | string) {
    const told = typeof given === 'string' ? problem('text', { text: given }) : given;
    super(sentence(textOf(told)));
    this.problem = told;
  }
}

/** Part of the work was done: state keeps it, and the next run continues. */
export class PartialFailure extends Error {
  override readonly name = 'PartialFailure';

  constructor(
    readonly id: string,
    /** State after the steps that succeeded. */
    readonly outs: Raw,
    /** What failed. */
    readonly problems: readonly Problem[],
  ) {
    super(problems.map((one) => sentence(textOf(one))).join('\n'));
  }
}
