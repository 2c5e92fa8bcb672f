import { AudienceError } from 'audience-core';
import type { Checked } from '../resources/behaviour.js';
import { ResourceError } from '../resources/errors.js';

/** Whether an error's message was written for the person who runs the program. */
export function isForPeople(error: unknown): error is Error {
  return error instanceof AudienceError || error instanceof ResourceError;
}

/** Reports a setting or a key that cannot work as a problem of the inputs. */
export async function asProblems(check: () => Promise<Checked>): Promise<Checked> {
  try {
    return await check();
  } catch (error) {
    if (!isForPeople(error)) throw error;
    return { problems: [{ property: '', reason: error.message }] };
  }
}
