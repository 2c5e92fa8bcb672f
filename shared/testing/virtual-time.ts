import type { Runtime } from '../src/http/runtime.js';

/** A clock for many callers at once: when all of them wait, it jumps to the first that is due. */
export class VirtualTime implements Runtime {
  #now = Date.parse('2026-01-01T00:00:00Z');
  #seed: number;
  #ids = 0;
  /** Sorted by time, the earliest last; equal times in the order in which they were asked for. */
  readonly #timers: { readonly at: number; readonly wake: () => void }[] = [];

  constructor(seed = 1) {
    this.#seed = seed;
  }

  /** How many sleep. */
  get sleeping(): number {
    return this.#timers.length;
  }

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(new Error('The sleep was aborted.'));
        return;
      }
      const at = this.#now + milliseconds;
      const onAbort = (): void => {
        this.#timers.splice(this.#timers.indexOf(timer), 1);
        reject(new Error('The sleep was aborted.'));
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const timer = { at, wake };
      let place = this.#timers.length;
      while (place > 0 && (this.#timers[place - 1]?.at ?? 0) <= at) place -= 1;
      this.#timers.splice(place, 0, timer);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** A linear congruential generator: the same run each time. */
  random(): number {
    this.#seed = (this.#seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return this.#seed / 2 ** 32;
  }

  randomUUID(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, '0')}`;
  }

  /** Lets time go by, and wakes all who are due until then. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    for (;;) {
      await settled();
      const next = this.#timers.at(-1);
      if (next === undefined || next.at > until) break;
      this.#wake();
    }
    this.#now = until;
  }

  /** Runs the work to its end; answers with the virtual time that it took, in milliseconds. */
  async run(work: Promise<unknown>): Promise<number> {
    const from = this.#now;
    const state = { done: false };
    const finish = (): void => {
      state.done = true;
    };
    work.then(finish, finish);
    for (;;) {
      await settled();
      if (state.done) break;
      if (this.#timers.length === 0) throw new Error('Nobody waits any more, and the work is not done.');
      this.#wake();
    }
    await work;
    return this.#now - from;
  }

  #wake(): void {
    const timer = this.#timers.pop();
    if (timer === undefined) return;
    this.#now = timer.at;
    timer.wake();
  }
}

/** Resolves when everything that needs no time has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
