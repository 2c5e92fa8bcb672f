import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { call, forFile, refused } from './call.js';

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
  test.each(['attacker.example', 'attacker.example:4010', 'localhost.attacker.example'])(
    '%s is refused everywhere',
    async (host) => {
      for (const path of ['/', '/v1/transactional', '/__sandbox/status', '/inbox/inbox.js']) {
        const answer = await get(path, { Host: host, Authorization: `Bearer ${sandbox.apiKey}` });
        expect(answer.status).toBe(403);
        expect(answer.body).toContain('--allow-host');
      }
    },
  );

  test.each([
    'localhost',
    'localhost:4010',
    '127.0.0.1:1',
    '[::1]:4010',
    '192.168.0.7',
    'sandbox.test',
    'SANDBOX.test:80',
  ])('%s is accepted', async (host) => {
    expect((await get('/__sandbox/status', { Host: host })).status).toBe(200);
  });
});

describe('the control plane', () => {
  test.each<Record<string, string>>([
    { Origin: 'https://attacker.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('refuses another origin: %j', async (headers) => {
    expect((await get('/__sandbox/status', headers)).status).toBe(403);
    const post = await call(sandbox, 'POST', '/__sandbox/reset', { headers });
    expect(post.status).toBe(403);
    expect(post.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('accepts requests of its own page and of programs', async () => {
    expect(
      (await get('/__sandbox/status', { Origin: sandbox.url, 'Sec-Fetch-Site': 'same-origin' })).status,
    ).toBe(200);
    expect((await get('/__sandbox/status', {})).status).toBe(200);
  });
});

describe('bodies', () => {
  const send = (raw: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>) =>
    call(sandbox, 'POST', '/v1/events/send', { raw, headers });

  test('over 1 MiB are refused', async () => {
    expect((await send(`{"email":"${'a'.repeat(1024 * 1024)}"}`)).body).toEqual(refused(/larger than 1 MiB/));
  });

  test('over 1 MiB, in chunks without a length, are refused', async () => {
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

  test('of bad UTF-8, bad JSON, another type, and empty bodies are refused', async () => {
    expect((await send(new Uint8Array([0x7b, 0xff, 0x7d]))).body).toEqual(refused(/UTF-8/));
    expect((await send('{"a":')).body).toEqual(refused(/not valid JSON/));
    expect((await send('')).body).toEqual(refused(/empty/));
    expect((await send('{}', { 'Content-Type': '' })).status).toBe(415);
    expect((await send(' ')).body).toEqual(refused(/empty/));
    expect((await send('"text"')).status).toBe(400);
    expect((await send('email=a', { 'Content-Type': 'application/x-www-form-urlencoded' })).body).toEqual(
      refused(/Content-Type: application\/json/),
    );
  });

  test('with names such as __proto__ do no harm', async () => {
    expect((await send('{"email":"a@b.c","eventName":"e","__proto__":{"x":1}}')).status).toBe(400);
    expect((await send('{"email":"a@b.c","eventName":"e","constructor":"x"}')).body).toEqual(
      refused(/no contact property 'constructor'/),
    );
    for (const nested of [
      '"eventProperties":{"__proto__":"x"}',
      '"subscriptionGroups":{"__proto__":true}',
      '"subscriptionGroups":{"\\u005f_proto__":true}',
    ]) {
      expect((await send(`{"email":"proto@b.c","eventName":"signedUp",${nested}}`)).body).toEqual(
        refused(/field '__proto__'/),
      );
    }
    expect((await call(sandbox, 'GET', '/v1/contacts/proto%40b.c')).status).toBe(404);
    const named = '{"email":"a@b.c","eventName":"signedUp","firstName":"__proto__ \\u00e9"}';
    expect((await send(named)).status).toBe(200);
  });
});

test('a request that is not HTTP gets a clear error', async () => {
  expect(await talk('this is not HTTP\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 .*"This is not a valid HTTP request\."/s,
  );
  expect(await talk(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 /,
  );
});

test('a client that disconnects in the middle of its body does no harm', async () => {
  await new Promise<void>((resolve) => {
    const socket = connect(sandbox.port, '127.0.0.1', () => {
      socket.write('POST /v1/events/send HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"a', () =>
        socket.destroy(),
      );
    });
    socket.on('close', () => resolve());
  });
  expect((await get('/__sandbox/status', {})).status).toBe(200);
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
    for (const path of [
      '/inbox/../package.json',
      '/inbox/%2e%2e/package.json',
      '/inbox/',
      '/inbox/src/main.ts',
    ]) {
      expect((await get(path, {})).status).toBe(401);
    }
  });
});
