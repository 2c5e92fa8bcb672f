import type { IdempotencyOptions } from './idempotency.js';
import type { GivenCallLimits } from './limits.js';

/** Options of a single call; limits given here win over those of the client. */
export interface CallOptions extends GivenCallLimits, IdempotencyOptions {
  /** Ends the call, wherever it waits. */
  readonly signal?: AbortSignal | undefined;
  /** Further headers of each request, such as one for tracing. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The response to a call as it came, and what it took to get it. */
export interface ResponseInfo {
  readonly status: number;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as text. */
  readonly body: string;
  /** Id that the service gave the request, where it sent one. */
  readonly requestId: string | undefined;
  /** How many requests were sent for this call. */
  readonly attempts: number;
  /** Time spent waiting between them, in milliseconds. */
  readonly totalRetryDelayMs: number;
  /** Key that went with every attempt, where the endpoint takes one. */
  readonly idempotencyKey: string | undefined;
}

/** A result and the HTTP response behind it. */
export interface WithResponse<Result> {
  readonly data: Result;
  readonly response: ResponseInfo;
}

/** What goes with a call that has no method of its own. */
export interface CustomRequest {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}
