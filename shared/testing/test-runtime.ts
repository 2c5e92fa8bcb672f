import { randomUUID } from 'node:crypto';
import type { Runtime } from '../src/http/runtime.js';

/** A clock that moves only when somebody sleeps, and remembers every sleep. */
export interface TestRuntime extends Runtime {
  /** Length of every sleep so far, in milliseconds. */
  readonly sleeps: number[];
}

/** Makes a runtime in which waits take no time. */
export function createTestRuntime(): TestRuntime {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    sleep: (milliseconds, signal) => {
      sleeps.push(milliseconds);
      if (signal?.aborted === true) return Promise.reject(new Error('aborted'));
      now += milliseconds;
      return Promise.resolve();
    },
    random: () => 0.5,
    randomUUID,
  };
}
