import { AudienceError, AuthenticationError, PermissionError } from 'audience-core';
import type { CallOptions } from 'audience-core';
import type { Reporter } from './host.js';

/** Limits of what is only read for a check: a person is waiting. */
export const FOR_CHECKS: CallOptions = { timeoutMs: 5_000, deadlineMs: 10_000 };

/**
 * Reads what a check is helped by. Where the service cannot be reached the person is told, and the check does without.
 *
 * @param what begins the sentence: `Names and types of contact properties`.
 * @throws AuthenticationError or PermissionError where the service refuses the API key.
 */
export async function readForChecks<Data>(
  what: string,
  reporter: Reporter,
  read: () => Promise<Data>,
): Promise<Data | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    if (error instanceof AuthenticationError || error instanceof PermissionError) throw error;
    reporter.warn(`${what} could not be checked against the service. ${error.message}`);
    return undefined;
  }
}
