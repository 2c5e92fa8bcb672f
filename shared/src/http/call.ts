import type { HttpMethod } from '../types.js';
import type { CallProgress } from '../messages/calls.js';
import type { TransportResponse } from './transport.js';

/** How long and how often a call is tried. */
export interface CallLimits {
  /** Time for one attempt, in milliseconds. 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /**
   * Time for all attempts and the waits between them, in milliseconds; a wait after a 429 counts for at most a tenth of
   * it. Waiting for a turn does not count: if you need an end by a certain time, give a `signal`. 120,000 unless given.
   */
  readonly deadlineMs?: number | undefined;
  /** Further attempts after the first one; those after a 429 do not count. 5 unless given. */
  readonly maxRetries?: number | undefined;
}

/** Limits of all calls of a client together. */
export interface PaceOptions {
  /**
   * Requests begun per second, at most: evenly spaced, and time that went by unused is not made up for. Open unless given.
   */
  readonly requestsPerSecond?: number | undefined;
  /** Requests under way at once, at most. 100 unless given: sockets are finite. */
  readonly concurrency?: number | undefined;
}

/** Options of a single call; limits given here win over those of the client. */
export interface CallOptions extends CallLimits {
  /** A key of the caller's own, 1 to 100 printable ASCII characters. Without one, a random UUID is used. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Whether an earlier request with this `idempotencyKey` may have arrived. `true` unless given. Then every error is
   * `unclear`: nothing shows whether that request succeeded.
   */
  readonly earlierRequest?: boolean | undefined;
  /** Ends the call, wherever it waits. */
  readonly signal?: AbortSignal | undefined;
}

/** The response to a call, with the number of attempts and the waits. */
export interface ResponseInfo extends TransportResponse, CallProgress {
  /** Key that went with every attempt, where the endpoint has one. */
  readonly idempotencyKey: string | undefined;
}

/** A result and the HTTP response behind it. */
export interface WithResponse<Result> {
  readonly data: Result;
  readonly response: ResponseInfo;
}

/** What an attempt was and how it ended. */
export interface AttemptInfo {
  readonly method: HttpMethod;
  /** Path below the base URL. It can hold an email address. */
  readonly path: string;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
  /** HTTP status; absent where there was no response. */
  readonly status: number | undefined;
  readonly milliseconds: number;
}

/** Gets each attempt when it has ended. What it throws or rejects with is ignored. */
export type OnAttempt = (attempt: AttemptInfo) => unknown;
