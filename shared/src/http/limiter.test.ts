import fc from 'fast-check';
import { VirtualTime } from '../../testing/virtual-time.js';
import { Limiter, type LimiterOptions } from './limiter.js';
import type { Entry, Turn } from './request-queue.js';

const FIRST: Turn = { signal: undefined, retry: false };

/** As if the service had accepted many requests: the first window is open. */
function opened(limiter: Limiter): Limiter {
  for (let response = 0; response < 200; response += 1) limiter.accepted();
  return limiter;
}

/** The service responds 429 to a request that began just now. */
function refuse(limiter: Limiter): void {
  limiter.limited({ status: 429, headers: {}, body: '' }, undefined, 0);
}

/** A limiter in virtual time, and how the waits of calls have ended. */
function scene(options: LimiterOptions = {}) {
  const time = new VirtualTime();
  const limiter = new Limiter(options, time);
  if (options.requestsPerSecond !== undefined) opened(limiter);
  const ends: Entry[] = [];
  const enter = async (turn: Turn = FIRST): Promise<void> => void ends.push(await limiter.enter(turn));
  return { time, limiter, ends, enter };
}

describe('with requestsPerSecond', () => {
  /** A limiter whose timers are so late. */
  async function withTimersLateBy(lateMs: (sleep: number) => number): Promise<number[]> {
    const time = new VirtualTime();
    const from = time.now();
    let sleeps = 0;
    const limiter = new Limiter(
      { requestsPerSecond: 100, concurrency: 1_000 },
      {
        random: () => 0.5,
        now: () => time.now(),
        sleep: (milliseconds, signal) => time.sleep(milliseconds + lateMs((sleeps += 1)), signal),
      },
    );
    opened(limiter);
    const starts: number[] = [];
    const call = async (): Promise<void> => {
      await limiter.enter(FIRST);
      starts.push(time.now() - from);
    };
    await time.run(Promise.all(Array.from({ length: 101 }, call)));
    return starts;
  }

  test('late timers do not slow it down', async () => {
    const starts = await withTimersLateBy(() => 7);
    expect(starts.at(-1)).toBeLessThanOrEqual(1_007);
    starts.forEach((start, index) => expect(start).toBeGreaterThanOrEqual(index * 10));
  });

  test('after a very late timer no burst follows', async () => {
    const starts = await withTimersLateBy((sleep) => (sleep === 20 ? 10_000 : 0));
    const late = starts.filter((start) => start >= 10_000);
    expect(late.slice(0, 5).map((start) => start - (late[0] ?? 0))).toEqual([0, 0, 0, 5, 15]);
  });

  test('a clock that is set back does not stop it', async () => {
    let back = 0;
    const time = new VirtualTime();
    const limiter = new Limiter(
      { requestsPerSecond: 1 },
      {
        random: () => 0.5,
        now: () => time.now() - back,
        sleep: (milliseconds, signal) => time.sleep(milliseconds, signal),
      },
    );
    expect(limiter.tryEnter()).toBe(true);
    back = 3_600_000;
    expect(await time.run(limiter.enter(FIRST))).toBe(1_000);
  });
});

test('no sleep is longer than the longest timer', async () => {
  const sleeps: number[] = [];
  const runtime = {
    random: () => 0.5,
    now: () => 0,
    sleep: (milliseconds: number): Promise<void> => {
      sleeps.push(milliseconds);
      return new Promise(() => undefined);
    },
  };
  const limiter = new Limiter({ requestsPerSecond: 1e-9 }, runtime);
  limiter.tryEnter();
  void limiter.enter(FIRST);
  await Promise.resolve();
  expect(sleeps).toEqual([2 ** 31 - 1]);
});

test('a wait behind the gate ends at once on an abort, and leaves no sleep behind', async () => {
  const { time, limiter, ends, enter } = scene();
  for (let refusal = 0; refusal < 5; refusal += 1) refuse(limiter);
  const controller = new AbortController();
  void enter({ ...FIRST, signal: controller.signal });
  await time.advance(1);
  expect(time.sleeping).toBe(1);
  controller.abort();
  await time.advance(0);
  expect(ends).toEqual(['ended']);
  expect(time.sleeping).toBe(0);
});

test('a call that began in the millisecond in which all failed does not fail with them', () => {
  const { limiter, time } = scene();
  const from = time.now();
  const hourly = { status: 429, headers: {}, body: '' };
  const refusals = Array.from({ length: 6 }, (_, index) =>
    limiter.limited(hourly, 3_600_000, index < 5 ? from - 20 : from),
  );
  expect(refusals).toEqual([false, false, false, false, true, false]);
});

test('once it is closed, no pause begins', async () => {
  const { time, limiter } = scene();
  limiter.close();
  const pause = limiter.pause(60_000, undefined);
  await time.advance(0);
  expect(time.sleeping).toBe(0);
  expect(await pause).toBe('ended');
});

