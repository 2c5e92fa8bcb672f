import { AudienceError } from '../src/errors.js';

/** How a call of a client ended. */
export type End = 'sent' | 'deduplicated' | 'not sent' | 'unclear';

export async function endOf(sending: Promise<{ readonly deduplicated: boolean }>): Promise<End> {
  try {
    return (await sending).deduplicated ? 'deduplicated' : 'sent';
  } catch (error) {
    if (!AudienceError.is(error)) throw error;
    return error.unclear ? 'unclear' : 'not sent';
  }
}

/** The error in which a call ends. */
export async function failureOf(call: Promise<unknown>): Promise<AudienceError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (AudienceError.is(error)) return error;
  throw new Error('An AudienceError was expected.', { cause: error });
}
