/** Who waits for each signal. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal aborts, once, until the returned function is called. However many calls share a signal,
 * it gets one listener: runtimes warn of more than ten as of a leak.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  const callbacks = waiting.get(signal) ?? listenTo(signal);
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  waiting.set(signal, callbacks);
  const abort = () => {
    for (const callback of callbacks) callback();
  };
  signal.addEventListener('abort', abort, { once: true });
  return callbacks;
}
