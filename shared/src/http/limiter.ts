import { onAbort } from './abort.js';
import { AdaptiveRate } from './adaptive-rate.js';
import { Gate } from './gate.js';
import { RequestQueue, type Entry, type Turn } from './request-queue.js';
import { LONGEST_TIMER_MS, type Runtime } from './runtime.js';
import type { TransportResponse } from './transport.js';

/** Limits that the user sets. */
export interface LimiterOptions {
  /**
   * Requests begun per second, at most: evenly spaced, and time that went by unused is not made up for. Open unless given.
   */
  readonly requestsPerSecond?: number | undefined;
  /** Requests under way at once, at most. 100 unless given: sockets are finite. */
  readonly concurrency?: number | undefined;
}

/** Requests under way at once before the service has responded. The window grows by one with each that it accepts. */
const FIRST_WINDOW = 16;

/** Requests under way at once, unless given. */
export const CONCURRENCY = 100;

/** How late a timer may be without slowing the pace, in milliseconds. */
const SLACK_MS = 25;

/** Lets requests through at the pace that the options allow and the service accepts. */
export class Limiter {
  readonly #fixedRate: number;
  readonly #concurrency: number;
  readonly #adaptiveRate = new AdaptiveRate();
  readonly #queue = new RequestQueue();
  readonly #gate: Gate;
  /** Ends the pauses of calls that are going to be tried again. */
  readonly #pauses = new Set<(entry: Entry) => void>();
  #active = 0;
  #window = FIRST_WINDOW;
  #isClosed = false;
  /** When the service refused all calls. */
  #failedAt = Number.NEGATIVE_INFINITY;
  /** When the last request began, or should have begun. */
  #lastStart = Number.NEGATIVE_INFINITY;
  /** The one sleep: until a waiting request can begin. */
  #alarm: { readonly at: number; readonly controller: AbortController } | undefined;

  constructor(
    options: LimiterOptions,
    private readonly runtime: Pick<Runtime, 'now' | 'sleep' | 'random'>,
  ) {
    this.#gate = new Gate(runtime);
    this.#fixedRate = options.requestsPerSecond ?? Number.POSITIVE_INFINITY;
    this.#concurrency = options.concurrency ?? CONCURRENCY;
  }

  /** Requests per second let through now; infinite where nothing limits them. */
  get rate(): number {
    return Math.min(this.#fixedRate, this.#adaptiveRate.at(this.runtime.now()));
  }

  /** Lets a request begin if it can begin now and none waits; `release` frees its slot. */
  tryEnter(): boolean {
    if (this.#isClosed || this.#queue.size > 0) return false;
    const now = this.runtime.now();
    if (this.#nextStart(now) > now) return false;
    this.#begin(now);
    return true;
  }

  /** Waits until the request can begin; `release` then frees its slot. Never rejects. */
  async enter(turn: Turn): Promise<Entry> {
    if (this.#isClosed || turn.signal?.aborted === true) return 'ended';
    if (this.tryEnter()) return 'in';
    const entry = this.#queue.wait(turn, () => this.#advance());
    this.#advance();
    return entry;
  }

  /** Waits before a call is tried again. */
  async pause(milliseconds: number, signal: AbortSignal | undefined): Promise<Entry> {
    if (this.#isClosed) return 'ended';
    const controller = new AbortController();
    let entry: Entry = 'in';
    const end = (why: Entry): void => {
      entry = why;
      controller.abort();
    };
    this.#pauses.add(end);
    const stopListening = onAbort(signal, () => end('ended'));
    try {
      await this.runtime.sleep(milliseconds, controller.signal);
    } catch (error) {
      // An end may reject the sleep; anything else is a fault of the host.
      if (!controller.signal.aborted) throw error;
    } finally {
      stopListening();
      this.#pauses.delete(end);
    }
    return entry;
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
    this.#endWaits('ended');
  }

  /** Tells that the service had room for a request, whatever its response. */
  accepted(): void {
    this.#window += 1;
    this.#gate.accepted();
    this.#adaptiveRate.accepted(this.runtime.now());
  }

  /**
   * Tells of a 429 to a request that began at a time, and of the wait that it asks for. `true`: the service refuses all
   * calls that wait, and so this one.
   */
  limited(response: TransportResponse, waitMs: number | undefined, begunAt: number): boolean {
    // It began before all failed, and fails with them.
    if (begunAt < this.#failedAt) return true;
    this.#adaptiveRate.limited(this.runtime.now());
    const now = this.#gate.refused(waitMs);
    if (now === 'closed') this.#window = FIRST_WINDOW;
    if (now !== 'failed') return false;
    this.#failedAt = this.runtime.now();
    this.#endWaits(response);
    return true;
  }

  /** For how long nothing could begin because of 429s, in milliseconds. */
  get closedMs(): number {
    return this.#gate.closedMs;
  }

  /** How long the gate stays closed from now on, in milliseconds. */
  get opensInMs(): number {
    return Math.max(0, this.#gate.opensAt - this.runtime.now());
  }

  #endWaits(entry: Entry): void {
    this.#queue.end(entry);
    for (const end of [...this.#pauses]) end(entry);
    this.#cancelAlarm();
  }

  get #isFull(): boolean {
    return this.#active >= Math.min(this.#concurrency, this.#window);
  }

  /** When the next request may begin; infinite while no slot is free. */
  #nextStart(now: number): number {
    if (this.#isFull) return Number.POSITIVE_INFINITY;
    // A clock may be set back.
    this.#lastStart = Math.min(this.#lastStart, now);
    return Math.max(this.#lastStart + 1_000 / this.rate, this.#gate.opensAt);
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
