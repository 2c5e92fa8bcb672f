/** Callbacks that wait for each signal. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal aborts, once, until the returned function is called. However many calls share a signal,
 * it gets one listener: Node warns of a leak from eleven on.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  let callbacks = waiting.get(signal);
  if (callbacks === undefined) {
    const added = new Set<() => void>();
    signal.addEventListener('abort', () => added.forEach((call) => call()), { once: true });
    waiting.set(signal, added);
    callbacks = added;
  }
  const all = callbacks.add(callback);
  return () => all.delete(callback);
}
