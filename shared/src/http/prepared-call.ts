import type { Endpoint } from '../contract/endpoint.js';
import type * as z from '../zod.js';
import type { CallLimits } from './call.js';

/** A request that has been checked. */
export interface PreparedCall<Response extends z.ZodMiniType = z.ZodMiniType> {
  readonly endpoint: Endpoint<Response>;
  /** Path below the base URL, encoded, with its query. */
  readonly path: string;
  /** Body as it goes over the wire. */
  readonly body?: unknown;
  /** What the call does, redacted, for messages: `update contact 'ada@example.com'`. */
  readonly action: string;
}

/** Requests of a client under way at once, unless given. */
export const CONCURRENCY = 100;

/** The limits of a call: its own, else those of the client, else the defaults. */
export function limitsOf(call: CallLimits, client: CallLimits) {
  return {
    timeoutMs: call.timeoutMs ?? client.timeoutMs ?? 30_000,
    deadlineMs: call.deadlineMs ?? client.deadlineMs ?? 120_000,
    maxRetries: call.maxRetries ?? client.maxRetries ?? 5,
  };
}
