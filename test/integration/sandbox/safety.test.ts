import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { call, callsOf, forFile, refused, text } from './call.js';

let sandbox: RunningSandbox;
forFile(async () => (sandbox = await startSandbox({ allowedHosts: ['sandbox.test'] })));

/** A request with headers that fetch does not let one set. */
function get(path: string, headers: Readonly<Record<string, string>>) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>(
    (resolve, reject) => {
      const sent = request(sandbox.url + path, { headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part: string) => (body += part));
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
      });
      sent.on('error', reject).end();
    },
  );
}

/** Bytes as they are, and what comes back until the connection ends. */
function talk(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(sandbox.port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

test('the sandbox listens on this machine only', () => {
  expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
});

describe('host names that a web page could have pointed here', () => {
  test.each(['attacker.example:4010', 'localhost.attacker.example'])(
    '%s is refused everywhere',
    async (host) => {
      for (const path of ['/', '/v1/transactional', '/__sandbox/status', '/inbox/inbox.js']) {
        const answer = await get(path, { Host: host, Authorization: `Bearer ${sandbox.apiKey}` });
        expect([answer.status, answer.body]).toEqual([403, text(/--allow-host/)]);
      }
    },
  );

  test.each(['localhost:4010', '127.0.0.1:1', '[::1]:4010', '192.168.0.7', 'SANDBOX.test:80'])(
    '%s is accepted',
    async (host) => {
      expect((await get('/__sandbox/status', { Host: host })).status).toBe(200);
    },
  );
});

test.each<[boolean, Record<string, string>]>([
  [false, { Origin: 'https://attacker.example' }],
  [false, { Origin: 'null' }],
  [false, { Origin: 'http://127.0.0.1:1' }],
  [false, { 'Sec-Fetch-Site': 'same-site' }],
  [false, { 'Sec-Fetch-Site': 'cross-site' }],
  [true, { Origin: 'its own', 'Sec-Fetch-Site': 'same-origin' }],
  [true, {}],
])('the control plane is open (%j) to a request with %j', async (isOpen, given) => {
  const headers = given['Origin'] === 'its own' ? { ...given, Origin: sandbox.url } : given;
  const status = isOpen ? 200 : 403;
  expect((await get('/__sandbox/status', headers)).status).toBe(status);
  const post = await call(sandbox, 'POST', '/__sandbox/reset', { headers });
  expect(post.status).toBe(status);
  expect(post.headers.get('access-control-allow-origin')).toBeNull();
});

describe('bodies', () => {
  const send = (raw: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>) =>
    call(sandbox, 'POST', '/v1/events/send', { raw, headers });

  test('over 1 MiB are refused, in chunks without a length too', async () => {
    expect((await send(`{"email":"${'a'.repeat(1024 * 1024)}"}`)).body).toEqual(refused(/larger than 1 MiB/));
    const answer = await talk(
      `POST /v1/events/send HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${'10000\r\n'.concat('a'.repeat(65_536), '\r\n').repeat(17)}0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('nested deeply are refused', async () => {
    const depth = 100_000;
    expect((await send(`{"eventProperties":${'['.repeat(depth)}${']'.repeat(depth)}}`)).body).toEqual(
      refused(/levels deep/),
    );
    expect((await send(`{"email":"a@b.c","eventName":"${'['.repeat(depth)}"}`)).status).toBe(200);
  });

  test.each<[string | Uint8Array<ArrayBuffer>, Record<string, string>, number, RegExp]>([
    [new Uint8Array([0x7b, 0xff, 0x7d]), {}, 400, /UTF-8/],
    ['{"a":', {}, 400, /not valid JSON/],
    [' ', {}, 400, /empty/],
    ['"text"', {}, 400, /object/],
    ['{}', { 'Content-Type': '' }, 415, /Content-Type: application\/json/],
    ['a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415, /Content-Type: application\/json/],
    ['{"email":"a@b.c","eventName":"e","constructor":"x"}', {}, 400, /no contact property 'constructor'/],
    ['{"__proto__":{"x":1}}', {}, 400, /field '__proto__'/],
    ['{"eventProperties":{"\\u005f_proto__":"x"}}', {}, 400, /field '__proto__'/],
  ])('%j with %j is refused', async (raw, headers, status, message) => {
    expect(await send(raw, headers)).toMatchObject({ status, body: refused(message) });
  });

  test('may have such a name as a value', async () => {
    const named = '{"email":"a@b.c","eventName":"signedUp","firstName":"__proto__ \\u00e9"}';
    expect((await send(named)).status).toBe(200);
  });
});

test('a request that is not HTTP gets a clear error', async () => {
  expect(await talk('not HTTP\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*"This is not a valid HTTP request\."/s);
  const long = `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`;
  expect(await talk(long)).toMatch(/^HTTP\/1\.1 431 /);
});

test('slow clients get a clear error, and do not delay others', async () => {
  const post = 'POST /v1/events/send HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  const slow = Promise.all([
    talk('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow'),
    talk(`${post}Content-Length: 100\r\n\r\n{"email":`),
    talk(`${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{`),
  ]);
  expect((await get('/__sandbox/status', {})).status).toBe(200);
  for (const answer of await slow) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"The request did not arrive in time\."/s);
  }
}, 30_000);

test('a slow client that never closes its connection is cut off', async () => {
  const started = performance.now();
  await new Promise<void>((resolve) => {
    // Takes the answer, keeps its own half open, and goes on sending for as long as anybody listens.
    const socket = connect({ port: sandbox.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => socket.destroy()).on('close', () => resolve());
    socket.on('end', () => {
      const timer = setInterval(() => socket.write('x'), 100);
      socket.on('close', () => clearInterval(timer));
    });
    socket.resume().write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow');
  });
  expect(performance.now() - started).toBeLessThan(20_000);
}, 30_000);

describe('pages', () => {
  test('the inbox runs only its own script and talks only to its own server', async () => {
    const page = await get('/', {});
    const nonce = /nonce="([^"]+)"/.exec(page.body)?.[1] ?? 'none';
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain(`script-src 'nonce-${nonce}';`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect((await get('/', {})).body).not.toContain(nonce);
    expect((await get('/inbox/inbox.js', {})).headers['x-content-type-options']).toBe('nosniff');
  });

  test('only the files of the inbox are served', async () => {
    for (const path of ['/inbox/../package.json', '/inbox/%2e%2e/package.json', '/inbox/src/main.ts'])
      expect((await get(path, {})).status).toBe(401);
  });
});

const BEARER = { Authorization: 'Bearer control-key' };
const basic = (password: string) => ({
  Authorization: `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`,
});

describe('with a control key', () => {
  let locked: RunningSandbox;
  beforeAll(async () => {
    locked = await startSandbox({ controlKey: 'control-key' });
  });
  afterAll(() => locked.close());

  test.each(['/', '/inbox/inbox.js', '/__sandbox/status', '/__sandbox/nothing'])(
    '%s asks for it, as browsers expect',
    async (path) => {
      for (const headers of [{ Authorization: '' }, { Authorization: 'Bearer no' }, basic('no'), {}]) {
        const answer = await call(locked, 'GET', path, { headers });
        expect(answer).toMatchObject({ status: 401, body: refused(/control key/) });
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm/);
      }
    },
  );

  test('it is accepted as a password or a bearer token, but never for the service', async () => {
    for (const headers of [BEARER, basic('control-key')]) {
      expect((await call(locked, 'GET', '/__sandbox/status', { headers })).status).toBe(200);
      expect((await call(locked, 'GET', '/', { headers })).status).toBe(200);
      expect((await call(locked, 'GET', '/v1/subscription-groups', { headers })).status).toBe(401);
    }
    expect((await call(locked, 'GET', '/v1/subscription-groups')).status).toBe(200);
  });
});

const ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.internal === false && one.family === 'IPv4')?.address;

// A machine without any network has nobody to keep out; the unit test of the guard holds there too.
(ADDRESS === undefined ? describe.skip : describe)('on an address of the network', () => {
  const at = (sandbox: RunningSandbox) => ({ ...sandbox, url: `http://${ADDRESS ?? ''}:${sandbox.port}` });

  test('without a control key only the service is open to other machines', async () => {
    const open = await startSandbox({ host: '0.0.0.0' });
    const outside = callsOf(() => at(open));
    for (const path of ['/', '/__sandbox/status', '/__sandbox/export'])
      expect(await outside.get(path)).toMatchObject({ status: 403, body: refused(/--control-key/) });
    expect((await outside.groups()).status).toBe(200);
    expect((await call(open, 'GET', '/__sandbox/status')).body).toMatchObject({ apiKey: open.apiKey });
    await open.close();
  });

  test('with a control key the control plane is open to its users, and does not show the API key', async () => {
    const locked = await startSandbox({ host: '0.0.0.0', controlKey: 'control-key' });
    const status = await call(at(locked), 'GET', '/__sandbox/status', { headers: BEARER });
    expect(status).toMatchObject({ status: 200, body: { apiKey: null } });
    expect(JSON.stringify(status.body)).not.toContain(locked.apiKey);
    expect((await callsOf(() => at(locked)).get('/__sandbox/status')).status).toBe(401);
    await locked.close();
  });
});

test('under a path prefix is everything, and nothing elsewhere', async () => {
  const designs = Array.from({ length: 11 }, (_, index) => ({ id: `d${index}`, name: 'D' }));
  const below = await startSandbox({ prefix: '/tools/audience/', seed: { designs } });
  expect(below.url).toMatch(/\d\/tools\/audience$/);
  const { get: getBelow } = callsOf(() => below);
  expect((await getBelow('/__sandbox/status')).status).toBe(200);
  const nextPage = text(new RegExp(`^${below.url}/v1/transactional\\?`));
  const { body } = await getBelow('/v1/transactional?perPage=10');
  expect(body).toMatchObject({ pagination: { nextPage } });
  const page = String((await getBelow('/')).body);
  const paths = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(2);
  const origin = callsOf(() => ({ ...below, url: new URL(below.url).origin }));
  for (const path of paths) expect((await origin.get(path)).status).toBe(200);
  expect((await getBelow('/inbox/inbox.js')).body).toContain('/tools/audience/__sandbox');
  const outside = { status: 404, body: refused(/is under \/tools\/audience\//) };
  expect(await origin.get('/v1/transactional')).toMatchObject(outside);
  await below.close();
});
