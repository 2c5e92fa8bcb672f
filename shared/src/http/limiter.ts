import type { Runtime } from './runtime.js';

/** Limits that a person sets; both are open unless given. */
export interface LimiterOptions {
  /** Requests begun per second, at most. */
  readonly requestsPerSecond?: number | undefined;
  /** Requests under way at once, at most. */
  readonly concurrency?: number | undefined;
}

/** How often throughput is looked at, in milliseconds. */
const WINDOW_MS = 1_000;
/** Share of 429 answers in a window that is borne without slowing down further: at the limit a few always come. */
const BEARABLE = 0.1;
/** What is left of the accepted rate when more than that comes. */
const SLOW_DOWN = 0.95;
/** By how much the rate grows per window without a 429, and with a bearable share of them. */
const SPEED_UP = 1.05;
const SPEED_UP_CAREFULLY = 1.02;
/** The same, as long as the limit has not been found: a first 429 can come before there is a rate to measure. */
const SPEED_UP_SEARCHING = 2;
/** After so many windows in a row without a 429 the limit must lie elsewhere, and is searched for again. */
const CLEAN_WINDOWS = 4;
/** Slowest adapted rate, in requests per second. */
const SLOWEST = 1;
/** After so long without a 429 the limit is forgotten, in milliseconds. */
const FORGET_MS = 60_000;
/** Shortest time from which a rate is reckoned, in milliseconds: a first burst says little. */
const SHORTEST_MEASURE_MS = 100;
/** How far behind the pace may be made up for, in milliseconds: timers are late, and that must not add up. */
const SLACK_MS = 25;

/**
 * Lets requests through at the pace that the person allows and the service can take.
 *
 * With no rate set it lets everything through until the service answers 429. From then on it keeps near the rate
 * that the service accepts, tries a little more while few 429 come, and forgets the limit when none has come for
 * a minute. When the service accepts nothing at all any more, all calls wait for as long as it asked.
 */
export class Limiter {
  readonly #runtime: Runtime;
  readonly #fixedRate: number;
  readonly #concurrency: number;
  #adaptedRate = Number.POSITIVE_INFINITY;
  #active = 0;
  readonly #waiting: (() => void)[] = [];
  /** Ends when the request before has begun: the pace is kept by one after the other, so it follows the rate. */
  #turn = Promise.resolve();
  /** Time at which the next request may begin. */
  #nextStart = 0;
  #heldUntil = 0;
  #windowStart = 0;
  #accepted = 0;
  #limited = 0;
  #retryAt = 0;
  #searching = false;
  #cleanWindows = 0;
  #lastLimited = 0;

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
    this.#accepted += 1;
    this.#look(this.#runtime.now());
  }

  /** Tells that the service answered 429, and how long it asked to wait. */
  limited(retryAfterMs: number | undefined): void {
    const now = this.#runtime.now();
    this.#limited += 1;
    this.#lastLimited = now;
    this.#retryAt = Math.max(this.#retryAt, now + (retryAfterMs ?? 0));
    if (this.#adaptedRate === Number.POSITIVE_INFINITY) {
      const elapsed = Math.max(SHORTEST_MEASURE_MS, Math.min(WINDOW_MS, now - this.#windowStart));
      this.#adaptedRate = Math.max(SLOWEST, Math.min(this.#fixedRate, (this.#accepted * 1_000) / elapsed));
      this.#searching = true;
    }
    this.#look(now);
  }

  /** Adapts the rate when a window is over. */
  #look(now: number): void {
    const elapsed = now - this.#windowStart;
    if (elapsed < WINDOW_MS) return;
    const accepted = this.#accepted;
    const limited = this.#limited;
    this.#windowStart = now;
    this.#accepted = 0;
    this.#limited = 0;
    if (this.#adaptedRate === Number.POSITIVE_INFINITY) return;
    this.#cleanWindows = limited === 0 ? this.#cleanWindows + 1 : 0;
    this.#searching ||= this.#cleanWindows >= CLEAN_WINDOWS;
    if (now - this.#lastLimited > FORGET_MS) {
      this.#adaptedRate = Number.POSITIVE_INFINITY;
    } else if (limited === 0) {
      this.#adaptedRate *= this.#searching ? SPEED_UP_SEARCHING : SPEED_UP;
    } else if (accepted === 0) {
      this.#adaptedRate = Math.max(SLOWEST, this.#adaptedRate / 2);
      this.#searching = true;
      this.#heldUntil = Math.max(this.#heldUntil, this.#retryAt);
    } else if (limited <= BEARABLE * (limited + accepted)) {
      this.#adaptedRate *= SPEED_UP_CAREFULLY;
    } else if (limited === 1) {
      // One of a few tells nothing of a rate.
    } else {
      const acceptedRate = (accepted * 1_000) / elapsed;
      this.#adaptedRate = Math.max(SLOWEST, Math.min(this.#adaptedRate, acceptedRate) * SLOW_DOWN);
      this.#searching = false;
    }
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
      const start = Math.max(due, this.#heldUntil);
      if (start <= now) {
        this.#nextStart = start + 1_000 / this.rate;
        return;
      }
      await this.#runtime.sleep(start - now, signal);
      signal?.throwIfAborted();
    }
  }
}
