import type { Repeatability } from '../contract/http-method.js';

/** How one attempt ended. */
export type AttemptOutcome =
  | { readonly kind: 'response'; readonly status: number }
  | { readonly kind: 'network'; readonly neverSent: boolean }
  | { readonly kind: 'timeout' }
  /** The response is larger than any that the service gives; what it says is not known. */
  | { readonly kind: 'too-large' }
  /** The service's certificate is not trusted. */
  | { readonly kind: 'untrusted' };

/** Whether the request may have been carried out although the attempt failed. */
export function mayHaveArrived(outcome: AttemptOutcome): boolean {
  switch (outcome.kind) {
    case 'timeout':
    case 'too-large':
      return true;
    case 'untrusted':
      return false;
    case 'network':
      return !outcome.neverSent;
    case 'response':
      return outcome.status === 408 || outcome.status >= 500;
  }
}

/**
 * Whether the service may still work on a request after the attempt has failed: its time ran out, or a gateway
 * answered in its place. A service whose connection was cut is taken to have ended its work.
 */
export function mayBeAtWork(outcome: AttemptOutcome): boolean {
  if (outcome.kind === 'response') return [408, 502, 504].includes(outcome.status);
  return outcome.kind === 'timeout';
}

/** Whether a failure is one that may pass by itself: 429, 408, 5xx, a network fault, a time-out. */
export function isTransient(outcome: AttemptOutcome): boolean {
  if (outcome.kind !== 'response') return outcome.kind === 'network' || outcome.kind === 'timeout';
  return outcome.status === 429 || outcome.status === 408 || outcome.status >= 500;
}

/**
 * Whether another attempt is right: the failure may pass by itself, and repeating can do no harm. A call that
 * is neither idempotent nor keyed is repeated only if the failed attempt certainly changed nothing.
 */
export function shouldRetry(repeatability: Repeatability, outcome: AttemptOutcome): boolean {
  return isTransient(outcome) && (repeatability !== 'unsafe' || !mayHaveArrived(outcome));
}

/** Upper bound of the first wait, in milliseconds; it doubles with each further one. */
export const FIRST_DELAY_MS = 250;

/** Upper bound of any wait, in milliseconds. */
export const LONGEST_DELAY_MS = 8_000;

/**
 * Wait before the attempt that follows `failures` failed ones, in milliseconds: full jitter, evenly spread from 0 to
 * the bound. What the service asked for is never undercut.
 */
export function retryDelay(failures: number, random: number, retryAfterMs = 0): number {
  const bound = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  return Math.max(Math.round(random * bound), retryAfterMs);
}
