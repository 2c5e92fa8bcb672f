import type { Runtime } from './runtime.js';

/** Limits that a person sets; both are open unless given. */
export interface LimiterOptions {
  /** Requests begun per second, at most. */
  readonly requestsPerSecond?: number | undefined;
  /** Requests under way at once, at most. */
  readonly concurrency?: number | undefined;
}

/** How often throughput is measured and an adapted rate is raised, in milliseconds. */
const WINDOW_MS = 1_000;
/** What is left of the measured rate when the service says 429. */
const SLOW_DOWN = 0.9;
/** By how much an adapted rate grows per window without a 429. */
const SPEED_UP = 1.05;
/** Slowest adapted rate, in requests per second. */
const SLOWEST = 1;

/**
 * Lets requests through at the pace that the person allows and the service can take.
 *
 * With no rate set it lets everything through until the service answers 429. Then it goes on at a little less
 * than what the service accepted in the last second, and speeds up slowly while no further 429 comes. When the
 * service accepts nothing at all any more, all calls wait for as long as it asked.
 */
export class Limiter {
  readonly #runtime: Runtime;
  readonly #fixedRate: number;
  readonly #concurrency: number;
  #adaptedRate = Number.POSITIVE_INFINITY;
  #active = 0;
  readonly #waiting: (() => void)[] = [];
  /** Time at which the next request may begin. */
  #nextStart = 0;
  #heldUntil = 0;
  #windowStart = 0;
  #accepted = 0;
  #acceptedBefore = 0;
  #acceptedSinceLimit = true;
  #lastSlowDown = Number.NEGATIVE_INFINITY;

  constructor(options: LimiterOptions, runtime: Runtime) {
    this.#runtime = runtime;
    this.#fixedRate = options.requestsPerSecond ?? Number.POSITIVE_INFINITY;
    this.#concurrency = options.concurrency ?? Number.POSITIVE_INFINITY;
  }

  /** Requests per second let through now; infinite where nothing limits them. */
  get rate(): number {
    return Math.min(this.#fixedRate, this.#adaptedRate);
  }

  /** Takes a place for one request; `release` gives it back. Rejects when the signal aborts the wait. */
  async acquire(signal: AbortSignal | undefined): Promise<void> {
    if (this.#active >= this.#concurrency) await this.#place(signal);
    else this.#active += 1;
    try {
      await this.#pace(signal);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Whether a request can begin right now, with no wait; takes the place if so. */
  tryAcquire(): boolean {
    if (this.#active >= this.#concurrency || this.rate !== Number.POSITIVE_INFINITY) return false;
    if (this.#heldUntil > 0 && this.#heldUntil > this.#runtime.now()) return false;
    this.#active += 1;
    return true;
  }

  /** Gives a place back. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#active -= 1;
    else next();
  }

  /** Tells that the service took a request. */
  accepted(): void {
    this.#acceptedSinceLimit = true;
    const now = this.#runtime.now();
    this.#rollWindow(now);
    this.#accepted += 1;
  }

  /** Tells that the service answered 429, and how long it asked to wait. */
  limited(retryAfterMs: number | undefined): void {
    const now = this.#runtime.now();
    this.#rollWindow(now);
    // One burst brings many 429 answers; they are one message.
    if (now - this.#lastSlowDown < WINDOW_MS) return;
    if (!this.#acceptedSinceLimit && retryAfterMs !== undefined) {
      this.#heldUntil = Math.max(this.#heldUntil, now + retryAfterMs);
    }
    this.#acceptedSinceLimit = false;
    this.#lastSlowDown = now;
    const measured = Math.max(this.#accepted, this.#acceptedBefore);
    this.#adaptedRate = Math.max(SLOWEST, Math.min(this.rate, measured) * SLOW_DOWN);
  }

  #rollWindow(now: number): void {
    const elapsed = now - this.#windowStart;
    if (elapsed < WINDOW_MS) return;
    this.#acceptedBefore = elapsed < 2 * WINDOW_MS ? this.#accepted : 0;
    this.#accepted = 0;
    this.#windowStart = now;
    if (this.#adaptedRate === Number.POSITIVE_INFINITY || now - this.#lastSlowDown < WINDOW_MS) return;
    const windows = Math.min(60, Math.floor(elapsed / WINDOW_MS));
    // Only a pace that is being used proves that the service can take it.
    if (this.#acceptedBefore < this.#adaptedRate * 0.5 && windows === 1) return;
    this.#adaptedRate *= SPEED_UP ** windows;
    if (this.#adaptedRate > 100_000) this.#adaptedRate = Number.POSITIVE_INFINITY;
  }

  async #place(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const take = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(new DOMException('The wait was aborted.', 'AbortError'));
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(take);
    });
  }

  async #pace(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const now = this.#runtime.now();
      const held = this.#heldUntil - now;
      if (held > 0) {
        await this.#runtime.sleep(held, signal);
        signal?.throwIfAborted();
        continue;
      }
      if (this.rate === Number.POSITIVE_INFINITY) return;
      const start = Math.max(now, this.#nextStart);
      this.#nextStart = start + 1000 / this.rate;
      if (start > now) {
        await this.#runtime.sleep(start - now, signal);
        signal?.throwIfAborted();
      }
      return;
    }
  }
}
