import { NetworkError } from '../errors.js';
import {
  AudienceApi,
  TransportFailure,
  type AudienceApiOptions,
  type CallOptions,
  type TransportRequest,
  type TransportResponse,
} from '../internal.js';
import { endOf } from '../../testing/ends.js';
import { createTestRuntime, type TestRuntime } from '../../testing/test-runtime.js';
import { VirtualTime } from '../../testing/virtual-time.js';

type Step = TransportResponse | Error;

const ok = (body: unknown = { id: 'c', success: true }): TransportResponse => reply(200, body);
const reply = (
  status: number,
  body: unknown = '',
  headers: Record<string, string> = {},
): TransportResponse => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const network = (networkCode?: string) => new TransportFailure('network', { networkCode });

/** A client over a transport that does what the steps say; the last one stays in force. */
function scripted(steps: readonly Step[], options: Partial<AudienceApiOptions> = {}) {
  const runtime: TestRuntime = createTestRuntime();
  const sent: (TransportRequest & { at: number })[] = [];
  const from = runtime.now();
  const audience = new AudienceApi({
    baseUrl: 'https://api.example.com',
    runtime,
    transport: (request) => {
      sent.push({ ...request, at: runtime.now() - from });
      const step = steps[Math.min(sent.length, steps.length) - 1] ?? ok();
      return step instanceof Error ? Promise.reject(step) : Promise.resolve(step);
    },
    ...options,
  });
  return { audience, runtime, sent };
}

describe('the request for a transport', () => {
  test('a GET has no body, content type or signal', async () => {
    const { audience, sent } = scripted([ok()], { userAgent: 'test-agent' });
    await audience.contacts.get('a');
    expect(sent).toEqual([
      {
        method: 'GET',
        url: 'https://api.example.com/v1/contacts/a',
        headers: { accept: 'application/json', 'user-agent': 'test-agent' },
        timeoutMs: 30_000,
        at: 0,
      },
    ]);
  });

  test('has the signal and the time until the deadline', async () => {
    const { signal } = new AbortController();
    const { audience, sent } = scripted([reply(503, '', { 'retry-after': '3' }), ok()]);
    await audience.contacts.get('a', { signal, timeoutMs: 8_000, deadlineMs: 10_000 });
    expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([8_000, 7_000]);
    expect(sent[0]?.signal?.aborted).toBe(false);
  });

  test("another error of a transport is a network error without the transport's text", async () => {
    const { audience, sent } = scripted([new Error('Bearer of bad news')], { maxRetries: 1 });
    const error: unknown = await audience.contacts.get('a').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NetworkError);
    expect(String(error)).not.toContain('bad news');
    expect(sent).toHaveLength(2);
  });
});

describe('the end of a call', () => {
  test.each<[string, Step, boolean]>([
    ['a 2xx that cannot be read', reply(200, 'ok'), true],
    ['a rejection', ok({ success: false }), false],
  ])('after %s the error is unclear if the call may have been carried out', async (_what, step, unclear) => {
    const { audience, sent } = scripted([step]);
    const call = audience.transactional.send({ email: 'a@b.c', transactionalId: 't' });
    await expect(call).rejects.toMatchObject({ unclear });
    expect(sent).toHaveLength(1);
  });

  test('any 2xx with a valid body is a success', async () => {
    for (const status of [200, 201, 299]) {
      expect(await scripted([reply(status, { id: 'c' })]).audience.contacts.get('a')).toEqual({ id: 'c' });
    }
  });
});

