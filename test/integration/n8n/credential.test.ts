import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { listen } from '../../hosts/ports.js';
import { fastClockForTests } from './fast-clock.js';
import { emailParameters, NODE_TYPE, setUp, writes } from './support.js';
import type { Setup } from './support.js';

fastClockForTests(10);
let setup: Setup;
let other: Server;
let otherUrl: string;
beforeAll(async () => {
  setup = await setUp();
  other = createServer((_request, response) => {
    response.end('<html>hello</html>');
  });
  otherUrl = `http://127.0.0.1:${await listen(other)}`;
});
afterAll(async () => {
  other.close();
  await setup.close();
});

/** Address and key of a credential that no run could work with, and what is said of it. */
const BAD: [string, (good: { baseUrl: string; apiKey: string }) => Record<string, string>, RegExp][] = [
  ['no address', (good) => ({ ...good, baseUrl: '' }), /'Base URL' is missing/],
  ['no URL', (good) => ({ ...good, baseUrl: 'api.example.com' }), /'Base URL' is not a URL/],
  [
    'http to another machine',
    (good) => ({ ...good, baseUrl: 'http://api.example.com' }),
    /'Base URL' must begin with https.*'Allow Unencrypted Connection'/,
  ],
  ['no key', (good) => ({ ...good, apiKey: '' }), /'API Key' is missing/],
  [
    'a line break at the end of the key',
    (good) => ({ ...good, apiKey: `${good.apiKey}\n` }),
    /'API Key' holds a space, a line break/,
  ],
  [
    'the key of another account',
    (good) => ({ ...good, apiKey: 'another' }),
    /does not accept the API key \(401\)/,
  ],
  [
    'nothing listens there',
    (good) => ({ ...good, baseUrl: 'http://127.0.0.1:9' }),
    /nothing listens at http:\/\/127\.0\.0\.1:9/,
  ],
  ['no such host', (good) => ({ ...good, baseUrl: 'https://no-such-host.invalid' }), /cannot be found/],
  [
    'another kind of connection',
    (good) => ({ ...good, baseUrl: good.baseUrl.replace('http:', 'https:') }),
    /no trusted connection can be made to/,
  ],
  ['another service', (good) => ({ ...good, baseUrl: otherUrl }), /Check the 'Base URL' of the credential/],
  [
    'nothing of the service',
    (good) => ({ ...good, baseUrl: `${good.baseUrl}/elsewhere` }),
    /not found \(404\)/,
  ],
];

const good = () => ({ baseUrl: setup.sandbox.url, apiKey: setup.sandbox.apiKey });

test.each(BAD)(
  '%s: the test of the credential and a run give the same message',
  async (_what, of, message) => {
    const data = of(good());
    const tested = await setup.n8n.testCredential(NODE_TYPE, 'audienceApiTest', data);
    expect(tested.status).toBe('Error');
    expect(tested.message).toMatch(message);
    expect(tested.message.replace('NODE_EXTRA_CA_CERTS', '')).not.toMatch(/E[A-Z]{4,}|ERR_/);
    expect(tested.message).not.toContain(setup.sandbox.apiKey);

    const { error } = await setup.run(emailParameters(), [{ email: 'ada@example.com', firstName: 'Ada' }], {
      credentials: { audienceApi: data },
    });
    expect(`${error?.message}. ${error?.description}`).toMatch(message);
    expect(writes(setup.sandbox)).toEqual([]);
  },
);

test.each(['/', '/v1', '/v1/'])('a credential with %s at the end of its URL works in both', async (end) => {
  const data = { ...good(), baseUrl: `${setup.sandbox.url}${end}` };
  const tested = await setup.n8n.testCredential(NODE_TYPE, 'audienceApiTest', data);
  expect(tested).toEqual({ status: 'OK', message: 'The service accepts this API key.' });
  const { error } = await setup.run(emailParameters(), [{ email: 'ada@example.com', firstName: 'Ada' }], {
    credentials: { audienceApi: data },
  });
  expect(error).toBeUndefined();
});
