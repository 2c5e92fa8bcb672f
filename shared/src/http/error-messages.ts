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
  type AudienceError,
  type CallFacts,
} from '../errors.js';
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
  /** Whether this client made the idempotency key. */
  readonly isMinted: boolean;
  /** What the refusal says of the idempotency key, where it does. */
  readonly verdict?: KeyVerdict | undefined;
  /** Where a redirect leads, already redacted. */
  readonly redirect?: string | undefined;
}

type ErrorClass = new (message: string, facts: CallFacts) => AudienceError;

/** The error for a response with a status outside 2xx: status decides, the service's own words are quoted. */
export function errorForStatus(status: number, context: ErrorContext): AudienceError {
  const { facts, baseUrl, verdict = 'other' } = context;
  const error = (Class: ErrorClass, what: string, advice?: string) =>
    new Class(message(context, `${what} (${status})`, quoted(facts), advice), facts);
  if (verdict !== 'other') return error(ConflictError, OF_THE_KEY[verdict]);
  switch (status) {
    case 401:
      return error(
        AuthenticationError,
        `the service at ${baseUrl} does not accept the API key`,
        'Check that the key is complete, not revoked, and of this service.',
      );
    case 403:
      return error(
        PermissionError,
        'the API key is not allowed to do this',
        'Use a key with the right to do it.',
      );
    case 404:
      return error(NotFoundError, 'not found', notFoundAdvice(context));
    case 407:
      return error(InvalidRequestError, 'a proxy asks for a login', 'Put it into HTTPS_PROXY.');
    case 409:
      return error(ConflictError, 'it conflicts with existing data');
    default:
  }
  if (status === 429 || status >= 500) return errorForBusy(status, context);
  if (status >= 400) return error(InvalidRequestError, 'the service refuses the request');
  const target = context.redirect === undefined ? 'elsewhere' : `to ${context.redirect}`;
  const text =
    status >= 300
      ? message(
          context,
          `the service redirects ${target} (${status})`,
          'Redirects are not followed, to keep the API key safe: set the base URL to the final address.',
        )
      : message(context, `the service responded with status ${status}, which the API does not define`);
  return new UnexpectedResponseError(text, facts);
}

function errorForBusy(status: number, context: ErrorContext): AudienceError {
  const { facts } = context;
  const tries = afterAttempts(facts);
  const wait = inWords(facts.retryAfterMs);
  const inTime = wait === undefined ? 'later' : `in ${wait}`;
  const asked = wait === undefined ? '' : `It asks to wait ${wait}.`;
  const said = quoted(facts);
  // Repeating it with another key would send a second one: howToFindOut says what to do.
  const isOpen = facts.unclear && facts.idempotencyKey !== undefined;
  if (status === 429) {
    const advice = isOpen ? asked : `Try again ${inTime}, or send fewer requests per second.`;
    const what = `the service is receiving too many requests (429)${tries}`;
    return new RateLimitError(message(context, what, said, advice), facts);
  }
  const advice = isOpen ? asked : `Try again ${inTime}.`;
  return new ServerError(message(context, `the service failed (${status})${tries}`, said, advice), facts);
}

/** What a refusal of the key means to a person. */
const OF_THE_KEY = {
  'in-progress': 'a request with this idempotency key is still in progress',
  'another-payload': 'its idempotency key belongs to a request with other content',
  used: 'its idempotency key was already used',
} as const;

/** A wait in words: `90 s`, `12 min`, `5 h`; nothing where none was asked for, or one of more than a day. */
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
  const tries = afterAttempts(facts);
  if (failure.reason === 'timeout') {
    const what = `no response from ${baseUrl} within ${timeoutMs} ms${tries}`;
    return new TimeoutError(message(context, what), facts);
  }
  if (failure.reason === 'too-large') {
    const what = `the response of ${baseUrl} is too large`;
    return new UnexpectedResponseError(message(context, what, CHECK_BASE_URL), facts);
  }
  const { networkCode } = failure;
  return new NetworkError(message(context, explainNetwork(failure, context, tries)), {
    ...facts,
    networkCode,
  });
}

const CHECK_BASE_URL = 'Check that the base URL is the address of the service.';

/** The error where the deadline passed while the call waited for its turn. */
export function errorForTurn(context: ErrorContext): TimeoutError {
  const { facts, words } = context;
  const attempt = facts.attempts === 0 ? 'the call' : 'another attempt';
  const what = `${attempt} was still queued when the deadline passed`;
  return new TimeoutError(message(context, what, words.moreTime), facts);
}

/** The same error, where it came from an attempt after which no time is left. */
export function outOfTime(error: AudienceError): AudienceError {
  return error instanceof RateLimitError || error instanceof ServerError
    ? error
    : new TimeoutError(`${error.message} The deadline allows no further attempt.`, error);
}

/** The error for a call that the caller's signal ended, or `stop()`. */
export function errorForAbort(context: ErrorContext, signal: AbortSignal | undefined): AbortedError {
  const { facts } = context;
  const why = signal?.aborted === true ? 'the call was aborted' : 'the client was stopped';
  const nothing = facts.attempts === 0 ? 'Nothing was sent.' : '';
  return new AbortedError(message(context, why, nothing), facts, { cause: signal?.reason });
}

export function errorForRejection(context: ErrorContext): RejectedError {
  const { facts } = context;
  const what = `the service responded ${facts.status}, but says that the request failed`;
  return new RejectedError(message(context, what, quoted(facts)), facts);
}

export function errorForUnreadable(context: ErrorContext, problem: string): UnexpectedResponseError {
  const { facts, baseUrl } = context;
  const what = `the service at ${baseUrl} responded ${facts.status}, but ${problem}`;
  return new UnexpectedResponseError(message(context, what, CHECK_BASE_URL), facts);
}

/** Joins what happened, what to do, and how to find out whether an unclear call was carried out. */
function message(context: ErrorContext, what: string, ...advice: (string | undefined)[]): string {
  const { facts, action } = context;
  const could = facts.unclear ? `May have failed to ${action}` : `Could not ${action}`;
  return [`${could}: ${what}.`, ...advice, howToFindOut(context)].filter(Boolean).join(' ');
}

function howToFindOut({ facts, words, endpoint, isMinted }: ErrorContext): string {
  if (!facts.unclear) return '';
  if (facts.idempotencyKey !== undefined) return words.findOut(isMinted);
  return endpoint.repeatability === 'unsafe'
    ? 'Check whether it worked before you repeat it.'
    : 'Check whether it worked, or repeat it: that sets the same values.';
}

function afterAttempts({ attempts }: CallFacts): string {
  return attempts > 1 ? ` after ${attempts} attempts` : '';
}

function quoted({ serviceMessage }: CallFacts): string | undefined {
  return serviceMessage && `The service says: "${serviceMessage.replace(/[."]+$/, '')}".`;
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
  const failed = `the connection to ${baseUrl} failed${after}`;
  if (untrusted)
    return `no trusted connection can be made to ${baseUrl}${after}. Check the base URL, and whether the service speaks https; if you use a private certificate authority, ${words.ownAuthority}`;
  if (mayBeOfProxy) return `${failed}. Check the network, and HTTPS_PROXY and NO_PROXY in the environment`;
  if (networkCode === 'ECONNREFUSED')
    return `nothing listens at ${baseUrl}${after}. Check that the service runs and that the base URL is right`;
  if (networkCode === 'ENOTFOUND' || networkCode === 'EAI_AGAIN')
    return `the host of ${baseUrl} cannot be found${after}. Check the base URL and the network`;
  return `${failed}. Check the network`;
}
