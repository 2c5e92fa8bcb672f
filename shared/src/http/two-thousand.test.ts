import { bucket, fixedWindow, type Takes } from '../../testing/rate-limits.js';
import { VirtualTime } from '../../testing/virtual-time.js';
import { AudienceApi, type TransportResponse } from '../internal.js';

const headersOf = {
  nothing: () => ({}),
  'RateLimit-Reset': (now: number) => ({ 'ratelimit-reset': String((1_000 - (now % 1_000)) / 1_000) }),
};

async function send(
  takes: Takes,
  headers: (now: number) => Record<string, string>,
  requestsPerSecond?: number,
) {
  const time = new VirtualTime(7);
  let requests = 0;
  const api = new AudienceApi({
    baseUrl: 'https://api.example.com',
    runtime: time,
    requestsPerSecond,
    transport: async (): Promise<TransportResponse> => {
      requests += 1;
      await time.sleep(20 + 40 * time.random());
      return takes(time.now())
        ? { status: 200, headers: {}, body: '{"success":true}' }
        : { status: 429, headers: headers(time.now()), body: '' };
    },
  });
  const calls = Array.from({ length: 2_000 }, (_, index) =>
    api.transactional.send({ email: `a${index}@example.com`, transactionalId: 't' }),
  );
  const all = Promise.allSettled(calls);
  const milliseconds = await time.run(all);
  const failed = (await all).filter(({ status }) => status === 'rejected').length;
  return { requests, failed, seconds: Math.round(milliseconds / 1_000) };
}

describe.each(['nothing', 'RateLimit-Reset'] as const)('429 with %s', (header) => {
  test.each([
    ['a window', () => fixedWindow(10)],
    ['a bucket', () => bucket(10, 10)],
  ])('2,000 calls at once at ten a second all succeed, under %s', async (_, limit) => {
    const result = await send(limit(), headersOf[header]);
    expect(result.failed).toBe(0);
    expect(result.requests).toBeLessThanOrEqual(2_700);
  });
});

test('waiting for a turn under a rate of the own takes no time of a call', async () => {
  expect(await send(bucket(10, 10), headersOf.nothing, 10)).toMatchObject({ failed: 0 });
});
