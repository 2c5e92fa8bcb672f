import { onAbort, type Abortable } from './abort.js';
import { CONCURRENCY } from './prepared-call.js';
import type { PaceOptions } from './call.js';
import { Queue, type EndWait } from './queue.js';
import { LONGEST_TIMER_MS, type Runtime } from './runtime.js';

/** The window before the service has responded. */
const FIRST_WINDOW = 16;

/** What an accepted request adds to the window, before and after the first 429. */
const FIRST_GROWTH = 0.5;
const LATER_GROWTH = 0.1;

/** Longest pause between requests after one was refused, unless the service asks for a longer wait. */
const LONGEST_PAUSE_MS = 8_000;

/** Longest pause after one was accepted. */
const LONGEST_PAUSE_ONCE_ACCEPTED_MS = 1_000;

/** After so long with nothing accepted, the service refuses all calls. */
const LONGEST_REFUSAL_MS = 120_000;

/** How late a timer may be without slowing the pace. */
const SLACK_MS = 25;

/** A 429 of one request. */
interface Refusal {
  /** When the request began. */
  readonly begunAt: number;
  /** The wait that the response asks for; 0 where it asks for none. */
  readonly namedMs: number;
  /** Whether that is too long for the call: then the refusal is about this call, and slows no other. */
  readonly isAlone: boolean;
}

/**
 * Lets the requests of a client begin, in order of arrival: at most a window at once, and a pause after each. The window
 * and the pause follow what the service accepts and refuses.
 */
export class Pace {
  readonly #concurrency: number;
  readonly #leastPauseMs: number;
  readonly #queue = new Queue();
  #active = 0;
  #window: number;
  #growth = FIRST_GROWTH;
  #pauseMs = 0;
  /** When the last request began, or should have begun. */
  #lastStart = Number.NEGATIVE_INFINITY;
  #narrowedAt = Number.NEGATIVE_INFINITY;
  /** Since when the service has refused, with nothing accepted. */
  #refusingSince: number | undefined;
  #lastRefusal = Number.NEGATIVE_INFINITY;
  /** The one sleep: until a waiting request can begin. */
  #alarm: { readonly at: number; readonly controller: AbortController } | undefined;

  /** @param stopped ends all waits; nothing begins after it. */
  constructor(
    { requestsPerSecond = Number.POSITIVE_INFINITY, concurrency = CONCURRENCY }: PaceOptions,
    private readonly runtime: Pick<Runtime, 'now' | 'sleep'>,
    private readonly stopped: Abortable,
  ) {
    this.#concurrency = concurrency;
    this.#leastPauseMs = Math.min(1_000 / requestsPerSecond, LONGEST_TIMER_MS);
    this.#window = Math.min(FIRST_WINDOW, concurrency);
  }

  /** Waits for a turn, at the end of the queue. @returns whether the request may begin; `release` then gives it back. */
  turn(signal: Abortable | undefined): Promise<boolean> {
    if (signal?.aborted === true || this.stopped.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end: EndWait = (mayBegin) => {
        this.#queue.delete(end);
        for (const stop of stopListening) stop();
        resolve(mayBegin);
      };
      const onEnd = (): void => {
        end(false);
        this.#advance();
      };
      const stopListening = [onAbort(signal, onEnd), onAbort(this.stopped, onEnd)];
      this.#queue.add(end);
      this.#advance();
    });
  }

  /** Gives a turn back. */
  release(): void {
    this.#active -= 1;
    if (this.#queue.size > 0) this.#advance();
  }

  /** Tells that the service had room for a request: it responded, and the call need not be sent again. */
  accepted(): void {
    this.#refusingSince = undefined;
    this.#window = Math.min(this.#concurrency, this.#window + this.#growth);
    this.#pauseMs = Math.min(this.#pauseMs, LONGEST_PAUSE_ONCE_ACCEPTED_MS) / (1 + this.#growth);
  }

  /** Tells of a 429. @returns whether the service refuses all calls, and this one therefore fails. */
  refused({ begunAt, namedMs, isAlone }: Refusal): boolean {
    const now = this.runtime.now();
    // Time without requests is no refusal.
    if (now - this.#lastRefusal > LONGEST_REFUSAL_MS) this.#refusingSince = undefined;
    this.#lastRefusal = now;
    this.#refusingSince ??= now;
    if (now - this.#refusingSince >= LONGEST_REFUSAL_MS) {
      // No call comes back now: each is asked once, one after the other.
      this.#window = 1;
      this.#pauseMs = 0;
      return true;
    }
    // What began before is of the round trip that has been answered.
    if (!isAlone && begunAt >= this.#narrowedAt) this.#narrow(now, now - begunAt, namedMs);
    return false;
  }

  /** Halves the window; from a window of one on, doubles the pause. */
  #narrow(now: number, tripMs: number, namedMs: number): void {
    this.#narrowedAt = now;
    this.#growth = LATER_GROWTH;
    if (this.#pauseMs <= tripMs) this.#window /= 2;
    if (this.#window < 1) {
      this.#window = 1;
      this.#pauseMs = Math.max(this.#pauseMs, tripMs);
    }
    this.#pauseMs = Math.min(this.#pauseMs * 2, Math.max(LONGEST_PAUSE_MS, namedMs));
  }

  /** When the next request may begin; infinite while none may before another has ended. */
  #nextStart(now: number): number {
    if (this.#active + 1 > this.#window) return Number.POSITIVE_INFINITY;
    // A clock may be set back.
    this.#lastStart = Math.min(this.#lastStart, now);
    return this.#lastStart + Math.max(this.#pauseMs, this.#leastPauseMs);
  }

  #begin(start: number): void {
    this.#lastStart = start;
    this.#active += 1;
  }

  /** Ends the waits whose moment has come. A late timer is made up for; a wait for another request to end is not. */
  #advance(slackMs = this.#alarm === undefined ? 0 : SLACK_MS): void {
    const now = this.runtime.now();
    let start = this.#nextStart(now);
    while (start <= now && this.#queue.size > 0) {
      this.#begin(Math.max(start, now - slackMs));
      this.#queue.first()?.(true);
      start = this.#nextStart(now);
    }
    this.#setAlarm(this.#queue.size === 0 ? Number.POSITIVE_INFINITY : start, now);
  }

  #setAlarm(at: number, now: number): void {
    if (this.#alarm?.at === at) return;
    this.#alarm?.controller.abort();
    this.#alarm = undefined;
    if (at === Number.POSITIVE_INFINITY) return;
    const alarm = { at, controller: new AbortController() };
    this.#alarm = alarm;
    const wake = (): void => {
      if (this.#alarm !== alarm) return;
      this.#alarm = undefined;
      this.#advance(SLACK_MS);
    };
    this.runtime.sleep(Math.ceil(at - now), alarm.controller.signal).then(wake, wake);
  }
}
