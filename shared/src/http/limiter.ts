import { onAbort } from './abort.js';
import { AdaptiveRate } from './adaptive-rate.js';
import { LONGEST_TIMER_MS, type Runtime } from './runtime.js';

/** Limits that a person sets; `requestsPerSecond` and `concurrency` are open unless given. */
export interface LimiterOptions {
  /** Requests begun per second, at most: evenly spaced, and time that went by unused is not made up for. */
  readonly requestsPerSecond?: number | undefined;
  /** Requests under way at once, at most. */
  readonly concurrency?: number | undefined;
}

/** Requests under way at once before the service has responded. The window grows by one with each that it accepts. */
const FIRST_WINDOW = 16;

/** How late a timer may be without slowing the pace, in milliseconds. */
const SLACK_MS = 25;

/** Lets requests through at the pace that the options allow and the service accepts. */
export class Limiter {
  readonly #fixedRate: number;
  readonly #concurrency: number;
  readonly #adaptiveRate = new AdaptiveRate();
  readonly #queue = new RequestQueue();
  #active = 0;
  #window = FIRST_WINDOW;
  #isClosed = false;
  /** When the last request began, or should have begun. */
  #lastStart = Number.NEGATIVE_INFINITY;
  /** The one sleep: until a waiting request can begin. */
  #alarm: { readonly at: number; readonly controller: AbortController } | undefined;

  constructor(
    options: LimiterOptions,
    private readonly runtime: Pick<Runtime, 'now' | 'sleep'>,
  ) {
    this.#fixedRate = options.requestsPerSecond ?? Number.POSITIVE_INFINITY;
    this.#concurrency = options.concurrency ?? Number.POSITIVE_INFINITY;
  }

  /** Requests per second let through now; infinite where nothing limits them. */
  get rate(): number {
    return Math.min(this.#fixedRate, this.#adaptiveRate.at(this.runtime.now()));
  }

  /** Lets a request in if it can begin right now and nobody waits; `release` frees its slot. */
  tryEnter(): boolean {
    if (this.#isClosed || this.#queue.size > 0) return false;
    const now = this.runtime.now();
    if (this.#nextStart(now) > now) return false;
    this.#begin(now);
    return true;
  }

  /** Waits until the request can begin; `release` then frees its slot. `false` where it was aborted. Never rejects. */
  async enter(turn: Turn): Promise<boolean> {
    if (this.#isClosed || turn.signal?.aborted === true) return false;
    if (this.tryEnter()) return true;
    const isIn = this.#queue.wait(turn, () => this.#advance());
    this.#advance();
    return isIn;
  }

  release(): void {
    const wasFull = this.#isFull;
    this.#active -= 1;
    if (this.#queue.size === 0) return;
    if (wasFull) {
      // A wait for a slot is not a late timer: it is not made up for.
      this.#lastStart = Math.max(this.#lastStart, this.runtime.now() - 1_000 / this.rate);
    }
    this.#advance();
  }

  /** Lets no further request in: those that wait, and later ones, end as aborted. */
  close(): void {
    this.#isClosed = true;
    this.#queue.close();
    this.#cancelAlarm();
  }

  /** Tells that the service had room for a request, whatever its response. */
  accepted(): void {
    this.#window += 1;
    this.#adaptiveRate.accepted(this.runtime.now());
  }

  /** Tells that the service responded 429. */
  limited(): void {
    this.#adaptiveRate.limited(this.runtime.now());
  }

  get #isFull(): boolean {
    return this.#active >= Math.min(this.#concurrency, this.#window);
  }

  /** When the next request may begin; infinite while no slot is free. */
  #nextStart(now: number): number {
    if (this.#isFull) return Number.POSITIVE_INFINITY;
    // A clock may be set back.
    this.#lastStart = Math.min(this.#lastStart, now);
    return this.#lastStart + 1_000 / this.rate;
  }

  #begin(start: number): void {
    this.#lastStart = start;
    this.#active += 1;
  }

  /** Ends the waits whose moment has come, and sets the alarm for the next. */
  #advance(): void {
    const now = this.runtime.now();
    let start = this.#nextStart(now);
    while (start <= now && this.#queue.letIn()) {
      this.#begin(Math.max(start, now - SLACK_MS));
      start = this.#nextStart(now);
    }
    if (this.#queue.size === 0) this.#cancelAlarm();
    else this.#setAlarm(start, now);
  }

  #setAlarm(at: number, now: number): void {
    if (at === Number.POSITIVE_INFINITY || (this.#alarm !== undefined && this.#alarm.at <= at)) return;
    this.#cancelAlarm();
    const alarm = { at, controller: new AbortController() };
    this.#alarm = alarm;
    const wake = (): void => {
      if (this.#alarm !== alarm) return;
      this.#alarm = undefined;
      this.#advance();
    };
    // A longer sleep is slept in parts.
    const milliseconds = Math.min(Math.ceil(at - now), LONGEST_TIMER_MS);
    this.runtime.sleep(milliseconds, alarm.controller.signal).then(wake, wake);
  }

  #cancelAlarm(): void {
    this.#alarm?.controller.abort();
    this.#alarm = undefined;
  }
}

/** A request that waits for its turn. */
export interface Turn {
  readonly signal: AbortSignal | undefined;
  /** Whether it was sent before: a retry goes before first attempts. */
  readonly retry: boolean;
}

/** Ends a wait; whether the request is let in. */
type End = (isIn: boolean) => void;

/** Serves in the order of arrival, and removes from the middle, in constant time. */
class Fifo extends Set<End> {
  /** Kept between calls: a new iterator would skip all removed entries once more. */
  #upcoming = this.values();

  shift(): End | undefined {
    let next = this.#upcoming.next();
    if (next.done === true) next = (this.#upcoming = this.values()).next();
    return next.value;
  }
}

/** Requests that wait: retries before first attempts, each in the order of arrival. */
class RequestQueue {
  readonly #retries = new Fifo();
  readonly #firstAttempts = new Fifo();

  get size(): number {
    return this.#retries.size + this.#firstAttempts.size;
  }

  /** Waits until let in (`true`), or until the signal or `close` ends it; `onAborted` is called after the signal has. */
  wait({ signal, retry }: Turn, onAborted: () => void): Promise<boolean> {
    const queue = retry ? this.#retries : this.#firstAttempts;
    return new Promise((resolve) => {
      const end: End = (isIn) => {
        queue.delete(end);
        stopListening();
        resolve(isIn);
      };
      queue.add(end);
      const stopListening = onAbort(signal, () => {
        end(false);
        onAborted();
      });
    });
  }

  /** Lets in who is next; `false` if no request waits. */
  letIn(): boolean {
    const next = this.#retries.shift() ?? this.#firstAttempts.shift();
    next?.(true);
    return next !== undefined;
  }

  /** Ends all waits in vain. */
  close(): void {
    for (const end of [...this.#retries, ...this.#firstAttempts]) end(false);
  }
}
