import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_SEED, startSandbox, type RunningSandbox } from 'audience-sandbox';
import { call, forFile, refused, text } from './call.js';

let sandbox: RunningSandbox;
const { get, groups, contact, update, send, signUp, welcome, control } = forFile(
  async () => (sandbox = await startSandbox()),
);

afterEach(() => {
  sandbox.load(DEFAULT_SEED);
});

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
  test('a seed in YAML replaces everything, and a reset goes back to it', async () => {
    const loaded = await call(sandbox, 'PUT', '/__sandbox/seed', {
      raw: yaml,
      headers: { 'Content-Type': 'application/yaml' },
    });
    expect(loaded.body).toEqual({ success: true });
    expect((await contact('zoe@example.com')).body).toMatchObject({ plan: 'Pro' });
    expect((await contact('ada@example.com')).status).toBe(404);
    await update('zoe@example.com', { plan: null });
    await control('POST', '/reset');
    expect((await contact('zoe@example.com')).body).toMatchObject({ plan: 'Pro' });
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
    expect(await control('PUT', '/seed', seed)).toMatchObject({ status: 400, body: refused(message) });
    expect(sandbox.export()).toEqual(before);
  });
});

test('export and seed are one document: a sandbox that starts from an export exports the same', async () => {
  await update('ada@example.com', { subscribed: false, teamSize: null });
  await signUp('new@example.com');
  const seed = (await control('GET', '/export')).body;
  const other = await startSandbox({ seed: sandbox.export() });
  expect(other.export()).toEqual(seed);
  await other.close();
});

test.each([
  ['a reset', () => sandbox.reset()],
  ['a seed', () => sandbox.load({})],
])('a delayed call changes nothing after %s', async (_what, replace) => {
  sandbox.faults.next({ delayMs: 300, route: 'sendEvent' });
  const late = signUp('late@example.com', 'k');
  while (sandbox.faults.list().length > 0) await control('GET', '/status');
  replace();
  expect(await late).toMatchObject({ status: 410, body: refused(/was reset/) });
  expect([await sandbox.events(), sandbox.requests(), await sandbox.emails()]).toEqual([[], [], []]);
  // Nor does it hold a key there.
  expect((await signUp('new@example.com', 'k')).status).toBe(200);
});

test('the log holds every call with its bodies, without the key, and can be filtered', async () => {
  await welcome('a@example.com', 'k-1');
  await get('/v1/nothing?x=1');
  await call(sandbox, 'POST', '/v1/transactional', { raw: '{"broken' });
  expect(sandbox.requests()).toMatchObject([
    {
      ...{ id: 'request-1', method: 'POST', path: '/v1/transactional', route: 'sendTransactionalEmail' },
      ...{ status: 200, key: 'k-1', fault: null, applied: true },
      requestBody: { email: 'a@example.com', transactionalId: 'design-welcome' },
      responseBody: { success: true },
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
    const { body } = await control('POST', '/requests/find', filter);
    expect(body).toEqual({ items: sandbox.requests(filter) });
  }
  await control('DELETE', '/requests');
  expect(sandbox.requests()).toEqual([]);
});

test('the log shows what each call changed in the account', async () => {
  const NEW = 'new@example.com';
  await signUp(NEW, undefined, { firstName: 'New' });
  await update(NEW, {
    ...{ firstName: 'Newer', lastName: null, companyName: 'ACME' },
    subscriptionGroups: { 'group-newsletter': false },
  });
  await update(NEW, { firstName: 'Newer' });
  await update(NEW, { firstName: 7 });
  await contact(NEW);
  const none = { emails: [], events: [], contact: null };
  const { id } = await sandbox.waitForContact({ email: NEW });
  const effects = sandbox.requests().map((entry) => entry.effects);
  expect(effects).toEqual([
    {
      ...{ emails: ['email-1'], events: ['event-1'] },
      contact: {
        ...{ id, isNew: true },
        changes: [
          { field: 'email', before: null, after: 'new@example.com' },
          { field: 'firstName', before: null, after: 'New' },
          { field: 'subscribed', before: null, after: true },
        ],
      },
    },
    {
      ...none,
      contact: {
        ...{ id, isNew: false },
        changes: [
          { field: 'firstName', before: 'New', after: 'Newer' },
          { field: 'companyName', before: null, after: 'ACME' },
          { field: 'subscriptionGroups.group-newsletter', before: null, after: false },
        ],
      },
    },
    { ...none, contact: { id, isNew: false, changes: [] } },
    none,
    none,
  ]);
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
    await welcome('a@example.com');
    expect((await sandbox.emails())[0]?.time).toBe('2030-01-02T03:04:05.000Z');
  });
});

