import type { Endpoint } from '../contract/endpoint.js';
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
} from '../errors.js';
import type { AudienceError, CallFacts } from '../errors.js';
import type { HostWords } from './host-words.js';
import type { KeyVerdict } from './key-verdict.js';
import type { TransportFailure } from './transport.js';

/** What the wording of any error needs. */
export interface ErrorContext {
  readonly facts: CallFacts;
  /** What was to be done, such as `update contact 'ada@example.com'`. */
  readonly action: string;
  /** Address of the service, for the person to check. */
  readonly baseUrl: string;
  readonly words: HostWords;
  readonly endpoint: Pick<Endpoint, 'tag' | 'repeatability'>;
  /** What the refusal says of the idempotency key, where it does. */
  readonly verdict?: KeyVerdict | undefined;
  /** Where a redirect leads, already redacted. */
  readonly redirect?: string | undefined;
}

/** The error for a response with a status outside 2xx: status decides, the service's own words are quoted. */
export function errorForStatus(status: number, context: ErrorContext): AudienceError {
  const { facts, baseUrl } = context;
  const could = couldNot(context);
  const said = quoted(facts.serviceMessage);
  const open = howToFindOut(context);
  const tries = afterAttempts(facts);
  const wait = inWords(facts.retryAfterMs);
  // To repeat it with another key would send a second one: how to find out says what to do.
  const isOpen = facts.unclear && facts.idempotencyKey !== undefined;
  const inTime = wait === undefined ? 'later' : `in ${wait}`;
  const asked = wait === undefined ? '' : ` It asks to wait ${wait}.`;
  if (context.verdict !== undefined && context.verdict !== 'other') {
    return new ConflictError(`${could}: ${OF_THE_KEY[context.verdict]} (${status}).${said}${open}`, facts);
  }
  switch (status) {
    case 401:
      return new AuthenticationError(
        `${could}: the service at ${baseUrl} does not accept the API key (401).${said} Check that the key is complete, not revoked, and of this service.${open}`,
        facts,
      );
    case 403:
      return new PermissionError(
        `${could}: the API key is not allowed to do this (403).${said} Use a key with the right to do it.${open}`,
        facts,
      );
    case 404:
      return new NotFoundError(`${could}: not found (404).${said} ${notFoundAdvice(context)}${open}`, facts);
    case 409:
      return new ConflictError(
        `${could}: it conflicts with something that exists already (409).${said}${open}`,
        facts,
      );
    case 429:
      return new RateLimitError(
        `${could}: the service is receiving too many requests (429)${tries}.${said}${isOpen ? asked : ` Try again ${inTime}, or send fewer requests per second.`}${open}`,
        facts,
      );
    default:
  }
  if (status >= 500) {
    return new ServerError(
      `${could}: the service failed (${status})${tries}.${said}${isOpen ? asked : ` Try again ${inTime}.`}${open}`,
      facts,
    );
  }
  if (status >= 400) {
    return new InvalidRequestError(
      `${could}: the service refuses the request (${status}).${said}${open}`,
      facts,
    );
  }
  const target = context.redirect === undefined ? 'elsewhere' : `to ${context.redirect}`;
  return new UnexpectedResponseError(
    status >= 300
      ? `${could}: the service redirects ${target} (${status}). Redirects are not followed, to keep the API key safe: set the base URL to the final address.${open}`
      : `${could}: the service responded with status ${status}, which the API does not define.${open}`,
    facts,
  );
}

/** What a refusal of the key means to a person. */
const OF_THE_KEY = {
  'in-progress': 'a request with this idempotency key is still in progress',
  'another-payload': 'its idempotency key belongs to a request with other content',
  used: 'its idempotency key was already used',
} as const;

/** A wait for people: `90 s`, `12 min`, `5 h`; nothing where none was asked for, or one of more than a day. */
function inWords(milliseconds = 0): string | undefined {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds === 0 || seconds > 86_400) return undefined;
  if (seconds <= 120) return `${seconds} s`;
  return seconds <= 7_200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}

export function errorForFailure(
  failure: TransportFailure,
  context: ErrorContext,
  timeoutMs: number,
): AudienceError {
  const { facts, baseUrl } = context;
  const could = couldNot(context);
  const tries = afterAttempts(facts);
  switch (failure.reason) {
    case 'timeout':
      return new TimeoutError(
        `${could}: no response from ${baseUrl} within ${timeoutMs} ms${tries}.${howToFindOut(context)}`,
        facts,
      );
    case 'too-large':
      return new UnexpectedResponseError(
        `${could}: the response of ${baseUrl} is larger than the service ever sends. Check that the base URL is that of the service.${howToFindOut(context)}`,
        facts,
      );
    default: {
      const what = explainNetwork(failure, context, tries);
      const { networkCode } = failure;
      return new NetworkError(`${could}: ${what}.${howToFindOut(context)}`, { ...facts, networkCode });
    }
  }
}

