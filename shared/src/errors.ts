import type { CallCode, CallData } from './messages/calls.js';
import { wordIssue, wordProblem, type Problem } from './messages/problems.js';

/** What went wrong, as one code: how a call ended, or that its input was refused before it began. */
export type AudienceErrorCode = CallCode | 'validation';

const NOTHING_SENT: CallData = { attempts: 0, totalRetryDelayMs: 0, unclear: false };

/** One symbol for all copies of this package. */
const BRAND = Symbol.for('audience-core.AudienceError');

/**
 * Base of every error that this package throws. `message` says what happened and what to do.
 *
 * A call can throw any of them. The methods document `NotFoundError` and `ConflictError`. Only writes throw a
 * `RejectedError`. Only calls with a signal throw an `AbortedError`, unless `stop()` ended them.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the constructor assigns all facts
export abstract class AudienceError extends Error {
  /** Name of the error's class: a literal, as bundlers rename classes. */
  abstract override readonly name: string;
  /** What went wrong, for `switch`. */
  readonly code: AudienceErrorCode;

  constructor(
    message: string,
    code: AudienceErrorCode,
    facts: CallData = NOTHING_SENT,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    Object.assign(this, facts);
    this.code = code;
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

/** The input breaks a rule of the interface, or one that we assume. Nothing was sent. */
export class ValidationError extends AudienceError {
  override readonly name = 'ValidationError';
  /** What cannot be done, without the reasons: `Could not send email 'receipt' to ada@example.com`. */
  readonly what: string;
  readonly issues: readonly ValidationIssue[];

  constructor(what: string, problems: readonly Problem[]) {
    super(`${what}: ${problems.map((problem) => wordIssue(problem)).join('; ')}.`, 'validation');
    this.what = what;
    this.issues = problems.map((problem) => ({ ...problem, message: wordProblem(problem) }));
  }
}

/** 401. We assume that the API key is missing, wrong or revoked. */
export class AuthenticationError extends AudienceError {
  override readonly name = 'AuthenticationError';
}

/** 403. We assume that the API key is known, but may not do this. */
export class PermissionError extends AudienceError {
  override readonly name = 'PermissionError';
}

/** 404. We assume that the contact, design or path does not exist. */
export class NotFoundError extends AudienceError {
  override readonly name = 'NotFoundError';
}

/** 409. The interface does not say what it means: the idempotency key may have been used. */
export class ConflictError extends AudienceError {
  override readonly name = 'ConflictError';
}

/** Any other 4xx. We assume that the service refuses the request and changes nothing. */
export class InvalidRequestError extends AudienceError {
  override readonly name = 'InvalidRequestError';
}

/** 429. We assume that the service refuses this request for now. */
export class RateLimitError extends AudienceError {
  override readonly name = 'RateLimitError';
}

/** 5xx or 408. We assume that the service failed; the call may have succeeded. */
export class ServerError extends AudienceError {
  override readonly name = 'ServerError';
}

/** The service responded 200 with `success: false`. */
export class RejectedError extends AudienceError {
  override readonly name = 'RejectedError';
}

/** No response: the connection could not be made, or was cut. */
export class NetworkError extends AudienceError {
  override readonly name = 'NetworkError';
}

/** No response within the time limit of an attempt. */
export class TimeoutError extends AudienceError {
  override readonly name = 'TimeoutError';
}

/** The caller's `AbortSignal` ended the call; `cause` is the signal's reason. */
export class AbortedError extends AudienceError {
  override readonly name = 'AbortedError';
}

/** The response is not what the interface describes: not JSON, a redirect, or of another shape. */
export class UnexpectedResponseError extends AudienceError {
  override readonly name = 'UnexpectedResponseError';
}
