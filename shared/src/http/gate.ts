import { retryDelay } from './outcome.js';
import type { Runtime } from './runtime.js';

/** So many 429s in a row concern the client, not one call. */
const IN_A_ROW = 5;

/** Longest wait that a response can ask for, in milliseconds; a longer one fails all waiting calls. */
export const LONGEST_WAIT_MS = 60_000;

/** After so long without an accepted request, what waits fails, in milliseconds. */
const LONGEST_REFUSAL_MS = 75_000;

/**
 * Closes when the service refuses the whole client. One 429 may be about one address: the call waits for itself. Five in
 * a row, with nothing accepted in between, are about all: no request begins until the time that the service named.
 */
export class Gate {
  #closedAt = Number.NEGATIVE_INFINITY;
  /** No request begins before. */
  #opensAt = Number.NEGATIVE_INFINITY;
  /** Time for which it was closed before. */
  #closedMs = 0;
  /** 429s since a request was accepted or the gate closed, and the latest time that they name. */
  #inARow = 0;
  #named = Number.NEGATIVE_INFINITY;
  #closings = 0;
  #refusedSince: number | undefined;
  #lastRefusal = Number.NEGATIVE_INFINITY;

  constructor(private readonly runtime: Pick<Runtime, 'now' | 'random'>) {}

  /** When the next request may begin. */
  get opensAt(): number {
    return this.#opensAt;
  }

  /** For how long it was closed until now, in milliseconds. */
  get closedMs(): number {
    if (this.#opensAt === Number.NEGATIVE_INFINITY) return 0;
    return this.#closedMs + Math.min(this.runtime.now(), this.#opensAt) - this.#closedAt;
  }

  /** Tells that the service had room for a request. */
  accepted(): void {
    this.#begin();
    this.#closings = 0;
    this.#refusedSince = undefined;
  }

  /** Tells of a 429 and the wait that it names: the gate stays as it is, has closed, or all that waits should fail. */
  refused(waitMs = 0): 'same' | 'closed' | 'failed' {
    const now = this.runtime.now();
    // Time without requests is no refusal.
    if (now - this.#lastRefusal > LONGEST_REFUSAL_MS) this.accepted();
    this.#lastRefusal = now;
    this.#refusedSince ??= now;
    if (waitMs > 0 && waitMs <= LONGEST_WAIT_MS) this.#named = Math.max(this.#named, now + waitMs);
    if (now < this.#opensAt) {
      // What was under way when it closed can only move the time on.
      this.#opensAt = Math.max(this.#opensAt, this.#named);
      return 'same';
    }
    this.#inARow += 1;
    if (this.#inARow < IN_A_ROW) return 'same';
    if (waitMs > LONGEST_WAIT_MS || now - this.#refusedSince >= LONGEST_REFUSAL_MS) {
      this.accepted();
      return 'failed';
    }
    this.#closings += 1;
    this.#closedMs = this.closedMs;
    this.#closedAt = now;
    this.#opensAt = this.#named > now ? this.#named : now + retryDelay(this.#closings, this.runtime.random());
    this.#begin();
    return 'closed';
  }

  #begin(): void {
    this.#inARow = 0;
    this.#named = Number.NEGATIVE_INFINITY;
  }
}
