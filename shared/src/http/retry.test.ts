import { createTestRuntime } from '../../testing/test-runtime.js';
import { VirtualTime } from '../../testing/virtual-time.js';
import { AudienceError } from '../errors.js';
import {
  AudienceApi,
  TransportFailure,
  type AudienceApiOptions,
  type TransportResponse,
} from '../internal.js';

type End = TransportResponse | TransportFailure;

const reply = (status: number, retryAfter?: string): TransportResponse => ({
  status,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body: '{"success":true}',
});
const network = (networkCode?: string, neverSent = false) =>
  new TransportFailure('network', { networkCode, neverSent });

/** What is expected of an end: its code, which calls are tried again, and whether the request may have arrived. */
interface Expected {
  readonly code: string;
  /** All calls, those whose endpoint may be repeated, or none. */
  readonly again: 'all' | 'repeatable' | 'none';
  readonly unclear: boolean;
  /** Whether a 409 that follows is tried again, as the service may still be at work. */
  readonly isAtWork: boolean;
}

const expected = (code: string, again: Expected['again'], arrived: 'no' | 'maybe' | 'at work'): Expected => ({
  code,
  again,
  unclear: arrived !== 'no',
  isAtWork: arrived === 'at work',
});

const FAILED = expected('serviceFailed', 'repeatable', 'maybe');
const AT_WORK = expected('serviceFailed', 'repeatable', 'at work');
/** By status, where it differs from others with the same first digit. */
const OF_STATUS: Readonly<Record<number, Expected>> = {
  401: expected('keyRefused', 'none', 'no'),
  403: expected('notAllowed', 'none', 'no'),
  404: expected('notFound', 'none', 'no'),
  408: AT_WORK,
  409: expected('conflict', 'none', 'no'),
  429: expected('tooManyRequests', 'all', 'no'),
  502: AT_WORK,
  504: AT_WORK,
  ...Object.fromEntries(Array.from({ length: 10 }, (_, index) => [520 + index, AT_WORK])),
};
const OF_DIGIT: Readonly<Record<number, Expected>> = {
  1: expected('undefinedStatus', 'none', 'maybe'),
  3: expected('redirect', 'none', 'maybe'),
  4: expected('refused', 'none', 'no'),
  5: FAILED,
  6: expected('undefinedStatus', 'none', 'maybe'),
};

const STATUSES = [100, 199, ...Array.from({ length: 300 }, (_, index) => 300 + index), 600, 999];
const ENDS: readonly (readonly [name: string, end: End, expected: Expected | undefined])[] = [
  ...STATUSES.map(
    (status) =>
      [
        `${status}`,
        reply(status),
        OF_STATUS[status] ?? OF_DIGIT[Math.min(6, Math.floor(status / 100))],
      ] as const,
  ),
  ['a cut', network('ECONNRESET'), expected('connectionFailed', 'repeatable', 'at work')],
  ['no connection', network('ECONNREFUSED', true), expected('connectionRefused', 'all', 'no')],
  ['no host', network('ENOTFOUND', true), expected('hostNotFound', 'all', 'no')],
  ['no look-up', network('EAI_AGAIN', true), expected('hostNotFound', 'all', 'no')],
  [
    'a refused connection of a later attempt',
    network('ECONNREFUSED'),
    expected('connectionRefused', 'repeatable', 'at work'),
  ],
  ['a time-out', new TransportFailure('timeout'), expected('noResponse', 'repeatable', 'at work')],
  ['a refused certificate', network('CERT_HAS_EXPIRED', true), expected('untrusted', 'none', 'no')],
  ['a refused certificate over fetch', network('CERT_HAS_EXPIRED'), expected('untrusted', 'none', 'maybe')],
  ['an abort of the host', new TransportFailure('aborted'), expected('stopped', 'none', 'maybe')],
];

/** A client over a transport whose requests end so; the last end stays in force. */
function scripted(ends: readonly End[], options: Partial<AudienceApiOptions> = {}) {
  const runtime = createTestRuntime();
  const seen = { requests: 0 };
  const audience = new AudienceApi({
    baseUrl: 'https://api.example.com',
    runtime,
    transport: ({ method }) => {
      // After an unclear attempt to create a property, the client reads the list.
      if (method !== 'GET') seen.requests += 1;
      const end = method === 'GET' ? reply(404) : ends[Math.min(seen.requests, ends.length) - 1];
      return end instanceof TransportFailure ? Promise.reject(end) : Promise.resolve(end ?? reply(200));
    },
    ...options,
  });
  const send = () => audience.transactional.send({ email: 'ada@example.com', transactionalId: 't' });
  return { audience, runtime, seen, send };
}

