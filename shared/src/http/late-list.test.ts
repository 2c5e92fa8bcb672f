import { VirtualTime } from '../../testing/virtual-time.js';
import { AudienceApi, TransportFailure } from '../internal.js';
import type { TransportResponse } from '../internal.js';

type Refusal = Omit<TransportResponse, 'headers'>;

/** A service that creates a property, loses the response, refuses it from then on, and lists it late. */
function lateService(time: VirtualTime, refusal: Refusal, shownAfterMs: number) {
  let createdAt: number | undefined;
  let posts = 0;
  const api = new AudienceApi({
    baseUrl: 'https://api.example.com',
    runtime: time,
    adaptive: false,
    transport: ({ method }) => {
      const now = time.now();
      if (method === 'GET') {
        const shows = createdAt !== undefined && now >= createdAt + shownAfterMs;
        const body = JSON.stringify(shows ? [{ key: 'plan', type: 'string' }] : []);
        return Promise.resolve({ status: 200, headers: {}, body });
      }
      posts += 1;
      if (createdAt !== undefined) return Promise.resolve({ ...refusal, headers: {} });
      createdAt = now;
      return Promise.reject(new TransportFailure('network', { networkCode: 'ECONNRESET' }));
    },
  });
  return { api, posts: () => posts };
}

const REFUSALS: readonly Refusal[] = [
  { status: 409, body: '' },
  { status: 400, body: 'it exists' },
  // As the second of two requests that delete one thing is.
  { status: 404, body: '' },
  { status: 200, body: '{"success":false}' },
];

test.each(REFUSALS)(
  'a property that shows late is called created, by a service that says $status',
  async (refusal) => {
    const time = new VirtualTime();
    const { api, posts } = lateService(time, refusal, 3_000);
    const created = api.properties.create({ name: 'plan', type: 'string' });
    await time.advance(60_000);
    expect(await created).toMatchObject({ success: true, deduplicated: true });
    expect(posts()).toBe(2);
  },
);

test.each(REFUSALS)('one that never shows is not: it is unclear ($status)', async (refusal) => {
  const time = new VirtualTime();
  const { api } = lateService(time, refusal, Number.POSITIVE_INFINITY);
  const created = expect(api.properties.create({ name: 'plan', type: 'string' })).rejects.toMatchObject({
    unclear: true,
  });
  await time.advance(120_000);
  await created;
});

test('while a used key is asked for, faults in between do not end the call', async () => {
  const time = new VirtualTime();
  // Carried out, and its response lost; then refused, and every other look is lost on the way.
  let calls = 0;
  const api = new AudienceApi({
    baseUrl: 'https://api.example.com',
    runtime: time,
    adaptive: false,
    maxRetries: 1,
    transport: () => {
      calls += 1;
      if (calls === 1) return Promise.reject(new TransportFailure('network', { networkCode: 'ECONNRESET' }));
      return Promise.resolve({ status: calls % 2 === 0 || calls > 9 ? 409 : 429, headers: {}, body: '' });
    },
  });
  const sent = api.transactional.send({ email: 'ada@example.com', transactionalId: 'welcome' });
  await time.advance(120_000);
  expect(await sent).toMatchObject({ success: true, deduplicated: true });
});
