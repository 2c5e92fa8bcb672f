import { VirtualTime } from '../../testing/virtual-time.js';
import { sendEvent } from '../contract/events.js';
import { AdaptiveRate } from './adaptive-rate.js';
import { Pipeline } from './pipeline.js';
import type { TransportResponse } from './transport.js';

const ACCEPTED: TransportResponse = { status: 200, headers: {}, body: '{"success":true}' };
const UNKNOWN: TransportResponse = { status: 404, headers: {}, body: '{}' };
const REFUSED: TransportResponse = { status: 429, headers: { 'retry-after': '1' }, body: '{}' };

/** Decides about a request at a time in milliseconds. */
type Takes = (now: number) => boolean;

/** A bucket of tokens, full at first. */
function bucket(perSecond: number, burst = perSecond): Takes {
  let [tokens, filledAt] = [burst, 0];
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1_000) * perSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

function smallBucket(perSecond: number): Takes {
  return bucket(perSecond, perSecond / 20);
}

/** So many in each second of the clock. */
function fixedWindow(perSecond: number): Takes {
  let [second, used] = [0, 0];
  return (now) => {
    if (Math.floor(now / 1_000) !== second) used = 0;
    second = Math.floor(now / 1_000);
    used += 1;
    return used <= perSecond;
  };
}

interface Load {
  readonly takes: Takes;
  readonly calls: number;
  readonly callers: number;
  readonly latencyMs?: number;
  /** Share that is refused for no reason. */
  readonly chance?: number;
  /** What the service answers when it has room for a request. */
  readonly answer?: TransportResponse;
}

/** Callers that make calls one after the other, through a pipeline with no limits set; in virtual time. */
async function under(
  { takes, calls, callers, latencyMs = 5, chance = 0, answer = ACCEPTED }: Load,
  seed: number,
): Promise<{ seconds: number; refused: number; failed: number }> {
  const time = new VirtualTime(seed);
  let [refused, failed, next] = [0, 0, 0];
  const pipeline = new Pipeline({
    baseUrl: 'https://audience.example',
    transport: async () => {
      await time.sleep(latencyMs * (0.5 + time.random()));
      if (time.random() >= chance && takes(time.now())) return answer;
      refused += 1;
      return REFUSED;
    },
    runtime: time,
    limits: { timeoutMs: 30_000, deadlineMs: 120_000, maxRetries: 10 },
    redact: (text) => text,
    bodySnippets: true,
    userAgent: 'test',
  });
  const caller = async (): Promise<void> => {
    while (next < calls) {
      next += 1;
      try {
        await pipeline.run({ endpoint: sendEvent, path: '/v1/events/send', body: {}, action: 'send' });
      } catch {
        failed += 1;
      }
    }
  };
  const milliseconds = await time.run(Promise.all(Array.from({ length: callers }, caller)));
  return { seconds: milliseconds / 1_000, refused, failed };
}

describe.each([1, 2, 3])('with the random numbers of seed %i', (seed) => {
  test.each([
    {
      what: 'a bucket',
      makes: bucket,
      perSecond: 200,
      calls: 10_000,
      callers: 64,
      within: 1.05,
      refused: 400,
    },
    {
      what: 'a slow service',
      makes: bucket,
      perSecond: 200,
      calls: 10_000,
      callers: 64,
      latencyMs: 50,
      within: 1.05,
      refused: 400,
    },
    {
      what: 'a small bucket',
      makes: smallBucket,
      perSecond: 200,
      calls: 10_000,
      callers: 64,
      within: 1.2,
      refused: 250,
    },
    {
      what: 'a fixed window',
      makes: fixedWindow,
      perSecond: 200,
      calls: 10_000,
      callers: 64,
      within: 1.25,
      refused: 250,
    },
    {
      what: 'a low limit',
      makes: bucket,
      perSecond: 10,
      calls: 1_000,
      callers: 64,
      within: 1.05,
      refused: 120,
    },
    { what: 'few callers', makes: bucket, perSecond: 10, calls: 300, callers: 10, within: 1.05, refused: 50 },
    {
      what: 'a single caller',
      makes: fixedWindow,
      perSecond: 50,
      calls: 2_000,
      callers: 1,
      within: 1.25,
      refused: 20,
    },
  ])('$what: the limit is used well, and seldom run into', async ({ makes, perSecond, ...load }) => {
    const { seconds, refused, failed } = await under({ ...load, takes: makes(perSecond) }, seed);
    expect(failed).toBe(0);
    expect(refused).toBeLessThan(load.refused);
    expect(seconds).toBeLessThan((load.calls / perSecond) * load.within);
  });

  test.each([0.04, 0.1])('refusals by chance, a share of %d, do not slow it down', async (chance) => {
    const load = { takes: () => true, calls: 10_000, callers: 64, chance };
    const { seconds, failed } = await under(load, seed);
    expect(failed).toBe(0);
    // Each refused call waits for the second that it was asked to; callers work beside each other.
    const waits = (load.calls * chance) / (1 - chance) / load.callers;
    expect(seconds).toBeLessThan(2 * waits);
  });

  test('what the service answers with 404 or 409 it had room for', async () => {
    const load = { calls: 2_000, callers: 64, answer: UNKNOWN };
    const limited = await under({ ...load, takes: bucket(200) }, seed);
    expect(limited.seconds).toBeLessThan(15);
    const byChance = await under({ ...load, takes: () => true, chance: 0.04 }, seed);
    expect(byChance.seconds).toBeLessThan(8);
  });
});

describe('all calls are held', () => {
  const REFUSALS = 5;

  /** Answers from a time on: accepted ones a millisecond apart, then refusals. */
  function learn(accepted: number, retryAfterMs: number): AdaptiveRate {
    const rate = new AdaptiveRate();
    for (let now = 0; now < accepted; now += 1) rate.accepted(now);
    for (let refusal = 0; refusal < REFUSALS; refusal += 1) rate.limited(accepted + refusal, retryAfterMs);
    return rate;
  }

  test('when nothing at all was accepted, and no longer than a minute', () => {
    expect(learn(0, 30_000)).toMatchObject({ rate: 1, heldUntil: REFUSALS - 1 + 30_000 });
    expect(learn(0, 86_400_000).heldUntil).toBe(REFUSALS - 1 + 60_000);
  });

  test.each([900, 1_000, 1_001])('not after %i that were accepted just before', (accepted) => {
    const { rate, heldUntil } = learn(accepted, 30_000);
    expect(heldUntil).toBe(0);
    expect(rate).toBeGreaterThan(800);
  });
});
