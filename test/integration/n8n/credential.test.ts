import { createServer, type Server } from 'node:http';
import { listen } from '../../hosts/ports.js';
import { fastClockForTests } from './clocks.js';
import { emailParameters, NODE_TYPE, people, setUpForFile, writes } from './support.js';

fastClockForTests(10);
const setup = setUpForFile();
let other: Server;
let otherUrl: string;
beforeAll(async () => {
  other = createServer((_request, response) => {
    response.end('<html>hello</html>');
  });
  otherUrl = `http://127.0.0.1:${await listen(other)}`;
});
afterAll(() => other.close());

interface Data {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** What is wrong with a credential that no run could work with, and what is said of it. */
const BAD: [string, (good: Data) => Partial<Data>, RegExp][] = [
  ['no address', () => ({ baseUrl: '' }), /'Base URL' is not the URL of a service/],
  ['http to others', () => ({ baseUrl: 'http://api.example.com' }), /'Allow Unencrypted Connection'/],
  ['a line break in the key', () => ({ apiKey: 'a\nkey' }), /'API Key' has a space/],
  ['the key of another account', () => ({ apiKey: 'another' }), /\(401\)/],
  ['nothing listens there', () => ({ baseUrl: 'http://127.0.0.1:9' }), /nothing listens at http:\/\/127/],
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

    const { error } = await setup.run(emailParameters(), people(1), {
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
    const { error } = await setup.run(emailParameters(), people(1), {
      credentials: { audienceApi: data },
    });
    expect(error).toBeUndefined();
  },
);
