import type { Repeatability } from '../contract/types.js';
import type { Attempt } from './attempt.js';

/** Whether the request may have been carried out although the attempt failed. */
export function mayHaveArrived({ response, failure }: Attempt): boolean {
  if (response === undefined) return !failure.neverSent;
  return response.status === 408 || response.status >= 500;
}

/** Whether the service may still work on the request: a time-out, or a gateway that responded instead. */
export function mayBeAtWork({ response, failure }: Attempt): boolean {
  return response === undefined ? failure.reason === 'timeout' : [408, 502, 504].includes(response.status);
}

/** Whether a failure may pass by itself: 429, 408, 5xx, a network fault, a time-out. */
export function isTransient({ response, failure }: Attempt): boolean {
  if (response === undefined) return failure.reason !== 'too-large' && !failure.untrusted;
  return response.status === 429 || response.status === 408 || response.status >= 500;
}

/** Whether to retry: the failure may pass, and the call is repeatable or certainly changed nothing. */
export function shouldRetry(repeatability: Repeatability, attempt: Attempt): boolean {
  return isTransient(attempt) && (repeatability !== 'unsafe' || !mayHaveArrived(attempt));
}

/** Upper bound of the first wait, in milliseconds; it doubles with each further one. */
export const FIRST_DELAY_MS = 250;

/** Upper bound of any wait, in milliseconds. */
export const LONGEST_DELAY_MS = 8_000;

/** Wait after so many failures, in milliseconds: full jitter up to the bound, at least what the service asked for. */
export function retryDelay(failures: number, random: number, retryAfterMs = 0): number {
  const bound = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  return Math.max(Math.round(random * bound), retryAfterMs);
}
