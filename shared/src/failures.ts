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
  type AudienceErrorCode,
} from './errors.js';
import { wordCall, type CallCode, type CallData } from './messages/calls.js';

type ErrorClass = new (
  message: string,
  code: AudienceErrorCode,
  facts: CallData,
  options?: { readonly cause?: unknown },
) => AudienceError;

/**
 * What a failure is about.
 *
 * - `request`: the service refuses this request.
 * - `missing`: what the request is about does not exist.
 * - `account`: the API key; every call fails.
 * - `service`: the service or the way to it; the call may succeed later.
 * - `response`: the response is not what the API describes.
 * - `caller`: the caller ended the call.
 */
export type FailureKind = 'request' | 'missing' | 'account' | 'service' | 'response' | 'caller';

/** The one list of failures: the class and the kind of each code. */
const FAILURES: Readonly<Record<CallCode, readonly [ErrorClass, FailureKind]>> = {
  keyRefused: [AuthenticationError, 'account'],
  notAllowed: [PermissionError, 'account'],
  notFound: [NotFoundError, 'missing'],
  contactNotFound: [NotFoundError, 'missing'],
  conflict: [ConflictError, 'request'],
  refused: [InvalidRequestError, 'request'],
  notSuccessful: [RejectedError, 'request'],
  otherType: [ConflictError, 'request'],
  tooManyRequests: [RateLimitError, 'service'],
  serviceFailed: [ServerError, 'service'],
  connectionRefused: [NetworkError, 'service'],
  hostNotFound: [NetworkError, 'service'],
  untrusted: [NetworkError, 'service'],
  connectionFailed: [NetworkError, 'service'],
  noResponse: [TimeoutError, 'service'],
  aborted: [AbortedError, 'caller'],
  stopped: [AbortedError, 'caller'],
  redirect: [UnexpectedResponseError, 'response'],
  undefinedStatus: [UnexpectedResponseError, 'response'],
  notJson: [UnexpectedResponseError, 'response'],
  otherShape: [UnexpectedResponseError, 'response'],
};

/** What a failure is about. An input that was refused before it was sent is a `request`, too. */
export function failureKind({ code }: Pick<AudienceError, 'code'>): FailureKind {
  return code === 'validation' ? 'request' : FAILURES[code][1];
}

/** An error of a call: its class and the words for it, by its code. */
export function callError(
  code: CallCode,
  data: CallData,
  options?: { readonly cause?: unknown },
): AudienceError {
  const [Class] = FAILURES[code];
  return new Class(wordCall(code, data), code, data, options);
}
