import type { Runtime } from '../src/http/runtime.js';

/** A clock that moves only when somebody sleeps, and remembers every sleep. */
export interface TestRuntime extends Runtime {
  /** Length of every sleep so far, in milliseconds. */
  readonly sleeps: number[];
  /** Moves the clock on. */
  advance(milliseconds: number): void;
}

/** Makes a runtime in which waits take no time. */
export function createTestRuntime(options: { random?: () => number } = {}): TestRuntime {
  let now = Date.parse('2026-01-01T00:00:00Z');
  let ids = 0;
  const sleeps: number[] = [];
  return {
    sleeps,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    now: () => now,
    sleep: (milliseconds, signal) => {
      sleeps.push(milliseconds);
      if (signal?.aborted === true) return Promise.reject(new Error('aborted'));
      now += milliseconds;
      return Promise.resolve();
    },
    random: options.random ?? (() => 0.5),
    randomUUID: () => {
      ids += 1;
      return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
    },
  };
}
