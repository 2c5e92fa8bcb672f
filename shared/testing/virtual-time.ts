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

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      const at = this.#now + milliseconds;
      let place = this.#timers.length;
      while (place > 0 && (this.#timers[place - 1]?.at ?? 0) <= at) place -= 1;
      this.#timers.splice(place, 0, { at, wake });
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

  /** Runs the work to its end; answers with the virtual time that it took, in milliseconds. */
  async run(work: Promise<unknown>): Promise<number> {
    const from = this.#now;
    const state = { done: false };
    const finish = (): void => {
      state.done = true;
    };
    work.then(finish, finish);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (state.done) break;
      const timer = this.#timers.pop();
      if (timer === undefined) throw new Error('Nobody waits any more, and the work is not done.');
      this.#now = timer.at;
      timer.wake();
    }
    await work;
    return this.#now - from;
  }
}
