import type { Repeatability } from '../contract/types.js';
import type { Attempt } from './attempt.js';
import { mayHaveArrived } from './outcome.js';

/**
 * Whether the service may still work on the request: a time-out, a lost response, or a gateway that responded instead
 * of the service.
 */
export function mayBeAtWork({ response, failure }: Attempt): boolean {
  if (response === undefined) return !failure.neverSent;
  const { status } = response;
  return status === 408 || status === 502 || status === 504 || (status >= 520 && status <= 529);
}

/** Whether a failure may pass by itself: 429, 408, 5xx, a network fault, a time-out. */
export function isTransient({ response, failure }: Attempt): boolean {
  if (response === undefined) return failure.reason !== 'too-large' && !failure.untrusted;
  return response.status === 429 || response.status === 408 || response.status >= 500;
}

/**
 * Whether to retry. The failure may pass, and the call is repeatable or certainly changed nothing. A 409 to a keyed call
 * may pass where an earlier attempt may still be at work.
 */
export function shouldRetry(repeatability: Repeatability, attempts: readonly Attempt[]): boolean {
  const last = attempts.at(-1);
  if (last === undefined) return false;
  if (last.response?.status === 409 && repeatability === 'keyed') return attempts.some(mayBeAtWork);
  return isTransient(last) && (repeatability !== 'unsafe' || !mayHaveArrived(last));
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
