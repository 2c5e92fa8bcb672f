import type { HttpMethod, PropertyType } from './contract/types.js';
import { wordIssue, wordProblem, type CallReason, type Problem } from './messages.js';

/** Stable code of each error class, for `switch` and for logs. */
export type AudienceErrorCode =
  | 'validation'
  | 'authentication'
  | 'permission'
  | 'not_found'
  | 'conflict'
  | 'invalid_request'
  | 'rate_limit'
  | 'server'
  | 'rejected'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'unexpected_response';

/** How often a call was tried. */
export interface CallProgress {
  /** How many requests were sent for this call. */
  readonly attempts: number;
  /** Time spent waiting between them, in milliseconds. */
  readonly totalRetryDelayMs: number;
}

/** What is known of a call that failed. None of it comes from a request header. */
export interface CallData extends CallProgress {
  readonly method?: HttpMethod | undefined;
  /** Name of the call, such as `sendEvent`. */
  readonly operation?: string | undefined;
  /** What was to be done, such as `update contact 'ada@example.com'`. */
  readonly action?: string | undefined;
  /** Address of the service. */
  readonly baseUrl?: string | undefined;
  /** Path as it was sent, below the base URL. */
  readonly path?: string | undefined;
  /** HTTP status of the last response, where there was one. */
  readonly status?: number | undefined;
  /** Headers of the last response, with lower-case names; without its cookies. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Id that the service gave the request, where it sent one. */
  readonly requestId?: string | undefined;
  /** The beginning of the response's body. */
  readonly bodySnippet?: string | undefined;
  /** Whether the service may have carried the call out. Repeated with `idempotencyKey`, it is not done twice. */
  readonly unclear: boolean;
  /** Key that went with every attempt, where the call had one. */
  readonly idempotencyKey?: string | undefined;
  /** How long the service asked to wait (429, 5xx), in milliseconds, where it said so. */
  readonly retryAfterMs?: number | undefined;
  /** The service's own sentence, where it said one. */
  readonly serviceMessage?: string | undefined;
  /** The system's code, such as `ECONNREFUSED`, where there was no response. */
  readonly networkCode?: string | undefined;
  /** Where a redirect leads. */
  readonly location?: string | undefined;
  /** The time limit that passed, in milliseconds. */
  readonly timeLimitMs?: number | undefined;
  /** How the body of a response differs from the API. */
  readonly issue?: Problem | undefined;
  /** Type of the contact property that exists already. */
  readonly existingType?: PropertyType | undefined;
  /** What ended the call; absent where the input was refused. */
  readonly reason?: CallReason | undefined;
}

const NOTHING_SENT: CallData = { attempts: 0, totalRetryDelayMs: 0, unclear: false };

/** One symbol for all copies of this package. */
const BRAND = Symbol.for('audience-core.AudienceError');

/**
 * Base of every error that this package throws. `message` is written for the person who reads it.
 *
 * A call can end in any of them. `NotFoundError` and `ConflictError` stand in the docs of the methods that throw them.
 * Only a write ends in a `RejectedError`, and only a call with a signal in an `AbortedError`, unless `stop()` ended it.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the constructor assigns all facts
export abstract class AudienceError extends Error {
  /** Name of the error's class: a literal, as bundlers rename classes. */
  abstract override readonly name: string;
  /** What went wrong, for `switch`. */
  abstract readonly code: AudienceErrorCode;

  constructor(message: string, facts: CallData = NOTHING_SENT, options?: { readonly cause?: unknown }) {
    super(message, options);
    Object.assign(this, facts);
    // They are there to be read, and would fill a log.
    Object.defineProperty(this, 'headers', { value: facts.headers, enumerable: false });
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Whether a value is an error of this package, of any loaded copy: `instanceof` knows only its own. */
  static is(value: unknown): value is AudienceError {
    return value instanceof Error && Reflect.get(value, BRAND) === true;
  }

  /** The error as plain data, for logs: everything but the stack. */
  toJSON(): Record<string, unknown> {
    return { ...Object.fromEntries(Object.entries(this)), name: this.name, message: this.message };
  }
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type -- see the class
export interface AudienceError extends CallData {}

/** One problem of an input, as data and in words. */
export interface ValidationIssue extends Problem {
  /** What is wrong, without the name of the field: `must be text, not a number`. */
  readonly message: string;
}

/** The input breaks a rule of the interface. Nothing was sent. */
export class ValidationError extends AudienceError {
  override readonly name = 'ValidationError';
  override readonly code = 'validation';
  /** What cannot be done, without the reasons: `Could not send email 'receipt' to ada@example.com`. */
  readonly what: string;
  readonly issues: readonly ValidationIssue[];

  constructor(what: string, problems: readonly Problem[]) {
    super(`${what}: ${problems.map((problem) => wordIssue(problem)).join('; ')}.`);
    this.what = what;
    this.issues = problems.map((problem) => ({ ...problem, message: wordProblem(problem) }));
  }
}

/** 401. We assume that the API key is missing, wrong or revoked. */
export class AuthenticationError extends AudienceError {
  override readonly name = 'AuthenticationError';
  override readonly code = 'authentication';
}

/** 403. We assume that the API key is known, but may not do this. */
export class PermissionError extends AudienceError {
  override readonly name = 'PermissionError';
  override readonly code = 'permission';
}

/** 404. We assume that the contact, design or path does not exist. */
export class NotFoundError extends AudienceError {
  override readonly name = 'NotFoundError';
  override readonly code = 'not_found';
}

/** 409: the service reports a conflict, such as a used idempotency key. What it means is not defined. */
export class ConflictError extends AudienceError {
  override readonly name = 'ConflictError';
  override readonly code = 'conflict';
}

/** Any other 4xx: the service refuses the request as it is. */
export class InvalidRequestError extends AudienceError {
  override readonly name = 'InvalidRequestError';
  override readonly code = 'invalid_request';
}

/** 429. We assume that there were too many requests. */
export class RateLimitError extends AudienceError {
  override readonly name = 'RateLimitError';
  override readonly code = 'rate_limit';
}

/** 5xx: the service failed. */
export class ServerError extends AudienceError {
  override readonly name = 'ServerError';
  override readonly code = 'server';
}

/** The service responded 200 with `success: false`. */
export class RejectedError extends AudienceError {
  override readonly name = 'RejectedError';
  override readonly code = 'rejected';
}

/** No response: the connection could not be made, or was cut. */
export class NetworkError extends AudienceError {
  override readonly name = 'NetworkError';
  override readonly code = 'network';
}

/** No response in time: an attempt's time-out passed, or the time of all attempts. */
export class TimeoutError extends AudienceError {
  override readonly name = 'TimeoutError';
  override readonly code = 'timeout';
}

/** The caller's `AbortSignal` ended the call; `cause` is the signal's reason. */
export class AbortedError extends AudienceError {
  override readonly name = 'AbortedError';
  override readonly code = 'aborted';
}

/** The response is not what the interface describes: not JSON, too large, a redirect, or of another shape. */
export class UnexpectedResponseError extends AudienceError {
  override readonly name = 'UnexpectedResponseError';
  override readonly code = 'unexpected_response';
}
