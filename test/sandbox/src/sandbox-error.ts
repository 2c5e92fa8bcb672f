/** Something that the sandbox refuses or cannot do; the message says what happened to what, and the way out. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';

  constructor(
    message: string,
    /** HTTP status of the response that it is sent in. */
    readonly status = 400,
    /** Headers of that response. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}
