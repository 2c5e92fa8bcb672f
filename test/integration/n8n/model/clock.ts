import { realms } from '../realms.js';

/** How much longer than asked a wait takes, on a busy machine, so that a call waits a few times only. */
const LONGER = 20;

/** A clock for a model: it goes on by itself, and a wait takes no time of the test's. */
export class ModelClock {
  readonly #now = Date.now;
  readonly #setTimeout = globalThis.setTimeout;
  #ahead = 0;

  constructor() {
    Date.now = () => this.#now() + this.#ahead;
    const shorter = (call: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => {
      this.#ahead += delay * LONGER;
      return this.#setTimeout(call, 0, ...args);
    };
    for (const realm of realms) realm.setTimeout = Object.assign(shorter, this.#setTimeout);
  }

  /** Puts the clock forward. */
  forward(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  /** Puts the process's own clock and timers back. */
  restore(): void {
    Date.now = this.#now;
    for (const realm of realms) realm.setTimeout = this.#setTimeout;
  }
}
