import type { Endpoint } from '../contract/endpoint.js';
import type { TransportFailure, TransportResponse } from './transport.js';

/** How one attempt ended: with a response of any status, or without a complete one. */
export type Attempt =
  | { readonly response: TransportResponse; readonly failure?: undefined }
  | { readonly response?: undefined; readonly failure: TransportFailure };

/** The key for all attempts of one call. */
export interface IdempotencyKey {
  readonly value: string;
  /** Whether the caller gave it: a request that succeeded with it was this one. */
  readonly isOwn: boolean;
  /** Whether an earlier request with this key may have arrived, before this call. */
  readonly earlierRequest: boolean;
}

/** How far a call got, from what its attempts showed. */
export type Outcome = 'sent' | 'not sent' | 'unclear';

/**
 * Whether a call succeeded, by its attempts so far. No body is read for it. We assume that a 4xx changed nothing.
 *
 * - 2xx: sent. So is the status that the user set as `usedKeyStatus`, unless the key was certainly never used.
 * - An attempt or earlier request that may have arrived, or a redirect: unclear.
 */
export function outcomeOf(
  attempts: readonly Attempt[],
  isRead: boolean,
  key?: IdempotencyKey,
  usedKeyStatus?: number,
): Outcome {
  const status = attempts.at(-1)?.response?.status;
  if (status !== undefined && status >= 200 && status < 300) return 'sent';
  if (isRead) return 'not sent';
  const mayBeUsed = key?.isOwn === true || attempts.slice(0, -1).some(mayHaveArrived);
  if (key !== undefined && status !== undefined && status === usedKeyStatus && mayBeUsed) return 'sent';
  if (key?.earlierRequest === true || attempts.some(mayHaveArrived)) return 'unclear';
  return status !== undefined && status < 400 ? 'unclear' : 'not sent';
}

/** Whether the request may have succeeded although the attempt failed. */
export function mayHaveArrived({ response, failure }: Attempt): boolean {
  if (response === undefined) return !failure.neverSent;
  return response.status === 408 || response.status >= 500;
}

/**
 * Whether the service may still work on the request: a time-out, a lost response, or a gateway that responded instead
 * of the service.
 */
function mayBeAtWork({ response, failure }: Attempt): boolean {
  if (response === undefined) return !failure.neverSent;
  const { status } = response;
  return status === 408 || status === 502 || status === 504 || (status >= 520 && status <= 529);
}

/** Whether a failure may be temporary: 429, 408, 5xx, a network fault, a time-out. */
export function isTransient({ response, failure }: Attempt): boolean {
  if (response === undefined) return failure.reason !== 'too-large' && !failure.untrusted;
  return response.status === 429 || response.status === 408 || response.status >= 500;
}

/**
 * Whether to retry. The failure may pass, and the call is repeatable or certainly changed nothing. A 409 to a keyed call
 * may pass where an earlier attempt may still be at work.
 */
export function shouldRetry(
  { method, isKeyed = false }: Pick<Endpoint, 'method' | 'isKeyed'>,
  attempts: readonly Attempt[],
): boolean {
  const last = attempts.at(-1);
  if (last === undefined) return false;
  if (last.response?.status === 409 && isKeyed) return attempts.some(mayBeAtWork);
  return isTransient(last) && (method !== 'POST' || isKeyed || !mayHaveArrived(last));
}

/** Upper bound of the first wait, in milliseconds; it doubles with each further one. */
const FIRST_DELAY_MS = 250;

/** Upper bound of any wait, in milliseconds. */
const LONGEST_DELAY_MS = 8_000;

/** Wait after so many failures, in milliseconds: full jitter up to the bound, at least what the service asked for. */
export function retryDelay(failures: number, random: number, retryAfterMs = 0): number {
  const bound = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  return Math.max(Math.round(random * bound), retryAfterMs);
}
