import { startTimer, stopTimer, type Runtime } from './runtime.js';
import { TransportFailure, type TransportRequest } from './transport.js';

/** What listening for an abort needs of a signal. */
export type Abortable = Pick<AbortSignal, 'aborted'> & {
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
};

/** Calls back on abort, at once where that was before; the returned function ends it. */
export function onAbort(signal: Abortable | undefined, callback: () => void): () => void {
  if (signal?.aborted === true) callback();
  signal?.addEventListener('abort', callback, { once: true });
  return () => signal?.removeEventListener('abort', callback);
}

/** Waits so long, or until one of the signals is aborted. */
export async function sleepUntil(
  runtime: Pick<Runtime, 'sleep'>,
  milliseconds: number,
  signals: readonly (Abortable | undefined)[],
): Promise<void> {
  const controller = new AbortController();
  const stopListening = signals.map((signal) => onAbort(signal, () => controller.abort()));
  // An abort may reject the sleep.
  await runtime.sleep(milliseconds, controller.signal).catch(() => undefined);
  for (const stop of stopListening) stop();
}

/** A signal that costs nearly nothing: an `AbortController` costs 30 µs a call in axios and Node. */
export class LightSignal implements Abortable {
  aborted = false;
  readonly #listeners = new Set<() => void>();

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    this.aborted = true;
    for (const listener of this.#listeners) listener();
  }
}

/** Does work that is stopped with the caller, or at the time limit: then it fails as a time-out. */
export async function timed<Result>(
  { signal, timeoutMs }: Pick<TransportRequest, 'signal' | 'timeoutMs'>,
  stoppable: { abort(): void },
  work: () => Promise<Result>,
): Promise<Result> {
  let late: TransportFailure | undefined;
  const end = (): void => {
    late = new TransportFailure('timeout');
    stoppable.abort();
  };
  const timer = startTimer(end, timeoutMs);
  const stopListening = onAbort(signal, () => stoppable.abort());
  try {
    return await work();
  } catch (error) {
    throw late ?? error;
  } finally {
    stopTimer(timer);
    stopListening();
  }
}
