import { createServer, type Server } from 'node:http';
import { listen } from '../../hosts/ports.js';
import { fastClockForTests } from './fast-clock.js';
import { emailParameters, NODE_TYPE, setUp, writes, type Setup } from './support.js';

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

interface Data {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** What is wrong with a credential that no run could work with, and what is said of it. */
const BAD: [string, (good: Data) => Partial<Data>, RegExp][] = [
  ['no address', () => ({ baseUrl: '' }), /'Base URL' is missing/],
  ['no URL', () => ({ baseUrl: 'api.example.com' }), /'Base URL' is not a URL/],
  ['http to others', () => ({ baseUrl: 'http://api.example.com' }), /'Allow Unencrypted Connection'/],
  ['no key', () => ({ apiKey: '' }), /'API Key' is missing/],
  [
    'a line break in the key',
    ({ apiKey }) => ({ apiKey: `${apiKey.slice(0, 3)}\n${apiKey.slice(3)}` }),
    /'API Key' has a space/,
  ],
  ['the key of another account', () => ({ apiKey: 'another' }), /\(401\)/],
  ['nothing listens there', () => ({ baseUrl: 'http://127.0.0.1:9' }), /nothing listens at http:\/\/127/],
  ['no such host', () => ({ baseUrl: 'https://no-such-host.invalid' }), /cannot be found/],
  [
    'no TLS',
    ({ baseUrl }) => ({ baseUrl: baseUrl.replace('http:', 'https:') }),
    /the connection to https:\S+ failed/,
  ],
  ['another service', () => ({ baseUrl: otherUrl }), /Check the 'Base URL'/],
  ['nothing of the service', ({ baseUrl }) => ({ baseUrl: `${baseUrl}/elsewhere` }), /\(404\)/],
];

const good = () => ({ baseUrl: setup.sandbox.url, apiKey: setup.sandbox.apiKey });

test.each(BAD)(
  '%s: the test of the credential and a run give the same message',
  async (_what, of, message) => {
    const data = { ...good(), ...of(good()) };
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

test.each([...['/', '/v1', '/v1/ '].map((end) => [end, '']), ['', ' '], ['', '\n']])(
  'a credential with %j at the end of its URL and %j of its key works in both',
  async (end, blank) => {
    const data = { baseUrl: `${setup.sandbox.url}${end}`, apiKey: `${setup.sandbox.apiKey}${blank}` };
    const tested = await setup.n8n.testCredential(NODE_TYPE, 'audienceApiTest', data);
    expect(tested).toEqual({ status: 'OK', message: 'The service accepts this API key.' });
    const { error } = await setup.run(emailParameters(), [{ email: 'ada@example.com', firstName: 'Ada' }], {
      credentials: { audienceApi: data },
    });
    expect(error).toBeUndefined();
  },
);
