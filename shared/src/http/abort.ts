import { startTimer, stopTimer } from './runtime.js';
import { TransportFailure, type TransportRequest } from './transport.js';

/** Calls back on abort, at once where that was before; the returned function ends it. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal?.aborted === true) callback();
  signal?.addEventListener('abort', callback, { once: true });
  return () => signal?.removeEventListener('abort', callback);
}

/** The calls under each signal of a caller. They share one listener, as Node warns of more than ten. */
const underWay = new WeakMap<AbortSignal, SharedListener>();

interface SharedListener {
  readonly calls: Set<AbortController>;
  readonly stopListening: () => void;
}

/** The caller's signal for one call: what waits in the call listens to this one. */
export function scopeOf(signal: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  const { calls, stopListening } = underWay.get(signal) ?? listenTo(signal);
  calls.add(controller);
  const end = (): void => {
    calls.delete(controller);
    if (calls.size > 0) return;
    stopListening();
    underWay.delete(signal);
  };
  return { signal: controller.signal, end };
}

function listenTo(signal: AbortSignal): SharedListener {
  const calls = new Set<AbortController>();
  const stopListening = onAbort(signal, () => calls.forEach((call) => call.abort(signal.reason)));
  const listener = { calls, stopListening };
  underWay.set(signal, listener);
  return listener;
}

/** What axios needs of a signal. An `AbortController` costs 30 µs a call in axios and Node, this nearly nothing. */
export class LightSignal {
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

/** Does work that is stopped at the time limit or with the caller. A `TransportFailure` says which. */
export async function timed<Result>(
  { signal, timeoutMs }: Pick<TransportRequest, 'signal' | 'timeoutMs'>,
  stoppable: { abort(): void },
  work: () => Promise<Result>,
): Promise<Result> {
  let ended: TransportFailure | undefined;
  const end = (reason: 'timeout' | 'aborted') => {
    ended ??= new TransportFailure(reason);
    stoppable.abort();
  };
  const timer = startTimer(end, timeoutMs, 'timeout');
  const stopListening = onAbort(signal, () => end('aborted'));
  try {
    return await work();
  } catch (error) {
    throw ended ?? error;
  } finally {
    stopTimer(timer);
    stopListening();
  }
}
