import {
  AbortedError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RejectedError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
  type AudienceError,
  type CallData,
  type CallFacts,
} from '../errors.js';
import { wordCall, type CallReason } from '../messages.js';
import type { TransportFailure } from './transport.js';

type ErrorClass = new (
  message: string,
  facts: CallFacts,
  options?: { readonly cause?: unknown },
) => AudienceError;

const OF_STATUS = new Map<number, readonly [ErrorClass, CallReason]>([
  [401, [AuthenticationError, 'keyRefused']],
  [403, [PermissionError, 'notAllowed']],
  [404, [NotFoundError, 'notFound']],
  [407, [InvalidRequestError, 'proxyLogin']],
  [409, [ConflictError, 'conflict']],
  [429, [RateLimitError, 'tooManyRequests']],
]);

/** An error of a call: its class, the reason as a code, and the words for it. */
export function callError(
  Class: ErrorClass,
  reason: CallReason,
  data: CallData,
  options?: { readonly cause?: unknown },
): AudienceError {
  const facts = { ...data, reason };
  return new Class(wordCall(facts), facts, options);
}

/** The error for a response with a status outside 2xx. */
export function errorForStatus(status: number, data: CallData): AudienceError {
  const [Class, reason] = OF_STATUS.get(status) ?? classOf(status);
  return callError(Class, reason, data);
}

function classOf(status: number): readonly [ErrorClass, CallReason] {
  if (status >= 500) return [ServerError, 'serviceFailed'];
  if (status >= 400) return [InvalidRequestError, 'refused'];
  return [UnexpectedResponseError, status >= 300 ? 'redirect' : 'undefinedStatus'];
}

/** The error for an attempt without a complete response. */
export function errorForFailure(failure: TransportFailure, data: CallData, timeoutMs: number): AudienceError {
  if (failure.reason === 'timeout')
    return callError(TimeoutError, 'noResponse', { ...data, timeLimitMs: timeoutMs });
  if (failure.reason === 'too-large') return callError(UnexpectedResponseError, 'tooLarge', data);
  const { networkCode } = failure;
  return callError(NetworkError, networkReason(failure), { ...data, networkCode });
}

function networkReason({ networkCode, untrusted, mayBeOfProxy }: TransportFailure): CallReason {
  if (untrusted) return 'untrusted';
  if (mayBeOfProxy) return 'proxyFailed';
  if (networkCode === 'ECONNREFUSED') return 'connectionRefused';
  return networkCode === 'ENOTFOUND' || networkCode === 'EAI_AGAIN' ? 'hostNotFound' : 'connectionFailed';
}

/** The same error, where it came from an attempt after which no time is left. */
export function outOfTime(error: AudienceError, data: CallData, timeLimitMs: number): AudienceError {
  if (error instanceof RateLimitError || error instanceof ServerError) return error;
  return callError(TimeoutError, 'deadline', { ...data, networkCode: error.networkCode, timeLimitMs });
}

/** The error for a call that the caller's signal ended, or `stop()`. */
export function errorForAbort(data: CallData, signal: AbortSignal | undefined): AudienceError {
  const reason = signal?.aborted === true ? 'aborted' : 'stopped';
  return callError(AbortedError, reason, data, { cause: signal?.reason });
}

/** The error for a 2xx response that says `success: false`, or whose body cannot be used. */
export function errorForBody(reason: CallReason, data: CallData): AudienceError {
  return callError(reason === 'notSuccessful' ? RejectedError : UnexpectedResponseError, reason, data);
}
