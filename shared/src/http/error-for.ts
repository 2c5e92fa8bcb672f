import {
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnexpectedResponseError,
} from '../errors.js';
import type { AudienceError, CallFacts } from '../errors.js';

/** What is needed to word an error. */
export interface ErrorContext {
  readonly facts: CallFacts;
  /** What was to be done, such as `update contact 'ada@example.com'`. */
  readonly action: string;
  /** Whether the call carries an idempotency key. */
  readonly keyed: boolean;
  /** The service's own sentence, already redacted. */
  readonly serviceMessage: string | undefined;
  /** Address of the service, for the person to check. */
  readonly baseUrl: string;
  readonly retryAfterMs: number | undefined;
  /** Where a redirect leads, already redacted. */
  readonly location: string | undefined;
}

/** The error for an answer with a status outside 2xx: status decides, the service's own words are quoted. */
export function errorForStatus(status: number, context: ErrorContext): AudienceError {
  const { facts, action, baseUrl, retryAfterMs } = context;
  const could = `Could not ${action}`;
  const said =
    context.serviceMessage === undefined ? '' : ` The service says: "${trimmed(context.serviceMessage)}".`;
  const tries = facts.attempts > 1 ? ` after ${facts.attempts} attempts` : '';
  if (status === 401) {
    return new AuthenticationError(
      `${could}: the service at ${baseUrl} does not accept the API key (401).${said} Check that the key is complete, not revoked, and of this service.`,
      facts,
    );
  }
  if (status === 403) {
    return new PermissionError(
      `${could}: the API key is not allowed to do this (403).${said} Use a key with the right to do it.`,
      facts,
    );
  }
  if (status === 404)
    return new NotFoundError(`${could}: not found (404).${said} ${notFoundAdvice(context)}`, facts);
  if (status === 409) {
    const why = context.keyed
      ? `its idempotency key was used before (409).${said} Use another key for another request.`
      : `it conflicts with what is there already (409).${said}`;
    return new ConflictError(`${could}: ${why}`, facts);
  }
  if (status === 429) {
    const wait = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
    return new RateLimitError(
      `${could}: the service is receiving too many requests (429)${tries}.${said} Try again ${wait}, or send fewer requests per second.`,
      facts,
      retryAfterMs,
    );
  }
  if (status >= 500) {
    const wait = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
    return new ServerError(
      `${could}: the service failed (${status})${tries}.${said} Try again ${wait}.`,
      facts,
      retryAfterMs,
    );
  }
  if (status >= 400) {
    return new InvalidRequestError(`${could}: the service refuses the request (${status}).${said}`, facts);
  }
  const target = context.location === undefined ? 'elsewhere' : `to ${context.location}`;
  return new UnexpectedResponseError(
    status >= 300
      ? `${could}: the service redirects ${target} (${status}). Redirects are not followed, as they would carry the API key along; set the base URL to the final address.`
      : `${could}: the service answered with status ${status}, which the interface does not know.`,
    facts,
  );
}

function notFoundAdvice({ action, baseUrl }: ErrorContext): string {
  return action.includes("contact '")
    ? 'Check the email address or userId; the contact has to exist already.'
    : `Check the id, and that ${baseUrl} is the address of the service.`;
}

function trimmed(message: string): string {
  return message.replace(/[."]+$/, '');
}
