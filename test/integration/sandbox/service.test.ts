import { contract } from 'audience-core/internal';
import { startSandbox, type RunningSandbox, type Seed } from 'audience-sandbox';
import { call, forFile, refused, text } from './call.js';

const SEED: Seed = {
  designs: [
    {
      id: 'welcome',
      name: 'Welcome',
      subject: 'Hello {{firstName}}',
      body: '<p>Hello {{firstName}}, {{plan}}</p>',
    },
  ],
  automations: [
    {
      id: 'onboarding',
      name: 'Onboarding',
      eventName: 'signedUp',
      subject: 'Hi {{firstName}}',
      body: '<p>{{plan}}</p>',
    },
  ],
  subscriptionGroups: [
    { id: 'news', name: 'News' },
    { id: 'tips', name: 'Tips', description: 'Now and then' },
  ],
  properties: [
    { name: 'company', type: 'string' },
    { name: 'seats', type: 'number' },
    { name: 'trial', type: 'boolean' },
    { name: 'since', type: 'date' },
  ],
  contacts: [
    { email: 'ada@example.com', userId: 'ada', firstName: 'Ada', subscriptionGroups: { news: true } },
    { email: 'bob@example.com', firstName: 'Bob' },
    { userId: 'cleo', firstName: 'Cleo' },
  ],
};

let sandbox: RunningSandbox;
forFile(async () => (sandbox = await startSandbox({ seed: SEED })));

const get = (path: string) => call(sandbox, 'GET', path);
const put = (identifier: string, body: unknown) =>
  call(sandbox, 'PUT', `/v1/contacts/${encodeURIComponent(identifier)}`, { body });
const send = (body: unknown, key?: string) => call(sandbox, 'POST', '/v1/transactional', { body, key });
const event = (body: unknown, key?: string) => call(sandbox, 'POST', '/v1/events/send', { body, key });
const contact = async (identifier: string) =>
  (await get(`/v1/contacts/${encodeURIComponent(identifier)}`)).body;

