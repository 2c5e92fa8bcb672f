import { answer, startScriptedServer } from '../../testing/scripted-server.js';
import type { ScriptedServer } from '../../testing/scripted-server.js';
import { AudienceClient } from '../index.js';

let server: ScriptedServer;
let audience: AudienceClient;
beforeAll(async () => {
  server = await startScriptedServer();
  audience = new AudienceClient({ baseUrl: server.url, apiKey: 'key', maxRetries: 1 });
});
beforeEach(() => {
  server.received.length = 0;
});
afterAll(async () => {
  audience.close();
  await server.close();
});

test('request() has the same retries and errors as a method', async () => {
  server.script(answer(503), answer(200, [{ id: 't1' }]));
  const query = { perPage: 50, cursor: undefined };
  expect(await audience.request('GET', '/v1/teams', { query })).toEqual([{ id: 't1' }]);
  expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v1/teams?perPage=50',
    'GET /v1/teams?perPage=50',
  ]);
  expect(server.received[0]?.headers.authorization).toBe('Bearer key');
});

test('a write is repeated only with a key', async () => {
  server.script(answer(503));
  const request = { body: { name: 'Team' } };
  await expect(audience.request('POST', '/v1/teams', request)).rejects.toMatchObject({
    attempts: 1,
    unclear: true,
  });
  server.script(answer(503), answer(200, { success: true }));
  await audience.request('POST', '/v1/teams', request, { idempotencyKey: 'team-1' });
  expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual([
    undefined,
    'team-1',
    'team-1',
  ]);
  expect(server.received[1]?.body).toBe('{"name":"Team"}');
});

test.each(['v1/teams', '/v1/teams?perPage=1', '', '@elsewhere.example/'])(
  'a path %j is refused, as the key could go elsewhere',
  async (path) => {
    await expect(audience.request('GET', path)).rejects.toThrow("'path' must begin with '/'");
    expect(server.received).toHaveLength(0);
  },
);
