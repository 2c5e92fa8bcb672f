import { VirtualTime } from '../../testing/virtual-time.js';
import { AudienceError } from '../errors.js';
import { AudienceApi, type TransportResponse } from '../internal.js';
import { Gate } from './gate.js';

type Headers = Record<string, string>;

/** Decides about a request at a time in milliseconds. */
type Takes = (now: number) => boolean;

interface Load {
  /** Whether the service has room, and what it says where it has none. */
  readonly takes: () => Takes;
  readonly headers?: (now: number) => Headers;
  readonly calls: number;
  readonly clients?: number;
  /** Calls under way at once, or waiting for their turn: all unless given. */
  readonly atOnce?: number;
  readonly latencyMs?: number;
  /** Share that is refused for no reason. */
  readonly chance?: number;
}

/** A bucket of tokens, full at first. */
const bucket = (perSecond: number, burst: number) => (): Takes => {
  let [tokens, filledAt] = [burst, 0];
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1_000) * perSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
};

/** So many in each second of the clock, or in each of other periods. */
const fixedWindow =
  (most: number, periodMs = 1_000) =>
  (): Takes => {
    let [period, used] = [0, 0];
    return (now) => {
      if (Math.floor(now / periodMs) !== period) used = 0;
      period = Math.floor(now / periodMs);
      used += 1;
      return used <= most;
    };
  };

/** Calls of clients that know nothing of each other, in virtual time. */
function under(
  { calls, clients = 1, atOnce = calls, latencyMs = 40, chance = 0, ...load }: Load,
  seed: number,
) {
  const time = new VirtualTime(seed);
  const from = time.now();
  const takes = load.takes();
  const seen = { requests: 0 };
  const apis = Array.from(
    { length: clients },
    () =>
      new AudienceApi({
        baseUrl: 'https://api.example.com',
        runtime: time,
        transport: async ({ body = '' }): Promise<TransportResponse> => {
          seen.requests += 1;
          await time.sleep(latencyMs * (0.5 + time.random()));
          const isHourly = body.includes('hourly@');
          if (!isHourly && (chance === 0 || time.random() >= chance) && takes(time.now()))
            return { status: 200, headers: {}, body: '{"success":true}' };
          const named = isHourly ? { 'retry-after': '3600' } : (load.headers?.(time.now()) ?? {});
          return { status: 429, headers: named, body: '' };
        },
      }),
  );
  const send = async (email: string, index = 0) => {
    const retryAfterMs = await apis[index % clients]?.transactional
      .send({ email, transactionalId: 't' })
      .then(
        () => undefined,
        (error: unknown) => {
          if (AudienceError.is(error)) return error.retryAfterMs ?? 0;
          throw error;
        },
      );
    return { ok: retryAfterMs === undefined, at: time.now() - from, retryAfterMs };
  };
  const run = async (emails = Array.from({ length: calls }, (_, index) => `a${index}@example.com`)) => {
    const left = [...emails.entries()];
    const ends: Awaited<ReturnType<typeof send>>[] = [];
    const caller = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        ends.push(await send(next[1], next[0]));
    };
    await time.run(Promise.all(Array.from({ length: atOnce }, caller)));
    return { failed: ends.filter(({ ok }) => !ok).length, ends, seconds: (time.now() - from) / 1_000 };
  };
  return { time, seen, run, send };
}

const minute = (now: number): Headers => ({ 'retry-after': String(60 - (Math.floor(now / 1_000) % 60)) });
const second = (now: number): Headers => ({ 'ratelimit-reset': String((1_000 - (now % 1_000)) / 1_000) });

