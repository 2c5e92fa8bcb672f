import type { DiagnosticsEvent, Runtime } from './runtime.js';

/** Takes one line for each request, response and retry; `console` is one. No line holds personal data. */
export interface Logger {
  debug(message: string): void;
}

/** Tells of one call's attempts, where anybody listens. */
export class CallDiagnostics {
  readonly #callId: string;
  #startedAt = 0;

  constructor(
    private readonly runtime: Runtime,
    private readonly logger: Logger | undefined,
    private readonly operationId: string,
  ) {
    this.#callId = runtime.observed === true || logger !== undefined ? runtime.randomUUID() : '';
  }

  /** A request is about to be sent. */
  request(attempt: number): void {
    if (this.#callId === '') return;
    this.#startedAt = this.runtime.now();
    this.#tell({ type: 'request', ...this.#call(attempt) }, `attempt ${attempt}`);
  }

  /** A response came, or it is known that none will. */
  response(attempt: number, ended: { readonly status: number } | { readonly failure: string }): void {
    if (this.#callId === '') return;
    const durationMs = this.runtime.now() - this.#startedAt;
    const what = 'status' in ended ? ended.status : ended.failure;
    this.#tell(
      { type: 'response', ...this.#call(attempt), ...ended, durationMs },
      `attempt ${attempt}: ${what} in ${durationMs} ms`,
    );
  }

  /** Another attempt will follow. */
  retry(attempt: number, delayMs: number, reason: string): void {
    if (this.#callId === '') return;
    this.#tell(
      { type: 'retry', ...this.#call(attempt), delayMs, reason },
      `attempt ${attempt} follows in ${delayMs} ms (${reason})`,
    );
  }

  #call(attempt: number) {
    return { callId: this.#callId, operationId: this.operationId, attempt };
  }

  #tell(event: DiagnosticsEvent, line: string): void {
    try {
      if (this.runtime.observed === true) this.runtime.publish?.(event);
      this.logger?.debug(`audience ${this.#callId.slice(0, 8)} ${this.operationId}: ${line}`);
    } catch {
      // Whoever listens is at fault: a mail that was sent must not look as if it was not.
    }
  }
}
