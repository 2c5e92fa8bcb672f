import type { Attempt } from './attempt.js';

/** How far a call got, from what its attempts showed. */
export type Outcome = 'sent' | 'not sent' | 'unclear';

/** What has to be known of a call to judge its attempts. */
export interface OutcomeFacts {
  /** Whether the call only reads. */
  readonly isRead: boolean;
  /** Whether an idempotency key goes with each attempt. */
  readonly isKeyed: boolean;
  /** Whether an earlier request with this key may have arrived, before this call. */
  readonly wasUsed: boolean;
  /** The status that the service gives only where a request with this key was carried out. */
  readonly usedKeyStatus: number | undefined;
}

/**
 * Whether a call was carried out, by its attempts so far. No body is read for it.
 *
 * - 2xx: sent. So is the status that the user set as `usedKeyStatus`, if an earlier request with the key may have arrived.
 * - An attempt that may have arrived: unclear. So is a refusal where the key may have been used before, and a redirect.
 */
export function outcomeOf(attempts: readonly Attempt[], call: OutcomeFacts): Outcome {
  const status = attempts.at(-1)?.response?.status;
  if (status !== undefined && status >= 200 && status < 300) return 'sent';
  if (call.isRead) return 'not sent';
  const mayBeUsed = call.wasUsed || attempts.slice(0, -1).some(mayHaveArrived);
  if (call.isKeyed && status !== undefined && status === call.usedKeyStatus && mayBeUsed) return 'sent';
  if (attempts.some(mayHaveArrived)) return 'unclear';
  const isRefusal = status !== undefined && status < 500 && status !== 429;
  return isRefusal && (status < 400 || (call.isKeyed && call.wasUsed)) ? 'unclear' : 'not sent';
}

/** Whether the request may have been carried out although the attempt failed. */
export function mayHaveArrived({ response, failure }: Attempt): boolean {
  if (response === undefined) return !failure.neverSent;
  return response.status === 408 || response.status >= 500;
}
