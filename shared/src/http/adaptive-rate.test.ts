import { bucket, fixedWindow, type Takes } from '../../testing/rate-limits.js';
import { VirtualTime } from '../../testing/virtual-time.js';
import { AdaptiveRate } from './adaptive-rate.js';
import { Limiter } from './limiter.js';

interface Load {
  readonly takes: Takes;
  readonly clients?: number;
  /** Calls of one client at once. */
  readonly atOnce: number;
  /** Calls of all clients together. */
  readonly calls: number;
  readonly latencyMs?: number;
  /** Share that is refused for no reason. */
  readonly chance?: number;
  readonly retryAfterMs?: number;
  /** Whether the clients learn from refusals. */
  readonly learns?: boolean;
}

interface Outcome {
  readonly seconds: number;
  readonly refused: number;
  readonly failed: number;
}

const MAX_RETRIES = 5;

/**
 * Clients that know nothing of each other, each with callers that make one call after the other, in virtual time; and
 * somebody who looks on.
 */
async function under(
  load: Load,
  time: VirtualTime,
  lookOn: (limiters: readonly Limiter[]) => Promise<void> = () => Promise.resolve(),
): Promise<Outcome> {
  const { takes, clients = 1, atOnce, calls, latencyMs = 40, chance = 0, retryAfterMs = 1_000 } = load;
  const { learns = true } = load;
  let [refused, failed] = [0, 0];
  const service = async (): Promise<boolean> => {
    await time.sleep(latencyMs * (0.5 + time.random()));
    if (time.random() >= chance && takes(time.now())) return true;
    refused += 1;
    return false;
  };
  const call = async (limiter: Limiter): Promise<void> => {
    for (let retries = 0; ; retries += 1) {
      const turn = { signal: undefined, retry: retries > 0 };
      if (!limiter.tryEnter()) await limiter.enter(turn);
      const begunAt = time.now();
      const accepted = await service();
      limiter.release();
      if (accepted) {
        limiter.accepted();
        return;
      }
      if (learns) limiter.limited({ status: 429, headers: {}, body: '' }, undefined, begunAt);
      if (retries === MAX_RETRIES) break;
      await time.sleep(Math.max(retryAfterMs, time.random() * 250 * 2 ** retries));
    }
    failed += 1;
  };
  const client = async (limiter: Limiter): Promise<void> => {
    let left = Math.round(calls / clients);
    const caller = async (): Promise<void> => {
      await time.sleep(10 * time.random());
      while (left > 0) {
        left -= 1;
        await call(limiter);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, caller));
  };
  const limiters = Array.from({ length: clients }, () => new Limiter({}, time));
  const milliseconds = await time.run(Promise.all([...limiters.map(client), lookOn(limiters)]));
  return { seconds: milliseconds / 1_000, refused, failed };
}

describe.each([1, 2])('with the random numbers of seed %i', (seed) => {
  test.each([
    { what: 'one client', clients: 1, atOnce: 16, within: 1.25, refused: 0.08 },
    {
      what: 'one client near the service',
      clients: 1,
      atOnce: 16,
      latencyMs: 1,
      within: 1.25,
      refused: 0.08,
    },
    { what: 'a burst', clients: 1, atOnce: 64, burst: 200, within: 1.25, refused: 0.15 },
    { what: 'everything at once', clients: 1, atOnce: 3_000, within: 1.25, refused: 0.4 },
    { what: 'no Retry-After', clients: 1, atOnce: 64, retryAfterMs: 0, within: 1.25, refused: 0.16 },
    { what: 'four clients', clients: 4, atOnce: 16, within: 1.35, refused: 0.1 },
    { what: 'four near the service', clients: 4, atOnce: 16, latencyMs: 1, within: 1.35, refused: 0.1 },
    { what: 'eight clients', clients: 8, atOnce: 16, within: 1.4, refused: 0.15 },
  ])('$what: the client uses the limit, and no call fails', async ({ within, burst = 20, ...load }) => {
    const calls = 3_000;
    const outcome = await under({ ...load, calls, takes: bucket(200, burst) }, new VirtualTime(seed));
    expect(outcome.failed).toBe(0);
    expect(outcome.refused).toBeLessThan(load.refused * calls);
    expect(outcome.seconds).toBeLessThan(((calls - burst) / 200) * within);
  });

  test.each([
    { what: 'a low limit', takes: () => bucket(10, 10), perSecond: 10, calls: 400, within: 1.1 },
    { what: 'a fixed window', takes: () => fixedWindow(200), perSecond: 200, calls: 3_000, within: 1.3 },
  ])(
    '$what: the client uses the limit too, and no call fails',
    async ({ takes, perSecond, calls, within }) => {
      const outcome = await under({ atOnce: 64, calls, takes: takes() }, new VirtualTime(seed));
      expect(outcome.failed).toBe(0);
      expect(outcome.seconds).toBeLessThan((calls / perSecond) * within);
    },
  );

  test('random refusals slow the client down by less than half', async () => {
    const load: Load = { atOnce: 16, calls: 2_000, chance: 0.05, takes: () => true };
    const learning = await under(load, new VirtualTime(seed));
    const plain = await under({ ...load, learns: false }, new VirtualTime(seed));
    expect(learning.failed).toBe(0);
    expect(learning.seconds).toBeLessThan(1.5 * plain.seconds);
  });

  test('a limit that no longer exists is forgotten within ten seconds', async () => {
    const time = new VirtualTime(seed);
    const limit = bucket(200, 20);
    const limitedUntil = time.now() + 5_000;
    const takes = (now: number): boolean => now >= limitedUntil || limit(now);
    const rates: number[][] = [];
    await under({ clients: 4, atOnce: 16, calls: 10_000, takes }, time, async (limiters) => {
      for (const milliseconds of [4_900, 10_200]) {
        await time.sleep(milliseconds);
        rates.push(limiters.map(({ rate }) => rate));
      }
    });
    const [before = [], after = []] = rates;
    for (const rate of before) expect(rate).toBeLessThan(200);
    expect(after).toEqual(Array.from({ length: 4 }, () => Number.POSITIVE_INFINITY));
  });
});

