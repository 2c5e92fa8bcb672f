import { isForPeople } from '../engine/errors.js';
import { toEngine } from '../engine/codec.js';
import type { Secrets } from '../engine/secrets.js';
import { PartialFailure } from '../resources/errors.js';
import type { Raw } from '../resources/raw.js';

/**
 * An error as the person should see it. The provider process prints some errors with their stack, so this one has
 * none, and its text is the message alone.
 */
class PlainError extends Error {
  constructor(message: string) {
    super(message);
    this.stack = '';
  }

  override toString(): string {
    return this.message;
  }
}

/** Made or changed in part: the engine keeps what is given here, and the next run calls update with it. */
class InitError extends PlainError {
  constructor(
    readonly id: string,
    readonly properties: Record<string, unknown>,
    readonly reasons: readonly string[],
  ) {
    super(reasons.join('\n'));
  }
}

/** Runs a method of a resource; errors meant for people lose their stack and secret values, faults of ours keep both. */
export async function forPeople<Result>(
  work: () => Promise<Result>,
  secrets: Secrets,
  kept: Raw = {},
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PartialFailure) {
      const reasons = error.reasons.map((reason) => secrets.hide(reason));
      throw new InitError(error.id, { ...toEngine(error.outs), ...kept }, reasons);
    }
    throw isForPeople(error) ? new PlainError(secrets.hide(error.message)) : error;
  }
}
