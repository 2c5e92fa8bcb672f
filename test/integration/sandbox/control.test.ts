import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { call, forFile, refused, text } from './call.js';

let sandbox: RunningSandbox;
forFile(async () => (sandbox = await startSandbox()));

const control = (method: string, path: string, body?: unknown) =>
  call(sandbox, method, `/__sandbox${path}`, { body, headers: { Authorization: '' } });
const send = (to: string, key?: string) =>
  call(sandbox, 'POST', '/v1/transactional', { body: { email: to, transactionalId: 'design-welcome' }, key });
const groups = () => call(sandbox, 'GET', '/v1/subscription-groups');

describe('seed, reset and export', () => {
  const yaml = `
designs:
  - id: hello
    name: Hello
    body: <p>Hello {{name}}</p>
properties:
  - { name: plan, type: string }
contacts:
  - email: zoe@example.com
    properties: { plan: Pro }
`;
  afterAll(async () => {
    await control('PUT', '/seed', (await startAndExport()).seed);
  });

  async function startAndExport() {
    const fresh = await startSandbox();
    const seed = fresh.export();
    await fresh.close();
    return { seed };
  }

  test('a seed in YAML replaces everything, and a reset goes back to it', async () => {
    const loaded = await call(sandbox, 'PUT', '/__sandbox/seed', {
      raw: yaml,
      headers: { 'Content-Type': 'application/yaml' },
    });
    expect(loaded.body).toEqual({ success: true });
    expect((await call(sandbox, 'GET', '/v1/contacts/zoe%40example.com')).body).toMatchObject({
      plan: 'Pro',
    });
    expect((await call(sandbox, 'GET', '/v1/contacts/ada%40example.com')).status).toBe(404);
    await call(sandbox, 'PUT', '/v1/contacts/zoe%40example.com', { body: { plan: null } });
    await control('POST', '/reset');
    expect((await call(sandbox, 'GET', '/v1/contacts/zoe%40example.com')).body).toMatchObject({
      plan: 'Pro',
    });
  });

  test.each([
    [{ contacts: [{ firstName: 'X' }] }, /contacts\.0.*'email'/],
    [{ contacts: [{ email: 'a@b.c', properties: { nope: 1 } }] }, /Contact 'a@b.c' of the seed.*'nope'/],
    [{ contacts: [{ email: 'a@b.c' }, { email: 'A@b.c' }] }, /two contacts with the email address/],
    [{ designs: ['D', 'E'].map((name) => ({ id: 'd', name })) }, /design 'd' twice/],
    [{ designs: [{ id: 'd', name: 'D', body: '{{#open}}' }] }, /template of 'd' cannot be read/],
    [{ mails: [] }, /'mails' is an unknown field/],
  ])('a wrong seed is refused as a whole: %j', async (seed, message) => {
    const before = sandbox.export();
    const answer = await control('PUT', '/seed', seed);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(refused(message));
    expect(sandbox.export()).toEqual(before);
  });
});

describe('the log of requests', () => {
  test('holds every call with its bodies, without the key, and can be filtered', async () => {
    await send('a@example.com', 'k-1');
    await call(sandbox, 'GET', '/v1/nothing?x=1');
    await call(sandbox, 'POST', '/v1/transactional', { raw: '{"broken' });
    expect(sandbox.requests()).toMatchObject([
      {
        id: 'request-1',
        method: 'POST',
        path: '/v1/transactional',
        route: 'sendTransactionalEmail',
        status: 200,
        key: 'k-1',
        requestBody: { email: 'a@example.com', transactionalId: 'design-welcome' },
        responseBody: { success: true },
        fault: null,
        applied: true,
      },
      { path: '/v1/nothing?x=1', route: null, status: 404, requestBody: null, applied: false },
      { status: 400, requestBody: '{"broken', applied: false },
    ]);
    expect(JSON.stringify(sandbox.requests())).not.toContain(sandbox.apiKey);
    expect((await control('GET', '/requests?search=A@example')).body).toMatchObject({ total: 1 });
    for (const filter of [
      { key: 'k-1' },
      { status: 404, path: 'nothing' },
      { applied: false, after: 'request-2' },
    ]) {
      expect(sandbox.requests(filter)).toHaveLength(1);
      expect((await control('POST', '/requests/find', filter)).body).toEqual({
        items: sandbox.requests(filter),
      });
    }
    await control('DELETE', '/requests');
    expect(sandbox.requests()).toEqual([]);
  });
});

describe('the clock and the rate limit', () => {
  test('the bucket holds so many tokens, and refills with time', async () => {
    await control('PUT', '/clock', { stopped: true });
    await control('PUT', '/rate-limit', { requestsPerSecond: 0.5, burst: 2 });
    expect([(await groups()).status, (await groups()).status]).toEqual([200, 200]);
    const refusedCall = await groups();
    expect(refusedCall.status).toBe(429);
    expect(refusedCall.headers.get('retry-after')).toBe('2');
    sandbox.clock.advance(1999);
    expect((await groups()).status).toBe(429);
    sandbox.clock.advance(1);
    expect((await groups()).status).toBe(200);
    expect((await groups()).status).toBe(429);
    await control('DELETE', '/rate-limit');
    expect((await groups()).status).toBe(200);
  });

  test('the time can be set, and emails and events have it', async () => {
    const answer = await control('PUT', '/clock', { time: '2030-01-02T03:04:05.000Z', stopped: true });
    expect(answer.body).toEqual({ time: '2030-01-02T03:04:05.000Z', stopped: true });
    await send('a@example.com');
    expect((await sandbox.emails())[0]?.time).toBe('2030-01-02T03:04:05.000Z');
  });

  test.each([
    ['yesterday', "'time' must be ISO 8601 in UTC, such as 2026-01-12T09:00:00Z."],
    ['2026-01-12T09:00Z', "'time' must be ISO 8601 in UTC, such as 2026-01-12T09:00:00Z."],
    ['9999-01-01T00:00:00Z', 'The clock cannot be moved that far from 1970.'],
  ])('the time cannot be %s', async (time, message) => {
    expect(await control('PUT', '/clock', { time })).toMatchObject({ status: 400, body: { message } });
  });
});

describe('the profile', () => {
  test.each([
    [{ duplicates: 'sometimes' }, /'duplicates' must be one of replay, refuse/],
    [{ duplicate: 'refuse' }, /'duplicate' is an unknown field of this call \(did you mean 'duplicates'\?\)/],
  ])('refuses %j, and does not change', async (profile, message) => {
    await control('PUT', '/profile', { duplicates: 'refuse' });
    expect((await control('PUT', '/profile', profile)).body).toEqual(refused(message));
    expect((await control('GET', '/profile')).body).toMatchObject({ duplicates: 'refuse' });
  });
});

test.each(['', '/', '/nothing', '/emails/email-1/nothing'])('nothing is at /__sandbox%s', async (path) => {
  const { status, body } = await control('GET', path);
  expect({ status, body }).toEqual({ status: 404, body: refused(/nothing at '\/__sandbox.*README/) });
  expect(body).toMatchObject({ message: text(new RegExp(`'/__sandbox${path}'`)) });
});