describe('one rate', () => {
  const PERIOD_MS = 1_000;

  /** A period of responses, evenly spread. */
  function period(rate: AdaptiveRate, from: number, accepted: number, refused: number): void {
    const all = accepted + refused;
    for (let response = 0; response < all; response += 1) {
      const now = from + (response * PERIOD_MS) / all;
      const isRefused = Math.floor(((response + 1) * refused) / all) > Math.floor((response * refused) / all);
      if (isRefused) rate.limited(now);
      else rate.accepted(now);
    }
  }

  test('begins after five refusals in a second, if more than one in eleven was refused', () => {
    const rate = new AdaptiveRate();
    period(rate, 0, 0, 4);
    expect(rate.at(1_000)).toBe(Number.POSITIVE_INFINITY);
    period(rate, 1_000, 95, 5);
    expect(rate.at(2_000)).toBe(Number.POSITIVE_INFINITY);
    period(rate, 2_000, 50, 50);
    expect(rate.at(3_000)).toBeLessThan(500);
  });

  test('falls to the accepted rate, recovers, and then grows faster and faster', () => {
    const rate = new AdaptiveRate();
    for (let now = 0; now < 400; now += 4) rate.accepted(now);
    for (let refusal = 0; refusal < 20; refusal += 1) rate.limited(400);
    const cutAt = 400;
    expect(rate.at(cutAt)).toBe(250);
    expect(rate.at(cutAt + 1_000)).toBeCloseTo(250 * 1.1);
    expect(rate.at(cutAt + 2_000)).toBeCloseTo(250 * 1.2);
    expect(rate.at(cutAt + 6_000)).toBeGreaterThan(3_000);
    expect(rate.at(cutAt + 9_999)).toBeLessThan(Number.POSITIVE_INFINITY);
    expect(rate.at(cutAt + 10_000)).toBe(Number.POSITIVE_INFINITY);
  });

  test('is cut by a refusal at most once in a period', () => {
    const rate = new AdaptiveRate();
    for (let now = 0; now < 400; now += 4) rate.accepted(now);
    for (let refusal = 0; refusal < 20; refusal += 1) rate.limited(400);
    for (let now = 400; now < 1_399; now += 10) rate.accepted(now);
    rate.limited(1_399);
    expect(rate.at(1_399)).toBeGreaterThan(250);
    rate.limited(1_400);
    expect(rate.at(1_400)).toBe(100);
  });

  test('never falls below one request in two seconds', () => {
    const rate = new AdaptiveRate();
    for (let now = 0; now < 60_000; now += 100) rate.limited(now);
    expect(rate.at(60_000)).toBeGreaterThanOrEqual(0.5);
    expect(rate.at(60_000)).toBeLessThan(1);
  });

  test('is not changed by a clock that is set back', () => {
    const rate = new AdaptiveRate();
    period(rate, 3_600_000, 50, 50);
    const before = rate.at(3_600_500);
    expect(rate.at(3_599_000)).toBeLessThanOrEqual(before);
    expect(rate.at(3_599_000)).toBeGreaterThan(0);
    expect(rate.at(0)).toBe(Number.POSITIVE_INFINITY);
  });
});
