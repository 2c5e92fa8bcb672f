import { EmailWaitError, startSandbox, type RunningSandbox } from 'audience-sandbox';
import { call, forFile, refused, text } from './call.js';

let sandbox: RunningSandbox;
forFile(async () => (sandbox = await startSandbox()));

const control = (method: string, path: string, body?: unknown) =>
  call(sandbox, method, `/__sandbox${path}`, { body, headers: { Authorization: '' } });
const send = (to: string, key?: string) =>
  call(sandbox, 'POST', '/v1/transactional', { body: { email: to, transactionalId: 'design-welcome' }, key });
const signUp = (email: string) =>
  call(sandbox, 'POST', '/v1/events/send', { body: { email, eventName: 'signedUp' } });
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

describe('waiting for a mail', () => {
  test('ends with the first that fits, by recipient, design, event and key', async () => {
    const waits = [
      sandbox.waitForEmail({ to: 'A@example.com' }),
      sandbox.waitForEmail({ design: 'design-welcome', key: 'k-2' }),
      sandbox.waitForEmail({ eventName: 'signedUp' }),
    ];
    await send('a@example.com');
    await send('b@example.com', 'k-2');
    await signUp('c@example.com');
    expect((await Promise.all(waits)).map(({ to }) => to)).toEqual([
      'a@example.com',
      'b@example.com',
      'c@example.com',
    ]);
  });

  test('finds an earlier one, and over HTTP too', async () => {
    await send('a@example.com');
    expect((await control('GET', '/emails/wait?to=a@example.com&timeoutMs=0')).body).toMatchObject({
      id: 'email-1',
      html: text(/Welcome/),
    });
    expect((await control('GET', '/emails/wait?to=a@example.com&after=email-1&timeoutMs=0')).status).toBe(
      404,
    );
  });

  test('ends after its time, and says which mails came', async () => {
    await send('a@example.com');
    await expect(sandbox.waitForEmail({ to: 'b@example.com', timeoutMs: 1 })).rejects.toThrow(EmailWaitError);
    await expect(sandbox.waitForEmail({ to: undefined })).rejects.toThrow("'to' is undefined");
    expect((await control('GET', '/emails/wait?to=b@example.com&timeoutMs=1')).body).toEqual(
      refused(/No email with to 'b@example.com'.*'Welcome' to a@example.com/),
    );
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
        idempotencyKey: 'k-1',
        requestBody: { email: 'a@example.com', transactionalId: 'design-welcome' },
        responseBody: { success: true },
        fault: null,
        applied: true,
      },
      { path: '/v1/nothing?x=1', route: null, status: 404, requestBody: null, applied: false },
      { status: 400, requestBody: '{"broken', applied: false },
    ]);
    expect(JSON.stringify(sandbox.requests())).not.toContain(sandbox.apiKey);
    expect((await control('GET', '/requests?key=k-1')).body).toMatchObject({ total: 1 });
    expect((await control('GET', '/requests?search=A@example')).body).toMatchObject({ total: 1 });
    expect((await control('GET', '/requests?status=404&path=nothing')).body).toMatchObject({ total: 1 });
    expect((await control('GET', '/requests?applied=false&after=request-2')).body).toMatchObject({
      total: 1,
    });
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
    expect(sandbox.emails()[0]?.time).toBe('2030-01-02T03:04:05.000Z');
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

describe('deleting a contact', () => {
  const read = async (who: string) => (await call(sandbox, 'GET', `/v1/contacts/${who}`)).status;

  test.each(['ada@example.com', 'ADA@example.com', 'user-ada', 'contact-1'])('named by %s', async (named) => {
    await sandbox.deleteContact(named);
    expect([await read('ada%40example.com'), await read('user-ada')]).toEqual([404, 404]);
    await expect(sandbox.deleteContact(named)).rejects.toThrow('There is no contact with');
    // Another contact can have its identifiers.
    await call(sandbox, 'POST', '/v1/events/send', {
      body: { email: 'ada@example.com', userId: 'user-ada', eventName: 'signedUp' },
    });
    expect((await call(sandbox, 'GET', '/v1/contacts/user-ada')).body).toMatchObject({
      id: 'contact-3',
      firstName: null,
    });
  });

  test('over HTTP', async () => {
    expect(await control('DELETE', '/contacts/grace%40example.com')).toMatchObject({ status: 200 });
    expect(await control('DELETE', '/contacts/grace%40example.com')).toMatchObject({ status: 404 });
    expect(await read('grace%40example.com')).toBe(404);
  });
});