describe('the order of checks', () => {
  test('the API key is checked first, even on a path that does not exist', async () => {
    for (const headers of [{ Authorization: 'Bearer wrong' }, { Authorization: 'Basic abc' }]) {
      const answer = await call(sandbox, 'GET', '/v1/nothing', { headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      expect(answer.body).toEqual(refused(/API key|Authorization/));
    }
  });

  test('then the route: 404 for a path, 405 with Allow for a method', async () => {
    for (const path of ['/v1/nothing', '/v1/contacts/', '/v1/contacts/ada/'])
      expect({ path, status: (await get(path)).status }).toEqual({ path, status: 404 });
    expect((await get('/v1/contacts/%E0%A4')).status).toBe(400);
    const answer = await call(sandbox, 'PUT', '/v1/contacts/properties', { body: {} });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, POST');
  });

  test('then the shape of the body, before anything is looked up', async () => {
    const answer = await put('nobody@example.com', { subscribed: true, unknownProperty: 1 });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(refused(/'subscribed' can only be set to false/));
  });

  test('then properties and groups, before the contact is looked up', async () => {
    expect((await put('nobody@example.com', { unknownProperty: 1 })).body).toEqual(
      refused(/no contact property 'unknownProperty'.*company, seats, trial, since/),
    );
    expect((await put('nobody@example.com', { subscriptionGroups: { nope: true } })).body).toEqual(
      refused(/no subscription group 'nope'.*news, tips/),
    );
    expect((await put('nobody@example.com', { seats: 1 })).status).toBe(404);
  });
});

describe('contacts', () => {
  test('are read by email address or userId, with every field', async () => {
    const ada = {
      id: text(),
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: null,
      userId: 'ada',
      source: null,
      subscribed: true,
      subscriptionGroups: { news: true },
      company: null,
      seats: null,
      trial: null,
      since: null,
    };
    expect(await contact('ada')).toEqual(ada);
    expect(await contact('ADA@example.com')).toEqual(ada);
    expect((await get('/v1/contacts/nobody')).status).toBe(404);
  });

  test.each([
    [{ company: 1 }, /'company' must be text/],
    [{ seats: '1' }, /'seats' must be a number/],
    [{ trial: 'true' }, /'trial' must be true or false/],
    [{ since: 1.5 }, /'since' must be a date/],
    [{ since: '2026-01-01' }, /'since' must be a date/],
    [{ createdAt: 1 }, /'createdAt' is built in/],
    [{ 'First Name': 'x' }, /'First Name' is not camelCase/],
    [{ seats: { a: 1 } }, /'seats'/],
    [[], /object/],
  ])('refuse the change %j', async (body, message) => {
    const answer = await put('ada', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(refused(message));
  });
});

describe('mails', () => {
  test('are rendered with their variables; missing and surplus ones are listed', async () => {
    await send({
      email: 'x@example.com',
      transactionalId: 'welcome',
      dataVariables: { firstName: '<b>X</b>', other: 1 },
    });
    expect(await sandbox.emails()).toMatchObject([
      {
        to: 'x@example.com',
        transactionalId: 'welcome',
        design: 'Welcome',
        subject: 'Hello <b>X</b>',
        html: '<p>Hello &lt;b&gt;X&lt;&#x2F;b&gt;, </p>',
        missingVariables: ['plan'],
        surplusVariables: ['other'],
        read: false,
      },
    ]);
  });

  test('an event triggers the automations of its name, for subscribed contacts with an email', async () => {
    await event({ email: 'ada@example.com', eventName: 'signedUp', eventProperties: { plan: 'Pro' } });
    await event({ userId: 'cleo', eventName: 'signedUp' });
    await put('bob@example.com', { subscribed: false });
    await event({ email: 'bob@example.com', eventName: 'signedUp' });
    await event({ email: 'ada@example.com', eventName: 'other' });
    expect(await sandbox.emails()).toMatchObject([
      {
        to: 'ada@example.com',
        subject: 'Hi Ada',
        html: '<p>Pro</p>',
        eventName: 'signedUp',
        transactionalId: null,
      },
    ]);
    expect(
      (await sandbox.events()).map(({ triggered }) =>
        triggered.map(({ emailId, skipped }) => emailId ?? skipped),
      ),
    ).toEqual([['email-1'], ['The contact has no email address.'], ['The contact is unsubscribed.'], []]);
  });

  test('a wrong address is reported once, and not as missing', async () => {
    const answer = await send({ email: 'not an address', transactionalId: 'welcome' });
    expect(answer.body).toEqual(
      refused(/^'email' must be an email address, such as ada@example\.com, and nothing else\.$/),
    );
  });
});

describe('idempotency keys', () => {
  const body = { email: 'x@example.com', transactionalId: 'welcome', dataVariables: { a: 1, b: 2 } };
  const reordered = { dataVariables: { b: 2, a: 1 }, transactionalId: 'welcome', email: 'x@example.com' };

  test('the same call gets the same response and is carried out once', async () => {
    const first = await send(body, 'order-1');
    const second = await send(reordered, 'order-1');
    expect(second.body).toEqual(first.body);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await sandbox.emails()).toHaveLength(1);
    expect(sandbox.requests().map(({ applied, replayed }) => ({ applied, replayed }))).toEqual([
      { applied: true, replayed: false },
      { applied: false, replayed: true },
    ]);
  });

  test('a call goes on without its caller, and its key is in use until it ends', async () => {
    sandbox.faults.next({ delayMs: 500 });
    const caller = new AbortController();
    const { signal } = caller;
    const gaveUp = expect(
      call(sandbox, 'POST', '/v1/transactional', { body, key: 'k', signal }),
    ).rejects.toThrow();
    while (sandbox.faults.list().length > 0) await new Promise(setImmediate);
    caller.abort();
    await gaveUp;
    for (const duplicates of ['replay', 'refuse'] as const) {
      sandbox.setProfile({ duplicates });
      expect(await send(body, 'k')).toMatchObject({ status: 409, body: refused(/in progress/) });
    }
    expect(await sandbox.emails()).toEqual([]);
    await sandbox.waitForEmail({ key: 'k' });
    expect(await send(body, 'k')).toMatchObject({ status: 409, body: refused(/was used before/) });
    sandbox.setProfile({ duplicates: 'replay' });
    expect((await send(body, 'k')).headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('properties and groups', () => {
  test('the list has the built-in properties, or only the custom ones', async () => {
    const keys = async (query: string) =>
      contract.listContactProperties.response
        .parse((await get(`/v1/contacts/properties${query}`)).body)
        .map(({ key }) => key);
    const builtIn = ['email', 'firstName', 'lastName', 'userId', 'source', 'subscribed', 'createdAt'];
    expect(await keys('')).toEqual([...builtIn, 'company', 'seats', 'trial', 'since']);
    expect(await keys('?list=all')).toEqual(await keys(''));
    expect(await keys('?list=custom')).toEqual(['company', 'seats', 'trial', 'since']);
    expect((await get('/v1/contacts/properties?list=some')).status).toBe(400);
  });

  test('groups are listed', async () => {
    expect((await get('/v1/subscription-groups')).body).toEqual([
      { id: 'news', name: 'News', description: null },
      { id: 'tips', name: 'Tips', description: 'Now and then' },
    ]);
    expect((await get('/v1/subscription-groups?page=1')).body).toEqual(
      refused(/'page' is not a query parameter/),
    );
  });
});

describe('the list of designs', () => {
  const design = (number: number) => ({ id: `d${number}`, name: `Design ${number}`, dataVariables: ['a'] });
  const page = async (query: string) =>
    contract.listTransactionalEmails.response.parse((await get(`/v1/transactional${query}`)).body);

  beforeEach(() => {
    sandbox.load({ designs: Array.from({ length: 25 }, (_, index) => design(index + 1)) });
  });
  afterAll(() => {
    sandbox.load(SEED);
  });

  test('has pages of 20 by default', async () => {
    const first = await page('');
    expect(first.pagination).toMatchObject({
      totalResults: 25,
      returnedResults: 20,
      perPage: 20,
      totalPages: 2,
    });
    expect(first.data[0]).toEqual({
      id: 'd1',
      name: 'Design 1',
      lastUpdated: text(/Z$/),
      dataVariables: ['a'],
    });
    const next = first.pagination.nextPage ?? '';
    expect(new URL(next).searchParams.get('perPage')).toBe('20');
    const second = await page(new URL(next).search);
    expect(second.data.map(({ id }) => id)).toEqual(['d21', 'd22', 'd23', 'd24', 'd25']);
    expect(second.pagination).toMatchObject({ returnedResults: 5, nextCursor: null, nextPage: null });
  });

  test('a cursor stays valid when designs are added and changed', async () => {
    const seen: string[] = [];
    let cursor: string | null | undefined = '';
    for (let added = 100; typeof cursor === 'string'; added += 1) {
      const { data, pagination }: Awaited<ReturnType<typeof page>> = await page(
        `?perPage=10${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...data.map(({ id }) => id));
      cursor = pagination.nextCursor;
      if (added < 103) {
        await call(sandbox, 'POST', '/__sandbox/designs', { body: design(added) });
        await call(sandbox, 'POST', '/__sandbox/designs', { body: { ...design(1), name: 'Changed' } });
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, index) => `d${index + 1}`));
  });

  test.each([
    '?perPage=9',
    '?perPage=51',
    '?perPage=ten',
    '?perPage=10&perPage=20',
    '?cursor=made-up',
    '?cursor=',
    '?page=2',
  ])('refuses %s', async (query) => {
    expect((await get(`/v1/transactional${query}`)).status).toBe(400);
  });
});
