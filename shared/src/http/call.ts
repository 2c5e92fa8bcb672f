import type { Endpoint } from '../contract/endpoint.js';
import type * as z from '../zod.js';
import type { IdempotencyOptions } from './idempotency.js';

/** How long and how often a call is tried. */
export interface CallLimits {
  /** Time for one attempt, in milliseconds. 30,000 unless given. */
  readonly timeoutMs: number;
  /**
   * Time for the whole call in milliseconds, from its beginning: waiting for a turn under the limits of this client,
   * all attempts, and the waits between them. 120,000 unless given; work in bulk needs more.
   */
  readonly deadlineMs: number;
  /** Further attempts after the first one. 5 unless given. */
  readonly maxRetries: number;
}

/** Limits as far as they are given. */
export type GivenCallLimits = { readonly [Name in keyof CallLimits]?: CallLimits[Name] | undefined };

/** The limits that are given, and of the others those that hold unless given. */
export function withLimits(given: GivenCallLimits, unlessGiven: CallLimits): CallLimits {
  return {
    timeoutMs: given.timeoutMs ?? unlessGiven.timeoutMs,
    deadlineMs: given.deadlineMs ?? unlessGiven.deadlineMs,
    maxRetries: given.maxRetries ?? unlessGiven.maxRetries,
  };
}

/** Options of a single call; limits given here win over those of the client. */
export interface CallOptions extends GivenCallLimits, IdempotencyOptions {
  /** Ends the call, wherever it waits. */
  readonly signal?: AbortSignal | undefined;
  /** Further headers of each request, such as one for tracing. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request that has been checked. */
export interface PreparedCall<Response extends z.ZodMiniType = z.ZodMiniType> {
  readonly endpoint: Endpoint<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, Response>;
  /** Path below the base URL, encoded, with its query. */
  readonly path: string;
  /** Body as it goes over the wire. */
  readonly body?: unknown;
  /** What is to be done, for messages: `update contact 'ada@example.com'`. */
  readonly action: string;
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
