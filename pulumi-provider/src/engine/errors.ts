import { AudienceError } from 'audience-core';
import { problem, sentence, textOf } from '../messages.js';
import type { Problem } from '../messages.js';
import type { Checked } from '../resources/behaviour.js';
import { causeOf } from '../resources/cause.js';
import { PartialFailure, ResourceError } from '../resources/errors.js';
import type { Secrets } from './secrets.js';

/** An error whose message was written for the person who runs the program. */
export type ErrorForPeople = AudienceError | ResourceError | PartialFailure;

export function isForPeople(error: unknown): error is ErrorForPeople {
  return error instanceof AudienceError || error instanceof ResourceError || error instanceof PartialFailure;
}

/** What an error says. A message of the core may show a contact, so it is left out where values are secrets. */
export function problemsOf(error: ErrorForPeople, secrets?: Secrets): readonly Problem[] {
  if (error instanceof ResourceError) return [error.problem];
  if (error instanceof PartialFailure) return error.problems;
  const isShown = secrets === undefined || secrets.isEmpty;
  const shown = isShown
    ? problem('text', { text: error.message })
    : problem('service.failed', { cause: causeOf(error) });
  return [
    error.code === 'authentication' ? problem('service.key', { text: sentence(textOf(shown)) }) : shown,
  ];
}

/** Reports a setting or a key that cannot work as a problem of the inputs. */
export async function asProblems(check: () => Promise<Checked>, secrets?: Secrets): Promise<Checked> {
  try {
    return await check();
  } catch (error) {
    if (!isForPeople(error)) throw error;
    return { problems: problemsOf(error, secrets) };
  }
}
