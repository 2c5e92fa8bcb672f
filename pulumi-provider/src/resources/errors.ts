import type { Raw } from './raw.js';

/** A fault of the inputs, found before anything was written. */
export interface Problem {
  /** Input that is at fault; empty for the resource as a whole. */
  readonly property: string;
  /** What is wrong and what to do about it. */
  readonly reason: string;
}

/** A fault of one input, or of the resource as a whole. */
export function problem(reason: string, property = ''): Problem {
  return { property, reason };
}

/**
 * The resource cannot get to the declared state. The message is for the person: what happened, to which thing, and
 * what to do next.
 */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
}

/** Some of the work was done: state keeps it, and the next run goes on from there. */
export class PartialFailure extends ResourceError {
  constructor(
    /** Identity of the resource; an update keeps the one it has. */
    readonly id: string,
    /** State of what was done. */
    readonly outs: Raw,
    /** What failed, a sentence each. */
    readonly reasons: readonly string[],
  ) {
    super(reasons.join('\n'));
  }
}
