import type { Endpoint } from '../contract/endpoint.js';
import type { CallCode } from '../messages/calls.js';
import type { CallLimits } from './call.js';
import { TransportFailure, type TransportFailureReason, type TransportResponse } from './transport.js';

/** One request of a call, when it has ended. */
export interface Attempt {
  /** The response, of any status, or why there is none. */
  readonly end: TransportResponse | TransportFailure;
  readonly tookMs: number;
  /** The wait that the response asks for. */
  readonly retryAfterMs: number | undefined;
}

/** An attempt that another one follows, after a wait. */
export interface EarlierAttempt extends Attempt {
  readonly waitMs: number;
}

/** The key of all attempts of one call. */
export interface IdempotencyKey {
  readonly value: string;
  /** Whether the caller gave it: a request that succeeded with it was this one. */
  readonly isOwn: boolean;
  /** Whether a request with this key may have arrived before this call. */
  readonly earlierRequest: boolean;
}

/** What holds for all attempts of a call. */
export interface CallRules {
  readonly endpoint: Pick<Endpoint, 'method' | 'isRepeatable'>;
  readonly key: IdempotencyKey | undefined;
  /** The status that the service uses only for "a request with this key succeeded". */
  readonly usedKeyStatus: number | undefined;
  readonly limits: Required<CallLimits>;
}

/** A call so far. */
export interface History extends CallRules {
  readonly earlier: readonly EarlierAttempt[];
  readonly last: Attempt;
  /** From 0 up to but not including 1, for the wait. */
  readonly random: number;
}

/** What follows the last attempt of a call. */
export type Next =
  | { readonly is: 'sent'; readonly response: TransportResponse }
  | { readonly is: 'failed'; readonly code: CallCode }
  | { readonly is: 'again'; readonly waitMs: number };

/**
 * Whether another attempt follows.
 *
 * - `never`: the end is final.
 * - `retry`: `maxRetries` times.
 * - `refused`: as often as the deadline allows. The service is there, and uses up no retry.
 * - `conflict`: for 30 s, while an earlier attempt may be at work. It uses up no retry either.
 */
type Again = 'never' | 'retry' | 'refused' | 'conflict';

/** Whether the request was carried out: certainly not, maybe, or maybe with the service still at work. */
type Arrived = 'no' | 'maybe' | 'at work';

/** What the end of an attempt says. */
interface Meaning {
  readonly code: CallCode;
  readonly again: Again;
  readonly arrived: Arrived;
}

/** What a status says, by the first line that fits. The interface is silent: these are assumptions. */
const STATUSES: readonly (readonly [from: number, to: number, CallCode, Again, Arrived])[] = [
  [300, 399, 'redirect', 'never', 'maybe'],
  [401, 401, 'keyRefused', 'never', 'no'],
  [403, 403, 'notAllowed', 'never', 'no'],
  [404, 404, 'notFound', 'never', 'no'],
  [408, 408, 'serviceFailed', 'retry', 'at work'],
  [409, 409, 'conflict', 'conflict', 'no'],
  [429, 429, 'tooManyRequests', 'refused', 'no'],
  [400, 499, 'refused', 'never', 'no'],
  [502, 502, 'serviceFailed', 'retry', 'at work'],
  [504, 504, 'serviceFailed', 'retry', 'at work'],
  [520, 529, 'serviceFailed', 'retry', 'at work'],
  [500, 599, 'serviceFailed', 'retry', 'maybe'],
];
const ANY_OTHER_STATUS: Meaning = { code: 'undefinedStatus', again: 'never', arrived: 'maybe' };

/** What it says that there is no complete response. Whether the request arrived is the failure's `neverSent`. */
const NO_RESPONSE: Readonly<Record<TransportFailureReason | 'untrusted', readonly [CallCode, Again]>> = {
  network: ['connectionFailed', 'retry'],
  timeout: ['noResponse', 'retry'],
  untrusted: ['untrusted', 'never'],
  aborted: ['aborted', 'never'],
};

/** Codes of errors that say more of a network than that it failed. */
const NETWORK_CODES: Readonly<Partial<Record<string, CallCode>>> = {
  ECONNREFUSED: 'connectionRefused',
  ENOTFOUND: 'hostNotFound',
  EAI_AGAIN: 'hostNotFound',
};

/** Bounds of the wait before another attempt. It doubles with each attempt, and half of it is random. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/** Longest wait that a response can ask for. */
const LONGEST_NAMED_MS = 60_000;

/** For so long a conflict is tried again. */
const LONGEST_CONFLICT_MS = 30_000;

/** A wait after a 429 counts for at most this share of the deadline: the service is there, and others come first. */
const SHARE_OF_DEADLINE = 0.1;

