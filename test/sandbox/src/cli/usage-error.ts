/** A command line that cannot be understood, or asks for what cannot be; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
