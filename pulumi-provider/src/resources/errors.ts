import type { Raw } from './raw.js';

/** A fault of the inputs, found by a check. */
export interface Problem {
  /** Name of the input; empty for the resource as a whole. */
  readonly property: string;
  /** What is wrong and what to do about it. */
  readonly reason: string;
}

export function problem(reason: string, property = ''): Problem {
  return { property, reason };
}

/** An error with a message for the person: what happened, to which resource, and what to do next. */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
}

/** Part of the work was done: state keeps it, and the next run continues. */
export class PartialFailure extends ResourceError {
  constructor(
    readonly id: string,
    /** State after the steps that succeeded. */
    readonly outs: Raw,
    /** What failed, a sentence each. */
    readonly reasons: readonly string[],
  ) {
    super(reasons.join('\n'));
  }
}
