import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { call, refused } from './call.js';

const BEARER = { Authorization: 'Bearer control-key' };
const basic = (password: string) => ({
  Authorization: `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`,
});

describe('with a control key', () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ controlKey: 'control-key' });
  });
  afterAll(() => sandbox.close());

  test.each(['/', '/inbox/inbox.js', '/__sandbox/status', '/__sandbox/nothing'])(
    '%s asks for it, as browsers expect',
    async (path) => {
      for (const headers of [{ Authorization: '' }, { Authorization: 'Bearer no' }, basic('no'), {}]) {
        const answer = await call(sandbox, 'GET', path, { headers });
        expect(answer).toMatchObject({ status: 401, body: refused(/control key/) });
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm/);
      }
    },
  );

  test('it is accepted as a password or a bearer token, but never for the service', async () => {
    for (const headers of [BEARER, basic('control-key')]) {
      expect((await call(sandbox, 'GET', '/__sandbox/status', { headers })).status).toBe(200);
      expect((await call(sandbox, 'GET', '/', { headers })).status).toBe(200);
      expect((await call(sandbox, 'GET', '/v1/subscription-groups', { headers })).status).toBe(401);
    }
    expect((await call(sandbox, 'GET', '/v1/subscription-groups')).status).toBe(200);
  });
});

const ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.internal === false && one.family === 'IPv4')?.address;

// A machine without any network has nobody to keep out; the unit test of the guard holds there too.
(ADDRESS === undefined ? describe.skip : describe)('on an address of the network', () => {
  const at = (sandbox: RunningSandbox) => ({ ...sandbox, url: `http://${ADDRESS ?? ''}:${sandbox.port}` });

  test('without a control key only the service is open to other machines', async () => {
    const sandbox = await startSandbox({ host: '0.0.0.0' });
    for (const path of ['/', '/__sandbox/status', '/__sandbox/export']) {
      expect(await call(at(sandbox), 'GET', path)).toMatchObject({
        status: 403,
        body: refused(/--control-key/),
      });
    }
    expect((await call(at(sandbox), 'GET', '/v1/subscription-groups')).status).toBe(200);
    expect((await call(sandbox, 'GET', '/__sandbox/status')).body).toMatchObject({ apiKey: sandbox.apiKey });
    await sandbox.close();
  });

  test('with a control key the control plane is open to its users, and does not show the API key', async () => {
    const sandbox = await startSandbox({ host: '0.0.0.0', controlKey: 'control-key' });
    const status = await call(at(sandbox), 'GET', '/__sandbox/status', { headers: BEARER });
    expect(status).toMatchObject({ status: 200, body: { apiKey: null } });
    expect(JSON.stringify(status.body)).not.toContain(sandbox.apiKey);
    expect((await call(at(sandbox), 'GET', '/__sandbox/status')).status).toBe(401);
    await sandbox.close();
  });
});

describe('under a path prefix', () => {
  test('everything is under it, and nothing elsewhere', async () => {
    const designs = Array.from({ length: 11 }, (_, index) => ({ id: `d${index}`, name: 'D' }));
    const sandbox = await startSandbox({ prefix: '/tools/audience/', seed: { designs } });
    expect(sandbox.url).toMatch(/\d\/tools\/audience$/);
    expect((await call(sandbox, 'GET', '/__sandbox/status')).status).toBe(200);
    const { body } = await call(sandbox, 'GET', '/v1/transactional?perPage=10');
    expect(body).toMatchObject({
      pagination: { nextPage: expect.stringContaining(`${sandbox.url}/v1/transactional?`) as unknown },
    });
    const page = String((await call(sandbox, 'GET', '/')).body);
    const paths = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(2);
    const origin = { ...sandbox, url: new URL(sandbox.url).origin };
    for (const path of paths) expect((await call(origin, 'GET', path)).status).toBe(200);
    expect((await call(sandbox, 'GET', '/inbox/inbox.js')).body).toContain('/tools/audience/__sandbox');
    expect(await call(origin, 'GET', '/v1/transactional')).toMatchObject({
      status: 404,
      body: refused(/is under \/tools\/audience\//),
    });
    await sandbox.close();
  });

  test.each(['audience', '/a b', '/a//b', '/../x?', '/a/../b', '/.', '/a/.'])(
    '%s is refused as a prefix',
    async (prefix) => {
      await expect(startSandbox({ prefix })).rejects.toThrow(/'prefix' must be a path such as/);
    },
  );
});

test('a slow client that never closes its connection is cut off', async () => {
  const sandbox = await startSandbox();
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
  await sandbox.close();
}, 30_000);