/** The error where the deadline passed while the call waited for its turn. */
export function errorForTurn(context: ErrorContext): TimeoutError {
  const { facts, words } = context;
  const attempt = facts.attempts === 0 ? 'the call' : 'another attempt';
  return new TimeoutError(
    `${couldNot(context)}: ${attempt} was still queued when the deadline passed. ${words.moreTime}${howToFindOut(context)}`,
    facts,
  );
}

/** The same error, where it came from an attempt after which no time is left. */
export function outOfTime(error: AudienceError): AudienceError {
  return error instanceof RateLimitError || error instanceof ServerError
    ? error
    : new TimeoutError(`${error.message} The deadline leaves no time for another attempt.`, error);
}

/** The error for a call that the caller's signal ended, or `stop()`. */
export function errorForAbort(context: ErrorContext, signal: AbortSignal | undefined): AbortedError {
  const { facts } = context;
  const why = signal?.aborted === true ? 'the call was aborted' : 'the client was stopped';
  const nothing = facts.attempts === 0 ? ' Nothing was sent.' : '';
  return new AbortedError(`${couldNot(context)}: ${why}.${nothing}${howToFindOut(context)}`, facts, {
    cause: signal?.reason,
  });
}

export function errorForRejection(context: ErrorContext): RejectedError {
  const { facts } = context;
  return new RejectedError(
    `${couldNot(context)}: the service responded ${facts.status}, but reports no success.${quoted(facts.serviceMessage)}${howToFindOut(context)}`,
    facts,
  );
}

export function errorForUnreadable(context: ErrorContext, problem: string): UnexpectedResponseError {
  const { facts, baseUrl } = context;
  return new UnexpectedResponseError(
    `${couldNot(context)}: the service at ${baseUrl} responded ${facts.status}, but ${problem}. Check that the base URL is that of the service.${howToFindOut(context)}`,
    facts,
  );
}

/** The beginning of a message. A call that may have been carried out is not called failed. */
function couldNot({ facts, action }: ErrorContext): string {
  return facts.unclear ? `May have failed to ${action}` : `Could not ${action}`;
}

/** How a person finds out whether an unclear call was carried out. */
function howToFindOut({ facts, words, endpoint }: ErrorContext): string {
  const { unclear, idempotencyKey } = facts;
  if (!unclear) return '';
  const how =
    idempotencyKey === undefined
      ? `Check whether it worked${endpoint.repeatability === 'unsafe' ? ' before you repeat it' : ', or repeat it: that sets the same values'}.`
      : words.findOut();
  return how === '' ? '' : ` ${how}`;
}

function afterAttempts({ attempts }: CallFacts): string {
  return attempts > 1 ? ` after ${attempts} attempts` : '';
}

function quoted(message: string | undefined): string {
  return message === undefined ? '' : ` The service says: "${message.replace(/[."]+$/, '')}".`;
}

function notFoundAdvice({ action, baseUrl, words, endpoint }: ErrorContext): string {
  return endpoint.tag === 'contacts'
    ? `Check the email address or ${words.userId}; the contact has to exist already.`
    : `Check ${action.includes("'") ? 'the id, and ' : ''}that ${baseUrl} is the address of the service.`;
}

function explainNetwork(
  { networkCode, untrusted, mayBeOfProxy }: TransportFailure,
  { baseUrl, words }: ErrorContext,
  tries: string,
): string {
  const code = networkCode === undefined || !words.systemCodes ? '' : ` (${networkCode})`;
  const after = code + tries;
  if (untrusted) {
    return `no trusted connection can be made to ${baseUrl}${after}. Check the base URL, and whether the service speaks https; if you use a private certificate authority, ${words.ownAuthority}`;
  }
  if (mayBeOfProxy) {
    return `the connection to ${baseUrl} failed${after}. Check the network, and HTTPS_PROXY and NO_PROXY in the environment`;
  }
  switch (networkCode) {
    case 'ECONNREFUSED':
      return `nothing listens at ${baseUrl}${after}. Check that the service runs and that the base URL is right`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host of ${baseUrl} cannot be found${after}. Check the base URL and the network`;
    default:
      return `the connection to ${baseUrl} failed${after}. Check the network`;
  }
}
