import { AdaptiveRate } from './adaptive-rate.js';
import type { Runtime } from './runtime.js';

/** Limits that a person sets; both are open unless given. */
export interface LimiterOptions {
  /** Requests begun per second, at most. */
  readonly requestsPerSecond?: number | undefined;
  /** Requests under way at once, at most. */
  readonly concurrency?: number | undefined;
  /** Whether the rate adapts to 429; true unless given. */
  readonly adaptive?: boolean | undefined;
}

/** How far behind the pace may be made up for, in milliseconds: timers are late, and that must not add up. */
const SLACK_MS = 25;

/** Lets requests through at the pace that the person allows and the service can take. */
export class Limiter {
  readonly #runtime: Runtime;
  readonly #fixedRate: number;
  readonly #concurrency: number;
  readonly #adaptive = new AdaptiveRate();
  #active = 0;
  readonly #waiting: (() => void)[] = [];
  /** Ends when the request before has begun: the pace is kept by one after the other, so it follows the rate. */
  #turn = Promise.resolve();
  /** Time at which the next request may begin. */
  #nextStart = 0;

  constructor(options: LimiterOptions, runtime: Runtime) {
    this.#runtime = runtime;
    this.#fixedRate = options.requestsPerSecond ?? Number.POSITIVE_INFINITY;
    this.#concurrency = options.concurrency ?? Number.POSITIVE_INFINITY;
  }

  /** Requests per second let through now; infinite where nothing limits them. */
  get rate(): number {
    return Math.min(this.#fixedRate, this.#adaptive.rate);
  }

  /** Takes a place for one request; `release` gives it back. Rejects when the signal aborts the wait. */
  async acquire(signal: AbortSignal | undefined): Promise<void> {
    if (this.#active >= this.#concurrency) await this.#place(signal);
    else this.#active += 1;
    try {
      await this.#pace(signal);
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  async enter(turn: {
    deadline: number;
    signal: AbortSignal | undefined;
    retry: boolean;
  }): Promise<'entered' | 'expired' | 'aborted'> {
    try {
      await this.acquire(turn.signal);
      return 'entered';
    } catch {
      return 'aborted';
    }
  }

  /** Whether a request can begin right now, with no wait; takes the place if so. */
  tryEnter(): boolean {
    if (this.#active >= this.#concurrency || this.rate !== Number.POSITIVE_INFINITY) return false;
    this.#active += 1;
    return true;
  }

  /** Gives a place back. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#active -= 1;
    else next();
  }

  /** Tells that the service took a request. */
  accepted(): void {
    this.#adaptive.accepted(this.#runtime.now());
  }

  /** Tells that the service answered 429, and how long it asked to wait. */
  limited(retryAfterMs: number | undefined): void {
    this.#adaptive.limited(this.#runtime.now(), retryAfterMs);
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
    if (this.rate === Number.POSITIVE_INFINITY) return;
    const before = this.#turn;
    let begun: () => void = () => undefined;
    this.#turn = new Promise((resolve) => {
      begun = resolve;
    });
    try {
      await before;
      signal?.throwIfAborted();
      await this.#waitForStart(signal);
    } finally {
      begun();
    }
  }

  async #waitForStart(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const now = this.#runtime.now();
      const due = this.#nextStart < now - SLACK_MS ? now : this.#nextStart;
      const start = Math.max(due, this.#adaptive.heldUntil);
      if (start <= now) {
        this.#nextStart = start + 1_000 / this.rate;
        return;
      }
      await this.#runtime.sleep(start - now, signal);
      signal?.throwIfAborted();
    }
  }
}
