import { createServer } from 'node:http';
import type * as Core from 'audience-core';
import type * as CoreOverFetch from 'audience-core/fetch';
import { listen } from '../../hosts/ports.js';

/** Fake before the client is loaded, as with `fakeTimers: { enableGlobally: true }` in the configuration of jest. */
jest.useFakeTimers();
const { AudienceClient } = jest.requireActual<typeof Core>('audience-core');
const { AudienceClient: FetchClient } = jest.requireActual<typeof CoreOverFetch>('audience-core/fetch');

test.each<[string, (options: Core.AudienceClientOptions) => Pick<Core.AudienceClient, 'contacts'>]>([
  ['axios', (options) => new AudienceClient(options)],
  ['fetch', (options) => new FetchClient(options)],
])('a client that is loaded under fake timers retries and times out: %s', async (_name, connect) => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(503).end();
    else if (requests < 6) response.end('{"id":"c"}');
  });
  const port = await listen(server, '127.0.0.1');
  const options = { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key-0123456789' };
  const audience = connect({ ...options, maxRetries: 1 });
  const calls = Array.from({ length: 4 }, () => audience.contacts.get('ada'));
  expect(await Promise.all(calls)).toEqual(Array(4).fill({ id: 'c' }));
  const late = audience.contacts.get('ada', { timeoutMs: 30, maxRetries: 0 });
  const facts = { name: 'TimeoutError', code: 'noResponse', timeLimitMs: 30, attempts: 1 };
  await expect(late).rejects.toMatchObject(facts);
  server.closeAllConnections();
  server.close();
});
