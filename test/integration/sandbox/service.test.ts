import { contract } from 'audience-core/internal';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { call, forFile, refused, text, type Answer } from './call.js';

let sandbox: RunningSandbox;
const { get, contact, create, update, send, welcome, event, signUp, control } = forFile(
  async () => (sandbox = await startSandbox()),
);

/** A call refused by the first check that it fails: another would refuse it too. */
test.each<[check: string, status: number, message: RegExp, refusedCall: () => Promise<Answer>]>([
  ['the API key', 401, /API key/, () => call(sandbox, 'GET', '/v1/nothing', bearing('Bearer wrong'))],
  ['its scheme', 401, /Authorization/, () => call(sandbox, 'GET', '/v1/nothing', bearing('Basic abc'))],
  ['the path', 404, /./, () => get('/v1/contacts/ada/')],
  ['its encoding', 400, /./, () => get('/v1/contacts/%E0%A4')],
  ['the method', 405, /./, () => call(sandbox, 'PUT', '/v1/contacts/properties', { body: 1 })],
  ['the body', 400, /only be set to false/, () => update('nobody', { subscribed: true, unknown: 1 })],
  [
    'properties',
    400,
    /'unknown'.*companyName, jobTitle, teamSize, isTrialUser/,
    () => update('nobody', { unknown: 1 }),
  ],
  ['values', 400, /'teamSize' must be a number/, () => update('nobody', { teamSize: '1' })],
  ['the query', 400, /'page' is not/, () => get('/v1/subscription-groups?page=1')],
  [
    'groups',
    400,
    /'nope'.*group-newsletter, group-product-updates/,
    () => update('nobody', { subscriptionGroups: { nope: true } }),
  ],
  ['the contact', 404, /nobody/, () => update('nobody', { teamSize: 1 })],
])('checked in this order: %s', async (_check, status, message, refusedCall) => {
  const answer = await refusedCall();
  expect(answer).toMatchObject({ status, body: refused(message) });
  expect(answer.headers.has('www-authenticate')).toBe(status === 401);
  expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, POST' : null);
});

function bearing(authorization: string) {
  return { headers: { Authorization: authorization } };
}

test('contacts are read by email address or userId, with every field', async () => {
  const ada = {
    id: text(),
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    userId: 'user-ada',
    source: null,
    subscribed: true,
    subscriptionGroups: { 'group-newsletter': true },
    companyName: 'Analytical Engines',
    jobTitle: null,
    teamSize: 2,
    isTrialUser: false,
  };
  for (const who of ['user-ada', 'ADA@example.com']) expect((await contact(who)).body).toEqual(ada);
  expect((await contact('nobody')).status).toBe(404);
});