/** What follows the last attempt: the call has succeeded or failed, or is tried again. No body is read for it. */
export function next(history: History): Next {
  const { last, earlier, limits, random } = history;
  if (!(last.end instanceof TransportFailure) && isSuccess(last.end.status, history))
    return { is: 'sent', response: last.end };
  const { code, again } = meaningOf(last);
  if (!isRepeated(history) || isTooLong(last, limits)) return { is: 'failed', code };
  const waitMs = waitAfter(last, earlier.length, random);
  const waited: EarlierAttempt[] = [...earlier, { ...last, waitMs }];
  if (again === 'conflict' && conflictMsOf(waited) > LONGEST_CONFLICT_MS) return { is: 'failed', code };
  const isInTime = spentMsOf(waited, limits) < limits.deadlineMs;
  return isInTime ? { is: 'again', waitMs } : { is: 'failed', code };
}

/** Whether a call may have been carried out, by its attempts or by an earlier request with its key. */
export function isUnclear(
  { endpoint, key }: Pick<CallRules, 'endpoint' | 'key'>,
  attempts: readonly Pick<Attempt, 'end'>[],
): boolean {
  if (endpoint.method === 'GET') return false;
  return key?.earlierRequest === true || attempts.some(mayHaveArrived);
}

/** Whether the service had room for the request, whatever it says of it. */
export function isAccepted(attempt: Attempt): boolean {
  const { again } = meaningOf(attempt);
  return !(attempt.end instanceof TransportFailure) && again !== 'retry' && again !== 'refused';
}

/** Whether the service had no room for the request (429). */
export function isRefused(attempt: Attempt): boolean {
  return meaningOf(attempt).again === 'refused';
}

/** Whether a response asks for a longer wait than the call can bear. */
export function isTooLong({ retryAfterMs = 0 }: Attempt, { deadlineMs }: Required<CallLimits>): boolean {
  return retryAfterMs > Math.min(LONGEST_NAMED_MS, deadlineMs);
}

/** The time of a call that counts into its deadline: attempts and the waits between them. */
export function spentMsOf(attempts: readonly EarlierAttempt[], { deadlineMs }: Required<CallLimits>): number {
  return attempts.reduce((sum, attempt) => {
    const most = isRefused(attempt) ? deadlineMs * SHARE_OF_DEADLINE : Number.POSITIVE_INFINITY;
    return sum + attempt.tookMs + Math.min(attempt.waitMs, most);
  }, 0);
}

function isSuccess(status: number, { earlier, key, usedKeyStatus }: History): boolean {
  if (status >= 200 && status < 300) return true;
  if (key === undefined || status !== usedKeyStatus) return false;
  return key.isOwn || earlier.some(mayHaveArrived);
}

function isRepeated({ endpoint, key, limits, last, earlier }: History): boolean {
  const { again, arrived } = meaningOf(last);
  if (limits.maxRetries === 0) return false;
  switch (again) {
    case 'never':
      return false;
    case 'conflict':
      return key !== undefined && earlier.some((attempt) => meaningOf(attempt).arrived === 'at work');
    case 'refused':
      return true;
    case 'retry': {
      const retries = earlier.filter((attempt) => meaningOf(attempt).again === 'retry').length;
      return retries < limits.maxRetries && (endpoint.isRepeatable || arrived === 'no');
    }
  }
}

/** A 429 is waited out as long as it asks; any other wait grows, and is at least as long. */
function waitAfter(attempt: Attempt, earlier: number, random: number): number {
  const { retryAfterMs = 0 } = attempt;
  if (isRefused(attempt) && retryAfterMs > 0) return retryAfterMs;
  const mostMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** earlier);
  return Math.max(Math.round((mostMs * (1 + random)) / 2), retryAfterMs);
}

function conflictMsOf(attempts: readonly EarlierAttempt[]): number {
  const conflicts = attempts.filter((attempt) => meaningOf(attempt).again === 'conflict');
  return conflicts.reduce((sum, { waitMs }) => sum + waitMs, 0);
}

function mayHaveArrived(attempt: Pick<Attempt, 'end'>): boolean {
  return meaningOf(attempt).arrived !== 'no';
}

function meaningOf({ end }: Pick<Attempt, 'end'>): Meaning {
  if (end instanceof TransportFailure) {
    const [code, again] = NO_RESPONSE[end.untrusted ? 'untrusted' : end.reason];
    const known = end.reason === 'network' ? NETWORK_CODES[end.networkCode ?? ''] : undefined;
    return { code: known ?? code, again, arrived: end.neverSent ? 'no' : 'at work' };
  }
  const row = STATUSES.find(([from, to]) => end.status >= from && end.status <= to);
  if (row === undefined) return ANY_OTHER_STATUS;
  const [, , code, again, arrived] = row;
  return { code, again, arrived };
}
