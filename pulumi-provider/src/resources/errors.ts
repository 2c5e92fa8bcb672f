import { ConflictError, InvalidRequestError, ValidationError, type AudienceError } from 'audience-core';
import { sentence, wordCause, wordIssue } from 'audience-core/internal';
import { problem, textOf, type Problem } from '../messages/index.js';
import type { Raw } from './raw.js';

/** An error with problems for the user: what happened, to which resource, and what to do next. */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
  readonly reasons: readonly Problem[];

  /** @param done state after the steps that succeeded, where part of the work was done: the next run continues. */
  constructor(
    given: string | Problem | readonly Problem[],
    readonly done?: { readonly id: string; readonly outs: Raw },
  ) {
    const problems = [typeof given === 'string' ? problem('text', { text: given }) : given].flat();
    super(problems.map((one) => sentence(textOf(one))).join('\n'));
    this.reasons = problems;
  }
}

/**
 * Why a request failed, in the core's words.
 *
 * @param hidden values that the service's own words must not show; unset, these words are left out.
 */
export function causeOf(error: AudienceError, hidden?: readonly unknown[]): string {
  if (error instanceof ValidationError) return error.issues.map((issue) => wordIssue(issue)).join('; ');
  if (error.code === 'validation') return error.message;
  const what = wordCause(error.code, error);
  const { serviceMessage } = error;
  if (hidden === undefined || serviceMessage === undefined) return what;
  // Short texts do not identify a contact.
  const texts = hidden
    .flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : []))
    .filter((text) => text.length > 2)
    .flatMap((text) => [text, encodeURIComponent(text)]);
  const says = texts.reduce((text, value) => text.replaceAll(inAnyCase(value), '…'), serviceMessage);
  return `${what}: "${says}"`;
}

function inAnyCase(text: string): RegExp {
  return new RegExp(text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'gi');
}

/** Whether the service refuses the content of a request. */
export function isRefusal(error: AudienceError): boolean {
  return error instanceof InvalidRequestError || error instanceof ConflictError;
}