describe('limits', () => {
  /** A client in virtual time; `respond` says what comes of each request, which takes 10 ms. */
  function inTime(respond: (request: number) => Step, options: Partial<AudienceApiOptions> = {}) {
    const time = new VirtualTime();
    const from = time.now();
    const sent: { at: number; timeoutMs: number }[] = [];
    const load = { now: 0, most: 0 };
    const audience = new AudienceApi({
      baseUrl: 'https://api.example.com',
      runtime: time,
      transport: async ({ timeoutMs }) => {
        sent.push({ at: time.now() - from, timeoutMs });
        const step = respond(sent.length);
        load.most = Math.max(load.most, (load.now += 1));
        await time.sleep(10);
        load.now -= 1;
        if (step instanceof Error) throw step;
        return step;
      },
      ...options,
    });
    return { audience, time, sent, load };
  }
  const calls = (audience: AudienceApi, count: number) =>
    Promise.allSettled(Array.from({ length: count }, () => audience.contacts.get('a')));

  test('concurrency is kept, through failures too', async () => {
    const respond = (request: number) => (request % 3 === 0 ? network('ECONNRESET') : ok());
    const { audience, time, load } = inTime(respond, { concurrency: 3 });
    const work = calls(audience, 30);
    await time.run(work);
    expect((await work).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(load).toEqual({ now: 0, most: 3 });
  });

  test('waiting for a turn takes no time of a call', async () => {
    const { audience, time, sent } = inTime(() => ok(), { requestsPerSecond: 1, deadlineMs: 1_500 });
    const work = calls(audience, 4);
    expect(await time.run(work)).toBe(3_010);
    expect((await work).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([1_500, 1_500, 1_500, 1_500]);
  });

  test.each([reply(429), reply(503), reply(409), network('ECONNRESET')])(
    'maxRetries: 0 means no second request',
    async (step) => {
      const { audience } = scripted([step, ok()], { maxRetries: 0 });
      await expect(audience.contacts.update('a', {})).rejects.toMatchObject({ attempts: 1 });
    },
  );

  test('a 409 is retried for 30 s after a time-out, and Retry-After is obeyed', async () => {
    const { audience, sent } = scripted([
      new TransportFailure('timeout'),
      reply(409, '', { 'retry-after': '7' }),
    ]);
    const call = audience.transactional.send({ email: 'a@b.c', transactionalId: 't' });
    await expect(call).rejects.toMatchObject({ code: 'conflict', unclear: true, attempts: 6 });
    const waits = sent.slice(2).map(({ at }, index) => at - (sent[index + 1]?.at ?? 0));
    expect(waits).toEqual([7_000, 7_000, 7_000, 7_000]);
  });

  test('409 and 429 responses use up no retries', async () => {
    const steps = [502, 409, 503, 409, 429, 409, 503].map((status) => reply(status));
    const { audience } = scripted([...steps, ok()], { maxRetries: 3 });
    const sent = audience.transactional.send({ email: 'a@b.c', transactionalId: 't' });
    expect(await sent).toMatchObject({ success: true, attempts: 8 });
  });

  test('no attempt begins after the deadline', async () => {
    const { audience, sent } = scripted([network('ECONNRESET')], { deadlineMs: 1_000, maxRetries: 50 });
    const call = audience.contacts.get('a');
    await expect(call).rejects.toMatchObject({ code: 'connectionFailed', networkCode: 'ECONNRESET' });
    expect(sent.at(-1)?.at).toBeLessThan(1_000);
  });

  test('an error has the headers of the response, without its cookies', async () => {
    const { audience } = scripted([reply(400, '', { 'x-limit': '9', 'set-cookie': 'a=b' })]);
    await expect(audience.contacts.get('a')).rejects.toHaveProperty('headers', { 'x-limit': '9' });
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('a fault of the hook'))],
    ['throws', () => JSON.parse('no JSON') as unknown],
  ])('onAttempt gets each attempt, and changes nothing where it %s', async (_what, fail) => {
    const seen: unknown[] = [];
    const onAttempt = (attempt: unknown) => {
      seen.push(attempt);
      return fail();
    };
    const { audience } = scripted([reply(503), ok()], { onAttempt });
    await audience.contacts.get('a');
    const facts = { method: 'GET', path: '/v1/contacts/a', milliseconds: 0 };
    expect(seen).toEqual([
      { ...facts, attempt: 1, status: 503 },
      { ...facts, attempt: 2, status: 200 },
    ]);
  });
});

test('stop() ends calls under way, and no waiting or later call begins', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<TransportResponse>();
  let sent = 0;
  const { audience } = scripted([], {
    concurrency: 1,
    transport: () => {
      sent += 1;
      return held;
    },
  });
  const underWay = audience.contacts.update('a@example.com', { firstName: 'A' });
  const waiting = audience.contacts.update('b@example.com', { firstName: 'B' });
  audience.stop();
  const stopped = { name: 'AbortedError', code: 'stopped', attempts: 0 };
  await expect(waiting).rejects.toMatchObject(stopped);
  await expect(audience.contacts.get('c@example.com')).rejects.toMatchObject(stopped);
  release(ok());
  await expect(underWay).resolves.toMatchObject({ id: 'c' });
  expect(sent).toBe(1);
});

test.each<[string, (audience: AudienceApi, caller: AbortController) => void]>([
  ['stop()', (audience) => audience.stop()],
  ["the caller's signal", (_audience, caller) => caller.abort()],
])('%s ends the wait before another attempt', async (_what, end) => {
  const { promise: waits, resolve: begin } = Promise.withResolvers<unknown>();
  const sleep = (_milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve());
      begin(undefined);
    });
  const { audience } = scripted([reply(503)], { runtime: { ...createTestRuntime(), sleep } });
  const caller = new AbortController();
  const call = audience.contacts.get('a', { signal: caller.signal });
  await waits;
  end(audience, caller);
  await expect(call).rejects.toMatchObject({ name: 'AbortedError', attempts: 1 });
});

/** Refusals of a call with a key, as services write them. What they say must change nothing. */
test.each([
  [409, '{"message":"Idempotency key has been used in the last 24 hours."}'],
  [409, '{"code":"23505","message":"duplicate key value violates unique constraint \\"requests_key\\""}'],
  [409, ''],
  [422, '{"title":"Idempotency-Key is already used"}'],
  [400, '{"error":{"type":"idempotency_error","message":"Keys can only be used with the same parameters."}}'],
  [429, '{"error":{"code":"lock_timeout"}}'],
  [404, '{"message":"Transactional email not found"}'],
  [403, '<!DOCTYPE html><title>Attention Required!</title>'],
])('a %i that says %j: words decide nothing', async (status, body) => {
  for (const usedKeyStatus of [undefined, 409, 422]) {
    const end = (before: readonly Step[], own?: CallOptions) => {
      const { audience } = scripted([...before, reply(status, body)], { usedKeyStatus });
      return endOf(audience.transactional.send({ email: 'a@b.c', transactionalId: 't' }, own));
    };
    const isUsed = status === usedKeyStatus;
    expect(await end([])).toBe('not sent');
    for (const before of [network('ECONNRESET'), reply(500)])
      expect(await end([before])).toBe(isUsed ? 'deduplicated' : 'unclear');
    // What was carried out with a key of the caller's own is this very email.
    for (const earlierRequest of [undefined, true, false]) {
      const otherwise = earlierRequest === false ? 'not sent' : 'unclear';
      expect(await end([], { idempotencyKey: 'order-1', earlierRequest })).toBe(
        isUsed ? 'deduplicated' : otherwise,
      );
    }
  }
});
