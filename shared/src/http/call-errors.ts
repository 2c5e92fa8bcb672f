import type { Endpoint } from '../contract/endpoint.js';
import {
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
  type AudienceError,
  type AudienceErrorCode,
} from '../errors.js';
import { wordCall, type CallCode, type CallData } from '../messages/calls.js';
import type { PreparedCall } from './call-options.js';
import { messageInBody } from './decode.js';
import type { TransportFailure, TransportResponse } from './transport.js';

const REDACTED = '[redacted]';
/** Shorter secrets are words of other texts: `test` is in `test@example.com`. */
const SHORTEST_SECRET = 8;
/** Control characters and overrides of the writing direction could move a cursor or forge a line of a log. */
// eslint-disable-next-line no-control-regex -- these are the characters meant
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;
const SNIPPET_LENGTH = 500;
const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id'];

/** Replaces secrets in a text from outside. */
export type Redactor = (text: string) => string;

/** Makes a function that replaces secrets, as they are and as a URL or JSON has them, and control characters in a text. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => {
      const json = JSON.stringify(secret).slice(1, -1);
      return [secret, encodeURIComponent(secret), json, json.replaceAll('/', String.raw`\/`)];
    })
    // The longest first, so that no part of a secret stays behind a shorter one.
    .sort((a, b) => b.length - a.length);
  return (text) =>
    forms.reduce((redacted, form) => redacted.replaceAll(form, REDACTED), text).replace(UNPRINTABLE, ' ');
}

/** The id that the service gave a request, where it sent one. */
export function requestIdOf({ headers }: TransportResponse): string | undefined {
  return REQUEST_ID_HEADERS.map((name) => headers[name]).find((id) => id !== undefined);
}

/** What an error knows of the call that ended in it. Every text of the service is redacted. */
export function callData(
  redact: Redactor,
  { endpoint, path, action }: PreparedCall,
  known: Omit<CallData, 'headers'>,
  response: TransportResponse | undefined,
): CallData {
  const { method, operationId: operation } = endpoint;
  const call = { method, operation, action, path: redact(path), ...known };
  if (response === undefined) return call;
  const snippet = (text: string | undefined): string | undefined => {
    const redacted = text === undefined ? undefined : redact(text);
    const isLong = redacted !== undefined && redacted.length > SNIPPET_LENGTH;
    return isLong ? `${redacted.slice(0, SNIPPET_LENGTH)}…` : redacted;
  };
  const { status, body } = response;
  const message = messageInBody(body);
  const kept = Object.entries(response.headers).filter(([name]) => name !== 'set-cookie');
  const headers = Object.fromEntries(kept.map(([name, value]): [string, string] => [name, redact(value)]));
  return {
    ...call,
    status,
    headers,
    location: headers['location'],
    requestId: snippet(requestIdOf(response)),
    // What a message was read in is not kept: it can hold more than that.
    bodySnippet: message === undefined ? snippet(body) : undefined,
    serviceMessage: snippet(message),
  };
}

type ErrorClass = new (
  message: string,
  code: AudienceErrorCode,
  facts: CallData,
  options?: { readonly cause?: unknown },
) => AudienceError;

const OF_STATUS = new Map<number, readonly [ErrorClass, CallCode]>([
  [401, [AuthenticationError, 'keyRefused']],
  [403, [PermissionError, 'notAllowed']],
  [404, [NotFoundError, 'notFound']],
  [407, [InvalidRequestError, 'proxyLogin']],
  [409, [ConflictError, 'conflict']],
  [429, [RateLimitError, 'tooManyRequests']],
]);

/** An error of a call: its class, its code, and the words for it. */
export function callError(
  Class: ErrorClass,
  code: CallCode,
  data: CallData,
  options?: { readonly cause?: unknown },
): AudienceError {
  return new Class(wordCall(code, data), code, data, options);
}

/** The error for a response with a status outside 2xx. */
export function errorForStatus(status: number, data: CallData, { params }: Endpoint): AudienceError {
  const [Class, code] = OF_STATUS.get(status) ?? classOf(status);
  const isOfOneContact = code === 'notFound' && params !== undefined;
  return callError(Class, isOfOneContact ? 'contactNotFound' : code, data);
}

function classOf(status: number): readonly [ErrorClass, CallCode] {
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
  return callError(NetworkError, codeOfFailure(failure), { ...data, networkCode });
}

function codeOfFailure({ networkCode, untrusted }: TransportFailure): CallCode {
  if (untrusted) return 'untrusted';
  if (networkCode === 'ECONNREFUSED') return 'connectionRefused';
  return networkCode === 'ENOTFOUND' || networkCode === 'EAI_AGAIN' ? 'hostNotFound' : 'connectionFailed';
}

/** The same error, where it came from an attempt after which no time is left. */
export function outOfTime(error: AudienceError, data: CallData, timeLimitMs: number): AudienceError {
  if (error instanceof RateLimitError || error instanceof ServerError) return error;
  return callError(TimeoutError, 'deadline', { ...data, networkCode: error.networkCode, timeLimitMs });
}