const CALLS: Readonly<Record<string, (audience: AudienceApi) => Promise<unknown>>> = {
  repeatable: (audience) => audience.contacts.update('ada', { firstName: 'Ada' }),
  keyed: (audience) => audience.events.send({ email: 'ada@example.com', eventName: 'e' }),
  unrepeatable: (audience) => audience.properties.create({ name: 'plan', type: 'string' }),
};

test.each(ENDS)('%s', async (_, end, expectation) => {
  const again: string[] = [];
  for (const [kind, call] of Object.entries(CALLS)) {
    const { audience, seen } = scripted([end, reply(200)]);
    await call(audience).catch(() => undefined);
    if (seen.requests === 2) again.push(kind);
  }
  const failed: unknown = await scripted([end], { maxRetries: 0 })
    .send()
    .catch((error: unknown) => error);
  if (!AudienceError.is(failed)) throw new Error('The call has not failed.');
  const afterwards = scripted([end, reply(409), reply(200)]);
  await afterwards.send().catch(() => undefined);
  const afterTimeout = scripted([new TransportFailure('timeout'), end, reply(200)]);
  await afterTimeout.send().catch(() => undefined);
  expect({
    code: failed.code,
    again: { 0: 'none', 2: 'repeatable', 3: 'all' }[again.length],
    unclear: failed.unclear,
    isAtWork: afterwards.seen.requests === 3,
    isAgainAfterTimeout: afterTimeout.seen.requests === 3,
  }).toEqual({
    ...expectation,
    isAtWork: expectation?.isAtWork === true && expectation.again !== 'none',
    isAgainAfterTimeout: expectation?.again !== 'none' || expectation.code === 'conflict',
  });
});

test.each([
  [0, [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]],
  [0.999_999, [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]],
])('waits with the random number %d', async (random, waits) => {
  const { runtime, send } = scripted([reply(503)], { maxRetries: 7 });
  const spy = jest.spyOn(runtime, 'random').mockReturnValue(random);
  await send().catch(() => undefined);
  spy.mockRestore();
  expect(runtime.sleeps).toEqual(waits);
});

test.each<[number, string | undefined, number[]]>([
  [429, undefined, [375, 750, 1_500, 3_000]],
  [429, '0', [375, 750, 1_500, 3_000]],
  [429, '1', [1_000, 1_000, 1_000, 1_000]],
  [503, '1', [1_000, 1_000, 1_500, 3_000]],
])(
  'after a %i that names %s, a 429 waits as long as it names, another at least as long',
  async (status, named, waits) => {
    const { runtime, send } = scripted([...Array<End>(4).fill(reply(status, named)), reply(200)]);
    await send();
    expect(runtime.sleeps).toEqual(waits);
  },
);

test('a call without a key is not tried again after a 409, and a read is never unclear', async () => {
  const ends = [new TransportFailure('timeout'), reply(409), reply(200)];
  const { audience } = scripted(ends);
  const update = audience.contacts.update('ada', {});
  await expect(update).rejects.toMatchObject({ code: 'conflict', attempts: 2, unclear: true });
  const transport = () => Promise.reject(network('ECONNRESET'));
  const read = scripted([], { transport, maxRetries: 0 }).audience.contacts.get('ada');
  await expect(read).rejects.toMatchObject({ code: 'connectionFailed', unclear: false });
});

test.each([1, 2, 3])('an outage of ten seconds fails at most 3%% of 500 calls: seed %i', async (seed) => {
  const time = new VirtualTime(seed);
  const from = time.now();
  const transport = async (): Promise<TransportResponse> => {
    await time.sleep(5);
    if (time.now() - from < 10_000) throw network('ECONNREFUSED', true);
    return reply(200);
  };
  const audience = new AudienceApi({ baseUrl: 'https://api.example.com', runtime: time, transport });
  let failed = 0;
  const send = async (_: unknown, call: number): Promise<void> => {
    await time.sleep(call * 20);
    await audience.contacts.update('ada', {}).catch(() => (failed += 1));
  };
  await time.run(Promise.all(Array.from({ length: 500 }, send)));
  expect(failed).toBeLessThanOrEqual(15);
});
