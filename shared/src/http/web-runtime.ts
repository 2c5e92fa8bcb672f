import { monotonicNow } from './runtime.js';
import type { Runtime } from './runtime.js';

/** Clock, timers and randomness as every JavaScript runtime has them. */
export function webRuntime(): Runtime {
  return {
    now: monotonicNow,
    sleep,
    random: () => Math.random(),
    randomUUID: () => crypto.randomUUID(),
  };
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal?.addEventListener('abort', wake, { once: true });
  });
}
