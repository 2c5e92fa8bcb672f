import { problem, sentence, textOf } from '../messages.js';
import type { Problem } from '../messages.js';
import type { Made } from './behaviour.js';

/** An error with problems for the person: what happened, to which resource, and what to do next. */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
  readonly reasons: readonly Problem[];

  /** @param done state after the steps that succeeded, where part of the work was done: the next run continues. */
  constructor(
    given: string | Problem | readonly Problem[],
    readonly done?: Made,
  ) {
    const problems = typeof given === 'string' ? problem('text', { text: given }) : given;
    super(
      [problems]
        .flat()
        .map((one) => sentence(textOf(one)))
        .join('\n'),
    );
    this.reasons = [problems].flat();
  }
}
