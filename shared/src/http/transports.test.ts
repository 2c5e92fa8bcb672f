import { gzipSync } from 'node:zlib';
import { failureOf } from '../../testing/ends.js';
import { answer, forEachTest, type Reaction, type ScriptedServer } from '../../testing/scripted-server.js';
import { createTestRuntime } from '../../testing/test-runtime.js';
import { AudienceClient as FetchClient } from '../fetch.js';
import { AudienceApi } from '../internal.js';
import { fetchTransport } from './fetch-transport.js';
import { axiosTransport } from './axios-transport.js';
import { Agent } from 'node:http';
import { LONGEST_TIMER_MS, systemRuntime } from './runtime.js';

const API_KEY = 'key-that-nobody-may-see';
const MAIL = { email: 'ada@example.com', transactionalId: 't' };

let server: ScriptedServer;
forEachTest((started) => (server = started));

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

describe.each([
  ['fetch', () => fetchTransport(API_KEY)],
  [
    'axios',
    () => axiosTransport({ apiKey: API_KEY, httpAgent: agent, httpsAgent: agent, proxyFromEnv: false }),
  ],
])('the transport over %s', (_name, transport) => {
  const client = () =>
    new AudienceApi({
      ...{ baseUrl: server.url, transport: transport() },
      ...{ runtime: createTestRuntime(), maxRetries: 1 },
    });

  test('sends method, body and key, and gives status, headers and body', async () => {
    server.script(answer(200, { success: true }, { 'X-Request-Id': 'r-1' }));
    const { data, response } = await client().transactional.send(MAIL).withResponse();
    expect(response).toMatchObject({
      ...{ status: 200, headers: { 'x-request-id': 'r-1' }, body: '{"success":true}' },
      idempotencyKey: data.idempotencyKey,
    });
    expect(server.received[0]).toMatchObject({ method: 'POST', body: JSON.stringify(MAIL) });
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
  });

  test('an abort ends the request at once', async () => {
    const controller = new AbortController();
    server.script(() => controller.abort('enough'));
    const error = await failureOf(client().transactional.send(MAIL, { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'aborted', cause: 'enough', attempts: 1, unclear: true });
  });

  test('a time-out ends the request, and is named', async () => {
    server.script(() => undefined);
    const error = await failureOf(client().transactional.send(MAIL, { timeoutMs: 30, maxRetries: 0 }));
    expect(error).toMatchObject({ code: 'noResponse', timeLimitMs: 30, attempts: 1, unclear: true });
  });

  const html = '<html><title>502 Bad Gateway</title></html>';
  const zipped = gzipSync(JSON.stringify({ success: true }));
  const gzip = { 'content-encoding': 'gzip' };
  const bytes =
    (status: number, body: Buffer, headers: Record<string, string> = gzip): Reaction =>
    (_request, response) =>
      response.writeHead(status, headers).end(body);

  test.each<[string, Reaction, object]>([
    ['a byte order mark', answer(200, '\ufeff{"success":true}'), { success: true, attempts: 1 }],
    ['a gzip', bytes(200, zipped), { success: true, attempts: 1 }],
    ['a gzip that lost its check sum', bytes(200, zipped.subarray(0, -8)), { success: true, attempts: 1 }],
    ['a gzip that was cut', bytes(200, zipped.subarray(0, -12)), { code: 'notJson', unclear: true }],
    ['no gzip', bytes(200, Buffer.from('{}')), { code: 'connectionFailed', unclear: true }],
    ['an empty body called a gzip', bytes(200, Buffer.alloc(0)), { code: 'notJson', unclear: true }],
    ['a body of blanks', answer(200, ' \n'), { code: 'notJson', attempts: 1, unclear: true }],
    ['no content', bytes(204, Buffer.alloc(0), {}), { code: 'notJson', attempts: 1, unclear: true }],
    ['broken JSON', answer(200, '{"success":tr'), { code: 'notJson', attempts: 1, unclear: true }],
    ['a web page', answer(200, html), { code: 'notJson', attempts: 1, unclear: true }],
    ["a proxy's web page", answer(502, html), { code: 'serviceFailed', attempts: 2, unclear: true }],
    ['a zipped refusal', bytes(400, zipped), { code: 'refused', bodySnippet: '{"success":true}' }],
    ['a redirect', answer(307, '', { location: 'http://127.0.0.1:9/' }), { code: 'redirect', attempts: 1 }],
  ])('%s has the same outcome', async (_what, reaction, outcome) => {
    server.script(reaction);
    const end: unknown = await client()
      .transactional.send(MAIL)
      .catch((error: unknown) => error);
    expect(end).toMatchObject(outcome);
  });
});

test('an abort ends a wait', async () => {
  await systemRuntime.sleep(LONGEST_TIMER_MS, AbortSignal.timeout(1));
  await systemRuntime.sleep(LONGEST_TIMER_MS, AbortSignal.abort());
});

test('the client over fetch uses the fetch that is there when it sends', async () => {
  const audience = new FetchClient({ baseUrl: server.url, apiKey: API_KEY });
  const double = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{"id":"double"}'));
  try {
    expect(await audience.contacts.get('u')).toEqual({ id: 'double' });
  } finally {
    double.mockRestore();
  }
  expect(server.received).toEqual([]);
});