test('a profile that is refused changes nothing', async () => {
  await control('PUT', '/profile', { duplicates: 'refuse' });
  expect((await control('PUT', '/profile', { duplicates: 'sometimes' })).status).toBe(400);
  expect((await control('GET', '/profile')).body).toMatchObject({ duplicates: 'refuse' });
});

test.each(['', '/emails/email-1/nothing'])('nothing is at /__sandbox%s', async (path) => {
  const missing = { status: 404, body: refused(new RegExp(`nothing at '/__sandbox${path}'`)) };
  expect(await control('GET', path)).toMatchObject(missing);
});

describe('the emails of the inbox', () => {
  beforeEach(async () => {
    for (const name of ['ada', 'bob', 'cleo']) await welcome(`${name}@example.com`);
  });
  const recipients = async () => (await sandbox.emails()).map(({ to }) => to.replace(/@.*/, ''));

  test('are deleted by id, by a search, or all', async () => {
    await control('DELETE', '/emails/email-1');
    expect(await recipients()).toEqual(['bob', 'cleo']);
    await control('DELETE', '/emails?search=BOB@');
    expect(await recipients()).toEqual(['cleo']);
    await control('DELETE', '/emails');
    expect(await recipients()).toEqual([]);
  });

  test.each(['search=', 'id=email-1'])('stay where the query is %s', async (query) => {
    expect((await control('DELETE', `/emails?${query}`)).status).toBe(400);
    expect(await recipients()).toHaveLength(3);
  });
});

test.each([
  ['emails', 'ADA@', 2],
  ['emails', 'Onboard', 1],
  ['emails', 'signedUp', 1],
  ['emails', 'design-welcome', 2],
  ['emails', 'the-key', 1],
  ['emails', '(pro)', 1],
  ['emails', '"lines":[7]', 1],
  ['emails', 'pro ada', 0],
  ['emails', 'null', 0],
  ['emails', ' Bob@ ', 1],
  ['events', 'ada@example', 1],
  ['events', 'the-key', 1],
  ['events', '(PRO)', 1],
  ['contacts', 'user-ada', 1],
  ['contacts', 'lovelace', 1],
  ['contacts', 'analytical', 1],
  ['requests', 'ada@example.com', 3],
  ['requests', 'put /v1', 1],
  ['requests', 'sendEvent', 1],
  ['requests', '200', 4],
])('a search of the %s for %j finds %d', async (list, search, total) => {
  await welcome('ada@example.com');
  await welcome('bob@example.com', undefined, { dataVariables: { order: { lines: [7] } } });
  await signUp('ada@example.com', 'the-key', { eventProperties: { planName: '(Pro)' } });
  await update('ada@example.com', { subscribed: false });
  const { body } = await control('GET', `/${list}?search=${encodeURIComponent(search)}`);
  expect(body).toMatchObject({ total });
});

test('a list of emails shows the beginning of each text, without the subject', async () => {
  const rich =
    '<style>p{}</style><h1>Hello {{n}}</h1>\n<p>Tom &amp; <b>Jerry</b><br>&#8364;&nbsp;5</p><!-- no -->';
  sandbox.load({
    designs: [
      { id: 'a', name: 'A', subject: 'Hello {{n}}', body: rich },
      { id: 'b', name: 'B', body: `<p>${'word '.repeat(100)}</p>` },
    ],
  });
  await send({ email: 'a@example.com', transactionalId: 'a', dataVariables: { n: '<Ada>' } });
  await send({ email: 'b@example.com', transactionalId: 'b' });
  const { body } = await control('GET', '/emails');
  const snippets = [text(/^(word ){10,40}word…$/), 'Tom & Jerry € 5'];
  expect(body).toMatchObject({ items: snippets.map((snippet) => ({ snippet })) });
});

test('every path of the table of the control plane exists', async () => {
  const table = readFileSync(resolve(__dirname, '../../sandbox/docs/control-plane.md'), 'utf8');
  const paths = [...table.matchAll(/`(GET|POST|PUT|DELETE) (\/[^`]+)`/g)];
  expect(paths.length).toBeGreaterThan(25);
  for (const [, method = '', path = ''] of paths) {
    const { status, body } = await call(sandbox, method, `/__sandbox${path.replace('{id}', 'contact-1')}`);
    expect({ path, status, body: JSON.stringify(body) }).not.toMatchObject({
      body: expect.stringMatching(/does not accept|control plane has nothing/) as unknown,
    });
  }
});