describe('who a contact is', () => {
  const TWO = { email: 'ada@example.com', userId: 'cleo' };
  const MOVED = { email: 'new@example.com' };
  const keep = (fields: object) =>
    send({ transactionalId: 'design-welcome', addToAudience: true, ...fields });

  test.each<[what: string, status: number, message: RegExp, refusedCall: () => Promise<Answer>]>([
    ['an event for two', 400, /two different/, () => event({ ...TWO, eventName: 'signedUp' })],
    ['a kept recipient who is two', 400, /two different/, () => keep(TWO)],
    ['a recipient without an address', 404, /no.*email address/i, () => keep({ userId: 'cleo' })],
    ['an unknown recipient', 404, /No contact with the userId/, () => keep({ userId: 'nobody' })],
    ['a new email by the email', 400, /use the contact's userId/, () => update('ada@example.com', MOVED)],
    ['a new email, and no userId', 400, /First give .* a userId/, () => update('grace@example.com', MOVED)],
    ['an email of another', 400, /another contact/, () => update('user-ada', { email: 'Grace@example.com' })],
    ['a userId of another', 400, /another contact/, () => update('grace@example.com', { userId: 'cleo' })],
    ['no identifier', 400, /would have no identifier/, () => update('cleo', { userId: null })],
  ])('%s is refused, and changes nobody', async (_what, status, message, refusedCall) => {
    await event({ userId: 'cleo', eventName: 'other' });
    const before = await sandbox.contacts();
    expect(await refusedCall()).toMatchObject({ status, body: refused(message) });
    expect(await sandbox.contacts()).toEqual(before);
    expect([await sandbox.emails(), await sandbox.events()]).toMatchObject([[], [{ name: 'other' }]]);
  });

  test('an event and a kept recipient find a contact by either identifier, and give it the other one', async () => {
    await event({ email: 'GRACE@example.com', userId: 'user-grace', eventName: 'other', lastName: 'H' });
    await keep({ userId: 'user-grace', firstName: 'G', subscriptionGroups: { 'group-newsletter': true } });
    await keep({ email: 'new@example.com', userId: 'user-new' });
    await welcome('stranger@example.com');
    const sentTo = (await sandbox.emails()).map(({ to }) => to);
    expect(sentTo).toEqual(['GRACE@example.com', 'new@example.com', 'stranger@example.com']);
    expect(await sandbox.contacts()).toMatchObject([
      { email: 'ada@example.com' },
      {
        ...{ email: 'GRACE@example.com', userId: 'user-grace', firstName: 'G', lastName: 'H' },
        subscriptionGroups: { 'group-newsletter': true },
      },
      { email: 'new@example.com', userId: 'user-new' },
    ]);
  });

  test('an identifier that a contact gives up finds it no more, and is free', async () => {
    expect((await update('user-ada', { email: 'countess@example.com' })).status).toBe(200);
    expect((await update('countess@example.com', { userId: null })).status).toBe(200);
    for (const who of ['ada@example.com', 'user-ada']) expect((await contact(who)).status).toBe(404);
    await event({ email: 'ada@example.com', userId: 'user-ada', eventName: 'other' });
    expect(await sandbox.contacts()).toMatchObject([
      { email: 'countess@example.com', userId: null },
      { email: 'grace@example.com' },
      { id: 'contact-3', email: 'ada@example.com', userId: 'user-ada' },
    ]);
  });
});

describe('properties', () => {
  test.each([
    ['email', 400],
    ['createdAt', 400],
    ['Plan', 400],
    ['teamSize', 409],
  ])('%s is not created', async (name, status) => {
    expect((await create(name, 'string')).status).toBe(status);
  });

  test.each([
    ['string', 'Pro', 1],
    ['number', 1.5, '1'],
    ['boolean', false, 0],
    ['date', 1_767_225_600, 1.5],
  ])('of the type %s have values of that type, until they are cleared', async (type, value, wrong) => {
    expect((await create('own', type)).status).toBe(200);
    expect((await update('user-ada', { own: value })).status).toBe(200);
    expect((await contact('user-ada')).body).toMatchObject({ own: value });
    for (const call of [update('user-ada', { own: wrong }), signUp('a@b.c', 'k', { own: wrong })])
      expect((await call).status).toBe(400);
    await update('user-ada', { own: null });
    expect((await contact('user-ada')).body).toMatchObject({ own: null });
  });
});

describe('mails', () => {
  test('are rendered with their variables; missing and surplus ones are listed', async () => {
    await welcome('x@example.com', undefined, { dataVariables: { firstName: '<b>X</b>', other: 1 } });
    expect(await sandbox.emails()).toMatchObject([
      {
        to: 'x@example.com',
        transactionalId: 'design-welcome',
        design: 'Welcome',
        subject: 'Welcome, <b>X</b>',
        html: text(/^<h1>Welcome, &lt;b&gt;X&lt;&#x2F;b&gt;<\/h1><p>Your plan is <b><\/b>/),
        missingVariables: ['planName'],
        surplusVariables: ['other'],
        read: false,
      },
    ]);
  });

  test('an event triggers the automations of its name, for subscribed contacts with an email', async () => {
    await signUp('ada@example.com', undefined, { eventProperties: { planName: 'Pro' } });
    await event({ userId: 'cleo', eventName: 'signedUp' });
    await update('grace@example.com', { subscribed: false });
    await signUp('grace@example.com');
    await event({ email: 'ada@example.com', eventName: 'other' });
    expect(await sandbox.emails()).toMatchObject([
      {
        to: 'ada@example.com',
        subject: 'Three things to try first',
        html: text(/^<h1>Hello Ada<\/h1><p>You chose the Pro plan/),
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
});

describe('idempotency keys', () => {
  const body = { email: 'x@example.com', transactionalId: 'design-welcome', dataVariables: { a: 1, b: 2 } };
  const reordered = {
    dataVariables: { b: 2, a: 1 },
    transactionalId: 'design-welcome',
    email: 'x@example.com',
  };

  test('the same call gets the same response and is carried out once', async () => {
    const first = await send(body, 'order-1');
    const second = await send(reordered, 'order-1');
    expect(second.body).toEqual(first.body);
    expect(await sandbox.emails()).toHaveLength(1);
    expect(sandbox.requests().map(({ applied, replayed }) => ({ applied, replayed }))).toEqual([
      { applied: true, replayed: false },
      { applied: false, replayed: true },
    ]);
  });

  test('each endpoint has its own keys, of at most 100 characters', async () => {
    const used = [
      await send(body, 'k'),
      await signUp('x@example.com', 'k'),
      await send(body, 'k'.repeat(101)),
    ];
    expect(used.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect([await sandbox.emails(), await sandbox.events()]).toMatchObject([[{}, {}], [{}]]);
  });

  test('a call goes on without its caller', async () => {
    sandbox.faults.next({ delayMs: 300 });
    const caller = new AbortController();
    const { signal } = caller;
    const gaveUp = expect(
      call(sandbox, 'POST', '/v1/transactional', { body, key: 'k', signal }),
    ).rejects.toThrow();
    while (sandbox.faults.list().length > 0) await new Promise(setImmediate);
    caller.abort();
    await gaveUp;
    expect(await sandbox.emails()).toEqual([]);
    await sandbox.waitForEmail({ key: 'k' });
    await send(body, 'k');
    expect(await sandbox.emails()).toHaveLength(1);
  });
});

test('the list of properties has the built-in properties, or only the custom ones', async () => {
  const keys = async (query: string) =>
    contract.listContactProperties.response
      .parse((await get(`/v1/contacts/properties${query}`)).body)
      .map(({ key }) => key);
  const builtIn = ['email', 'firstName', 'lastName', 'userId', 'source', 'subscribed', 'createdAt'];
  const custom = ['companyName', 'jobTitle', 'teamSize', 'isTrialUser'];
  expect(await keys('')).toEqual([...builtIn, ...custom]);
  expect(await keys('?list=custom')).toEqual(custom);
  expect((await get('/v1/contacts/properties?list=some')).status).toBe(400);
});

describe('the list of designs', () => {
  const design = (number: number) => ({ id: `d${number}`, name: `Design ${number}`, dataVariables: ['a'] });
  const page = async (query: string) =>
    contract.listTransactionalEmails.response.parse((await get(`/v1/transactional${query}`)).body);

  beforeEach(() => {
    sandbox.load({ designs: Array.from({ length: 25 }, (_, index) => design(index + 1)) });
  });

  test('has pages of 20 by default', async () => {
    const first = await page('');
    const counts = { totalResults: 25, returnedResults: 20, perPage: 20, totalPages: 2 };
    expect(first.pagination).toMatchObject(counts);
    expect(first.data[0]).toEqual({ ...design(1), lastUpdated: text(/Z$/) });
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
        await control('POST', '/designs', design(added));
        await control('POST', '/designs', { ...design(1), name: 'Changed' });
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, index) => `d${index + 1}`));
  });

  test.each(['?perPage=9', '?perPage=51', '?perPage=10&perPage=20', '?cursor=made-up', '?page=2'])(
    'refuses %s',
    async (query) => {
      expect((await get(`/v1/transactional${query}`)).status).toBe(400);
    },
  );
});