test('before the service has responded, 16 requests are under way at most; each response opens one more', async () => {
  const { time, limiter, ends, enter } = scene();
  for (let call = 0; call < 40; call += 1) void enter();
  await time.advance(1_000);
  expect(ends).toHaveLength(16);
  limiter.accepted();
  limiter.release();
  await time.advance(0);
  expect(ends).toHaveLength(18);
});

describe('429', () => {
  test('stops a client, and then slows it down', async () => {
    const { time, limiter } = scene();
    expect(limiter.rate).toBe(Number.POSITIVE_INFINITY);
    for (let response = 0; response < 20; response += 1) limiter.accepted();
    for (let refusal = 0; refusal < 20; refusal += 1) refuse(limiter);
    expect(limiter.rate).toBeCloseTo(200);
    expect(limiter.tryEnter()).toBe(false);
    await time.advance(500);
    expect([limiter.tryEnter(), limiter.tryEnter()]).toEqual([true, false]);
  });

  test('never raises the rate above requestsPerSecond', async () => {
    const { time, limiter } = scene({ requestsPerSecond: 50 });
    for (let response = 0; response < 20; response += 1) limiter.accepted();
    for (let refusal = 0; refusal < 20; refusal += 1) refuse(limiter);
    expect(limiter.rate).toBe(50);
    await time.advance(60_000);
    expect(limiter.rate).toBe(50);
  });
});

describe('in any order of calls', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant('enter' as const), fc.nat(1)) },
    { weight: 3, arbitrary: fc.tuple(fc.constant('release' as const), fc.constant(0)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('abort' as const), fc.nat()) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('pass' as const), fc.nat(900)) },
  );

  interface Call {
    readonly turn: Turn;
    readonly controller: AbortController;
    abortedAt?: number;
  }

  /** A limiter, and beside it what it ought to do: who waits, who is inside, and when each began. */
  class Model {
    readonly time = new VirtualTime();
    readonly limiter: Limiter;
    readonly starts: number[] = [];
    waiting: Call[] = [];
    active = 0;

    constructor(
      readonly concurrency: number,
      readonly intervalMs: number,
    ) {
      const requestsPerSecond = intervalMs === 0 ? undefined : 1_000 / intervalMs;
      this.limiter = opened(new Limiter({ requestsPerSecond, concurrency }, this.time));
    }

    enter(retry: boolean): void {
      const controller = new AbortController();
      const turn = { retry, signal: controller.signal };
      const call: Call = { turn, controller };
      this.waiting.push(call);
      void this.limiter.enter(turn).then((entry) => this.ended(call, entry === 'in'));
    }

    ended(call: Call, isIn: boolean): void {
      const now = this.time.now();
      if (isIn) {
        expect(call).toBe(this.waiting.find(({ turn }) => turn.retry) ?? this.waiting[0]);
        this.active += 1;
        expect(this.active).toBeLessThanOrEqual(this.concurrency);
        this.starts.forEach((start, index) =>
          expect(now - start).toBeGreaterThanOrEqual((this.starts.length - index) * this.intervalMs),
        );
        this.starts.push(now);
      } else {
        expect(now).toBe(call.abortedAt);
      }
      this.waiting = this.waiting.filter((each) => each !== call);
    }

    release(): void {
      if (this.active === 0) return;
      this.active -= 1;
      this.limiter.release();
    }

    abort(which: number): void {
      const call = this.waiting[which % this.waiting.length];
      if (call === undefined) return;
      call.abortedAt = this.time.now();
      call.controller.abort();
    }

    /** Nobody waits without a reason, and no sleep is left over. */
    async check(): Promise<void> {
      await this.time.advance(0);
      expect(this.time.sleeping).toBeLessThanOrEqual(this.waiting.length > 0 ? 1 : 0);
      const paced = this.time.now() < (this.starts.at(-1) ?? Number.NEGATIVE_INFINITY) + this.intervalMs;
      if (this.waiting.length > 0) expect(paced || this.active === this.concurrency).toBe(true);
      for (const call of this.waiting) expect(call.abortedAt).toBeUndefined();
    }
  }

  test('the limits hold, retries go first, and no request waits for ever', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 2, 5, 100),
        fc.constantFrom(0, 20, 250),
        fc.array(step, { maxLength: 60 }),
        async (concurrency, intervalMs, steps) => {
          const model = new Model(concurrency, intervalMs);
          for (const [what, number] of steps) {
            if (what === 'enter') model.enter(number === 1);
            if (what === 'release') model.release();
            if (what === 'abort') model.abort(number);
            if (what === 'pass') await model.time.advance(number);
            await model.check();
          }
          for (let rest = model.waiting.length; rest > 0; rest -= 1) {
            while (model.active > 0) model.release();
            await model.time.advance(intervalMs);
          }
          expect(model.waiting).toEqual([]);
          await model.check();
        },
      ),
      { numRuns: 300 },
    );
  });
});
