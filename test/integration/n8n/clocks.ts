declare global {
  var realms: readonly (typeof globalThis)[] | undefined;
}

/** Globals of the tests, and those of n8n with our node, which jest loads beside them (test/environment.js). */
export const realms = globalThis.realms ?? [globalThis];

/**
 * Replaces clock and timers alike.
 *
 * @param time what the clock shows, by what it has shown.
 * @param wait how long a timer really takes.
 * @returns puts both back.
 */
function replaceTime(time: (real: number) => number, wait: (delay: number) => number): () => void {
  const { now: realNow } = Date;
  const realTimeout = globalThis.setTimeout;
  // No mock: a test that mocks the clock for itself gets this one back.
  Date.now = () => time(realNow());
  const timeout = (call: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) =>
    realTimeout(call, wait(delay), ...args);
  for (const realm of realms) realm.setTimeout = Object.assign(timeout, realTimeout);
  return () => {
    Date.now = realNow;
    for (const realm of realms) realm.setTimeout = realTimeout;
  };
}

/** Lets time pass faster in this process, for tests of waits that last seconds. @returns puts it back. */
export function fastClock(factor: number): () => void {
  const begin = Date.now();
  return replaceTime(
    (real) => begin + (real - begin) * factor,
    (delay) => delay / factor,
  );
}

/** The same, for all tests of the block or file that it stands in. Stands before what is set up by it. */
export function fastClockForTests(factor: number): void {
  let back: (() => void) | undefined;
  beforeAll(() => {
    back = fastClock(factor);
  });
  afterAll(() => back?.());
}

/** How much longer than asked a wait takes, on a busy machine, so that a call waits a few times only. */
const LONGER = 20;

/** A clock for a model: a wait puts it forward, and takes no time of the test's. */
export class ModelClock {
  #ahead = 0;

  /** Puts the process's own clock and timers back. */
  readonly restore = replaceTime(
    (real) => real + this.#ahead,
    (delay) => {
      this.#ahead += delay * LONGER;
      return 0;
    },
  );

  /** Puts the clock forward. */
  forward(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}
