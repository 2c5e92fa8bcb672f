import * as z from 'zod/mini';
import type { Clock } from '../clock.js';

const ABOVE_0 = 'must be a number above 0';

export const rateLimitSchema = z.strictObject({
  requestsPerSecond: z.number({ error: ABOVE_0 }).check(z.positive({ error: ABOVE_0 })),
  /** Calls that may come at once; as many as come in a second unless given. */
  burst: z.optional(z.int().check(z.minimum(1))),
});

/** A rate limit: a bucket of `burst` tokens, refilled with `requestsPerSecond`. */
export type RateLimit = z.infer<typeof rateLimitSchema>;

/** A token bucket on the sandbox's clock. Each call uses a token; without one it is refused. */
export class RateLimiter {
  #limit: RateLimit | undefined;
  #tokens = 0;
  #filledAt = 0;

  constructor(private readonly clock: Clock) {}

  get limit(): RateLimit | undefined {
    return this.#limit;
  }

  /** Sets the limit, with a full bucket; `undefined` lifts it. */
  set(limit: RateLimit | undefined): void {
    this.#limit = limit;
    this.#filledAt = this.clock.now();
    this.#tokens = limit === undefined ? 0 : capacity(limit);
  }

  /** Uses a token. Where there is none: the whole seconds until there is one. */
  use(): number | undefined {
    if (this.#limit === undefined) return undefined;
    this.#fill(this.#limit);
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return undefined;
    }
    return Math.max(1, Math.ceil((1 - this.#tokens) / this.#limit.requestsPerSecond));
  }

  #fill(limit: RateLimit): void {
    const now = this.clock.now();
    // A clock that was moved back removes no tokens.
    const elapsed = Math.max(0, now - this.#filledAt) / 1000;
    this.#tokens = Math.min(capacity(limit), this.#tokens + elapsed * limit.requestsPerSecond);
    this.#filledAt = now;
  }
}

function capacity(limit: RateLimit): number {
  return limit.burst ?? Math.max(1, Math.ceil(limit.requestsPerSecond));
}
