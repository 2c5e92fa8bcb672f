import { AudienceError } from 'audience-core';
import { problem, sentence, textOf } from '../messages.js';
import type { Problem } from '../messages.js';
import { causeOf } from '../resources/cause.js';
import { ResourceError } from '../resources/errors.js';
import type { Secrets } from './secrets.js';

/** An error whose message was written for the person who runs the program. */
export type ErrorForPeople = AudienceError | ResourceError;

export function isForPeople(error: unknown): error is ErrorForPeople {
  return error instanceof AudienceError || error instanceof ResourceError;
}

/** What an error says. A message of the core may show a contact, so it is left out where values are secrets. */
export function problemsOf(error: ErrorForPeople, secrets: Secrets): readonly Problem[] {
  if (error instanceof ResourceError) return error.reasons;
  const shown = secrets.isEmpty
    ? problem('text', { text: error.message })
    : problem('service.failed', { cause: causeOf(error) });
  return [
    error.code === 'authentication' ? problem('service.key', { text: sentence(textOf(shown)) }) : shown,
  ];
}