describe.each([1, 2])('with the random numbers of seed %i', (seed) => {
  test.each<[what: string, requests: number, seconds: number, load: Load]>([
    ['10 a second', 1.2, 210, { takes: fixedWindow(10), calls: 2_000 }],
    ['10 a second, with a time', 1.2, 210, { takes: fixedWindow(10), headers: second, calls: 2_000 }],
    ['10 a second, of a bucket', 1.2, 205, { takes: bucket(10, 10), calls: 2_000 }],
    ['50 a minute', 2.2, 195, { takes: fixedWindow(50, 60_000), calls: 200 }],
    ['50 a minute, with a time', 2.2, 185, { takes: fixedWindow(50, 60_000), headers: minute, calls: 200 }],
    ['10 a second, five clients', 1.5, 110, { takes: fixedWindow(10), calls: 1_000, clients: 5 }],
    ['200 a second', 1.2, 16.5, { takes: bucket(200, 20), calls: 3_000, atOnce: 16 }],
    ['200 a second, near', 1.2, 16.5, { takes: bucket(200, 20), calls: 3_000, atOnce: 16, latencyMs: 1 }],
    ['200 a second, at once', 1.2, 16.5, { takes: bucket(200, 20), calls: 3_000 }],
    ['200 a second, after a burst', 1.2, 15.5, { takes: bucket(200, 200), calls: 3_000, atOnce: 64 }],
    ['200 a second, a window', 1.2, 18, { takes: fixedWindow(200), calls: 3_000, atOnce: 64 }],
    ['200 a second, four clients', 1.2, 18, { takes: bucket(200, 20), calls: 3_000, atOnce: 64, clients: 4 }],
    ['refused by chance', 1.2, 8, { takes: () => () => true, calls: 2_000, atOnce: 16, chance: 0.05 }],
  ])('%s: all are sent, with at most %d requests each, in %d seconds', async (_, requests, most, load) => {
    const { run, seen } = under(load, seed);
    const { failed, seconds } = await run();
    expect(failed).toBe(0);
    expect(seen.requests).toBeLessThanOrEqual(requests * load.calls);
    expect(seconds).toBeLessThanOrEqual(most);
  });

  test.each([
    [{ 'retry-after': '3600' }, 25, 1],
    [{}, 80, 90],
  ])(
    'a quota that is used up, with %j: all end soon, and a later call asks anew',
    async (headers, most, limit) => {
      const load = { takes: () => () => false, headers: () => headers, calls: 2_000 };
      const { run, seen, time, send } = under(load, seed);
      const { failed, seconds } = await run();
      expect(failed).toBe(2_000);
      expect(seconds).toBeLessThanOrEqual(limit);
      expect(seen.requests).toBeLessThanOrEqual(most);
      await time.advance(60_000);
      const before = seen.requests;
      void send('later@example.com');
      await time.advance(10);
      expect(seen.requests).toBe(before + 1);
    },
  );

  test('an address that is limited for an hour fails alone, and no call waits for it', async () => {
    const { run } = under({ takes: () => () => true, calls: 200 }, seed);
    const emails = Array.from({ length: 200 }, (_, index) => `${index === 3 ? 'hourly' : index}@example.com`);
    const { ends } = await run(emails);
    const [limited, ...others] = ends.filter(({ ok }) => !ok);
    expect([limited?.retryAfterMs, others]).toEqual([3_600_000, []]);
    for (const { at } of ends) expect(at).toBeLessThan(1_000);
  });
});

describe('the gate', () => {
  const closed = (time: VirtualTime): Gate => {
    const gate = new Gate(time);
    for (let refusal = 0; refusal < 5; refusal += 1) gate.refused(10_000 - refusal);
    return gate;
  };

  test('stays open for four refusals, or five with one that was accepted in between', () => {
    const time = new VirtualTime();
    const gate = new Gate(time);
    for (let call = 0; call < 20; call += 1) {
      if (call % 5 === 4) gate.accepted();
      else expect(gate.refused(10_000)).toBe('same');
    }
    expect(gate.opensAt).toBeLessThanOrEqual(time.now());
  });

  test('closes until the latest time that was named; what was under way can move it on', () => {
    const time = new VirtualTime();
    const gate = closed(time);
    expect(gate.opensAt).toBe(time.now() + 10_000);
    gate.refused(undefined);
    gate.refused(90_000);
    expect(gate.opensAt).toBe(time.now() + 10_000);
    gate.refused(12_000);
    expect(gate.opensAt).toBe(time.now() + 12_000);
  });

  test('counts the time for which it was closed', async () => {
    const time = new VirtualTime();
    const gate = closed(time);
    await time.advance(4_000);
    expect(gate.closedMs).toBe(4_000);
    await time.advance(60_000);
    expect(gate.closedMs).toBe(10_000);
    for (let refusal = 0; refusal < 5; refusal += 1) gate.refused(3_000);
    await time.advance(60_000);
    expect(gate.closedMs).toBe(13_000);
  });

  test('counts no time without requests as a refusal', async () => {
    const time = new VirtualTime();
    const gate = closed(time);
    await time.advance(80_000);
    const answers = Array.from({ length: 5 }, () => gate.refused(10_000));
    expect(answers).toEqual(['same', 'same', 'same', 'same', 'closed']);
  });

  test('a wait behind it may be longer than the deadline', async () => {
    const time = new VirtualTime();
    let refusals = 0;
    const api = new AudienceApi({
      ...{ baseUrl: 'https://api.example.com', runtime: time, deadlineMs: 30_000 },
      transport: async () => {
        await time.sleep(10);
        refusals += 1;
        const headers = { 'retry-after': refusals === 5 ? '45' : '1' };
        return { status: refusals <= 5 ? 429 : 200, headers, body: '{"success":true}' };
      },
    });
    const calls = Array.from({ length: 10 }, () => api.contacts.update('a', { firstName: 'Ada' }));
    expect(await time.run(Promise.all(calls))).toBeGreaterThan(45_000);
  });

  test('lets no request begin while it is closed, and takes no time of a call', async () => {
    const time = new VirtualTime();
    const from = time.now();
    const begun: number[] = [];
    const api = new AudienceApi({
      ...{ baseUrl: 'https://api.example.com', runtime: time, deadlineMs: 45_000 },
      transport: async () => {
        begun.push(time.now() - from);
        await time.sleep(10);
        const isRefused = begun.length <= 48;
        return { status: isRefused ? 429 : 200, headers: { 'retry-after': '30' }, body: '{"success":true}' };
      },
    });
    const calls = Array.from({ length: 20 }, () => api.contacts.update('a', { firstName: 'Ada' }));
    await time.run(Promise.all(calls));
    expect(begun.filter((at) => at > 10 && at < 30_000)).toEqual([]);
    expect(begun.at(-1)).toBeGreaterThan(60_000);
  });
});
