import { realms } from './realms.js';

/**
 * Lets time pass faster in this process, for tests of waits that last seconds: clock and timers alike.
 *
 * @returns puts both back.
 */
export function fastClock(factor: number): () => void {
  const { now: realNow } = Date;
  const realTimeout = globalThis.setTimeout;
  const begin = realNow();
  // No mock: a test that mocks the clock for itself gets this one back.
  Date.now = () => begin + (realNow() - begin) * factor;
  const faster = (call: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) =>
    realTimeout(call, delay / factor, ...args);
  for (const realm of realms) realm.setTimeout = Object.assign(faster, realTimeout);
  return () => {
    Date.now = realNow;
    for (const realm of realms) realm.setTimeout = realTimeout;
  };
}

/** The same, for all tests of the block or file that it stands in. Stands before what is set up by it. */
export function fastClockForTests(factor: number): void {
  let back: (() => void) | undefined;
  beforeAll(() => {
    back = fastClock(factor);
  });
  afterAll(() => back?.());
}
