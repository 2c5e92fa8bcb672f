/** Callbacks that wait for each signal. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back once on abort, until the returned function is called. All calls share one listener per signal. */
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
