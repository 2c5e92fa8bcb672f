import { TransportFailure } from './transport.js';
import type { TransportRequest } from './transport.js';

/** Ends an attempt when its time is up or the caller aborts; both through one signal. */
export class AttemptTimer {
  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #abort = () => {
    this.#controller.abort();
  };
  #timedOut = false;

  constructor(request: Pick<TransportRequest, 'signal' | 'timeoutMs'>) {
    this.#callerSignal = request.signal;
    this.#callerSignal?.addEventListener('abort', this.#abort, { once: true });
    this.#timer = setTimeout(() => {
      this.#timedOut = true;
      this.#controller.abort();
    }, request.timeoutMs);
  }

  /** What the attempt has to listen to. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** To be called when the attempt has ended. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#abort);
  }

  /** The failure, if it was this timer or the caller that ended the attempt. */
  get failure(): TransportFailure | undefined {
    if (this.#timedOut) return new TransportFailure('timeout');
    return this.#callerSignal?.aborted === true ? new TransportFailure('aborted') : undefined;
  }
}
