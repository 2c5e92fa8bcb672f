/** The surroundings that a client needs. Every host, and every test, can give its own. */
export interface Runtime {
  /** Time in milliseconds since 1970. It should go on evenly even when the clock is set. */
  now(): number;
  /** Waits so many milliseconds; an abort of the signal ends the wait at once, by rejecting or resolving. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A random number from 0 up to but not including 1. */
  random(): number;
  /** A random UUID, version 4. */
  randomUUID(): string;
}

/** Timers count no further (24.8 days); beyond it they fire at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** Node's own timers and clock: under the fake ones of a test, a call would hang. Elsewhere those of the start. */
const node: Partial<NodeJS.Process> = typeof process === 'undefined' ? {} : process;
export const { setTimeout: startTimer, clearTimeout: stopTimer } =
  node.getBuiltinModule?.('node:timers') ?? globalThis;
const { performance } = node.getBuiltinModule?.('node:perf_hooks') ?? globalThis;
const events = node.getBuiltinModule?.('node:events');

/** Many calls can share a signal. Node warns of more than ten listeners. */
export function allowManyListeners(signal: AbortSignal): void {
  events?.setMaxListeners(0, signal);
}

/** Clock, timers and randomness as every JavaScript runtime has them. */
export const systemRuntime: Runtime = {
  // The process's start and the time since: setting the clock changes nothing.
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const wake = () => {
        stopTimer(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = startTimer(wake, signal?.aborted === true ? 0 : milliseconds);
      signal?.addEventListener('abort', wake, { once: true });
    }),
  random: () => Math.random(),
  randomUUID: () => crypto.randomUUID(),
};
