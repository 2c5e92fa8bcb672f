import { createTestRuntime } from '../../testing/test-runtime.js';
import { Limiter } from './limiter.js';

describe('a rate that was set', () => {
  test('begins requests evenly, never faster', async () => {
    const runtime = createTestRuntime();
    const limiter = new Limiter({ requestsPerSecond: 10 }, runtime);
    const starts: number[] = [];
    const from = runtime.now();
    for (let request = 0; request < 21; request += 1) {
      await limiter.acquire(undefined);
      starts.push(runtime.now() - from);
      limiter.release();
    }
    expect(starts.at(0)).toBe(0);
    expect(starts.at(1)).toBe(100);
    expect(starts.at(20)).toBe(2_000);
  });

  test('time that went by unused is not made up for', async () => {
    const runtime = createTestRuntime();
    const limiter = new Limiter({ requestsPerSecond: 10 }, runtime);
    await limiter.acquire(undefined);
    runtime.advance(5_000);
    runtime.sleeps.length = 0;
    await limiter.acquire(undefined);
    await limiter.acquire(undefined);
    expect(runtime.sleeps).toEqual([100]);
  });
});

describe('a concurrency that was set', () => {
  test('lets so many in, and one more for each that leaves, in order', async () => {
    const limiter = new Limiter({ concurrency: 2 }, createTestRuntime());
    const entered: number[] = [];
    const enter = async (number: number) => {
      await limiter.acquire(undefined);
      entered.push(number);
    };
    const all = [1, 2, 3, 4].map(enter);
    await Promise.all(all.slice(0, 2));
    expect(entered).toEqual([1, 2]);
    limiter.release();
    await all[2];
    expect(entered).toEqual([1, 2, 3]);
    limiter.release();
    await all[3];
    expect(entered).toEqual([1, 2, 3, 4]);
    expect(limiter.tryAcquire()).toBe(false);
    limiter.release();
    expect(limiter.tryAcquire()).toBe(true);
  });

  test('who gives up waiting takes no place', async () => {
    const limiter = new Limiter({ concurrency: 1 }, createTestRuntime());
    await limiter.acquire(undefined);
    const controller = new AbortController();
    const waiting = limiter.acquire(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow('aborted');
    limiter.release();
    expect(limiter.tryAcquire()).toBe(true);
    await expect(limiter.acquire(controller.signal)).rejects.toThrow();
  });

  test('an abort while waiting for the pace gives the place back', async () => {
    const runtime = createTestRuntime();
    const limiter = new Limiter({ concurrency: 1, requestsPerSecond: 1 }, runtime);
    await limiter.acquire(undefined);
    limiter.release();
    await expect(limiter.acquire(AbortSignal.abort())).rejects.toThrow();
    runtime.advance(10_000);
    await limiter.acquire(undefined);
    expect(limiter.tryAcquire()).toBe(false);
  });
});

describe('with no limit set', () => {
  /** A service that takes so many requests a second, told to a limiter as a pipeline would. */
  async function load(
    limiter: Limiter,
    runtime: ReturnType<typeof createTestRuntime>,
    limit: number,
    requests: number,
  ) {
    let window = Math.floor(runtime.now() / 1_000);
    let used = 0;
    let refused = 0;
    for (let request = 0; request < requests; request += 1) {
      await limiter.acquire(undefined);
      const second = Math.floor(runtime.now() / 1_000);
      if (second !== window) {
        window = second;
        used = 0;
      }
      used += 1;
      if (used > limit) {
        refused += 1;
        limiter.limited(1_000);
      } else {
        limiter.accepted();
      }
      limiter.release();
    }
    return refused;
  }

  test('nothing waits until the service says 429', async () => {
    const runtime = createTestRuntime();
    const limiter = new Limiter({}, runtime);
    expect(await load(limiter, runtime, Number.POSITIVE_INFINITY, 1_000)).toBe(0);
    expect(runtime.sleeps).toEqual([]);
    expect(limiter.rate).toBe(Number.POSITIVE_INFINITY);
  });

  test('it speeds up again when the limit is gone, and in the end forgets it', async () => {
    const runtime = createTestRuntime();
    const limiter = new Limiter({}, runtime);
    await load(limiter, runtime, 10, 200);
    const slow = limiter.rate;
    expect(slow).toBeLessThan(15);
    await load(limiter, runtime, Number.POSITIVE_INFINITY, 500);
    expect(limiter.rate).toBeGreaterThan(slow * 2);
    runtime.advance(60_001);
    limiter.accepted();
    expect(limiter.rate).toBe(Number.POSITIVE_INFINITY);
  });

  test('when nothing is taken any more, all wait as long as the service asked', async () => {
    const runtime = createTestRuntime();
    const limiter = new Limiter({}, runtime);
    for (let refusal = 0; refusal < 5; refusal += 1) limiter.limited(30_000);
    expect(limiter.rate).toBe(1);
    const from = runtime.now();
    expect(limiter.tryAcquire()).toBe(false);
    await limiter.acquire(undefined);
    expect(runtime.now() - from).toBeGreaterThanOrEqual(30_000);
  });

  test('never slower than one request a second', () => {
    const runtime = createTestRuntime();
    const limiter = new Limiter({}, runtime);
    for (let burst = 0; burst < 20; burst += 1) {
      for (let refusal = 0; refusal < 5; refusal += 1) limiter.limited(undefined);
      runtime.advance(1_000);
    }
    expect(limiter.rate).toBe(1);
  });

  test('a single 429 says nothing of a rate', async () => {
    const runtime = createTestRuntime();
    const limiter = new Limiter({}, runtime);
    limiter.limited(undefined);
    expect(await load(limiter, runtime, Number.POSITIVE_INFINITY, 1_000)).toBe(0);
    expect(runtime.sleeps).toEqual([]);
  });

  test('a few 429 by chance do not throttle it', async () => {
    const runtime = createTestRuntime();
    const limiter = new Limiter({}, runtime);
    for (let request = 1; request <= 3_000; request += 1) {
      await limiter.acquire(undefined);
      runtime.advance(5);
      if (request % 33 === 0) limiter.limited(undefined);
      else limiter.accepted();
      limiter.release();
    }
    expect(limiter.rate).toBeGreaterThan(150);
  });
});
