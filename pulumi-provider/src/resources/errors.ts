import { AudienceError } from 'audience-core';
import { problem, sentence, textOf, type Cause, type Problem } from '../messages/index.js';
import type { Raw } from './raw.js';

/** An error with problems for the user: what happened, to which resource, and what to do next. */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
  readonly reasons: readonly Problem[];
  /** The request that failed, where that is the reason. */
  readonly failure: AudienceError | undefined;

  /** @param done state after the steps that succeeded, where part of the work was done: the next run continues. */
  constructor(
    given: string | Problem | readonly Problem[] | AudienceError,
    readonly done?: { readonly id: string; readonly outs: Raw },
  ) {
    const isFailure = given instanceof AudienceError;
    const text = isFailure ? given.message : given;
    const problems = [typeof text === 'string' ? problem('text', { text }) : text].flat();
    super(problems.map((one) => sentence(textOf(one))).join('\n'));
    this.reasons = problems;
    this.failure = isFailure ? given : undefined;
  }
}

/** Why a request failed. The service's own words are left out unless `values` are, which must not be shown in them. */
export function causeOf(error: AudienceError, values?: readonly unknown[]): Cause {
  const { name, status, networkCode, serviceMessage } = error;
  const detail = name === 'TimeoutError' || name === 'AbortedError' ? undefined : (networkCode ?? status);
  const cause: Cause = { error: name, detail };
  if (values === undefined || !isRefusal(error) || serviceMessage === undefined) return cause;
  // Short texts do not identify a contact.
  const texts = values
    .flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : []))
    .filter((text) => text.length > 2)
    .flatMap((text) => [text, encodeURIComponent(text)]);
  return {
    ...cause,
    says: texts.reduce((text, value) => text.replaceAll(inAnyCase(value), '…'), serviceMessage),
  };
}

function inAnyCase(text: string): RegExp {
  return new RegExp(text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'gi');
}

/** Whether the service refuses the content of a request. */
export function isRefusal({ name }: AudienceError): boolean {
  return !NOT_REFUSED.includes(name);
}

/** Errors that say nothing of the request's content. */
const NOT_REFUSED: readonly string[] = [
  'AbortedError',
  'AuthenticationError',
  'PermissionError',
  'NotFoundError',
  'RateLimitError',
  'ServerError',
  'NetworkError',
  'TimeoutError',
];
