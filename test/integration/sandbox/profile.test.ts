import { startSandbox, type NewProfile, type RunningSandbox, type Seed } from 'audience-sandbox';
import { call, forFile, refused } from './call.js';

const SEED: Seed = {
  designs: Array.from({ length: 11 }, (_, index) => ({
    id: `d${index}`,
    name: 'D',
    dataVariables: ['plan'],
  })),
  subscriptionGroups: ['g', 'h', 'i'].map((id) => ({ id, name: id })),
  properties: [{ name: 'seats', type: 'number' }],
  contacts: [{ email: 'ada@example.com', userId: 'ada' }],
};

let sandbox: RunningSandbox;
forFile(async () => (sandbox = await startSandbox({ seed: SEED })));

function profile(options: NewProfile) {
  sandbox.reset();
  sandbox.setProfile(options);
}
const get = (path: string) => call(sandbox, 'GET', path);
const update = (who: string, body: unknown) => call(sandbox, 'PUT', `/v1/contacts/${who}`, { body });
const event = (body: object, key?: string) =>
  call(sandbox, 'POST', '/v1/events/send', { body: { eventName: 'e', ...body }, key });
const send = (body: object) =>
  call(sandbox, 'POST', '/v1/transactional', {
    body: { email: 'zoe@example.com', transactionalId: 'd0', dataVariables: { plan: 'Pro' }, ...body },
  });
const create = (name: string) =>
  call(sandbox, 'POST', '/v1/contacts/properties', { body: { name, type: 'string' } });

test('unset: omitted', async () => {
  profile({ unset: 'omitted' });
  await update('ada', { firstName: 'Ada' });
  expect((await get('/v1/contacts/ada')).body).toEqual({
    id: 'contact-1',
    email: 'ada@example.com',
    userId: 'ada',
    firstName: 'Ada',
    subscribed: true,
    subscriptionGroups: {},
  });
  expect((await get('/v1/subscription-groups')).body).toContainEqual({ id: 'g', name: 'g' });
  const { body } = await get('/v1/transactional');
  expect(JSON.stringify(body)).not.toMatch(/null|next/);
});

test('missingVariables: refused by name, and nothing is sent', async () => {
  profile({ missingVariables: 'refuse' });
  expect(await send({ dataVariables: {} })).toMatchObject({
    status: 400,
    body: refused(/also expects plan/),
  });
  expect(await sandbox.emails()).toEqual([]);
});

test('delays follow the clock of the sandbox, for new records only', async () => {
  profile({ visibleAfterMs: 60_000 });
  await create('plan');
  await event({ email: 'new@example.com', seats: 1 });
  await event({ email: 'ada@example.com', seats: 2 });
  const listed = async () => JSON.stringify((await get('/v1/contacts/properties?list=custom')).body);
  expect(await listed()).not.toContain('plan');
  expect((await get('/v1/contacts/new%40example.com')).status).toBe(404);
  expect((await update('new%40example.com', { firstName: 'N' })).status).toBe(404);
  expect((await get('/v1/contacts/ada')).body).toMatchObject({ seats: 2 });
  // It is there all the same: it is found, and not made twice.
  await event({ email: 'new@example.com', userId: 'new' });
  expect((await create('plan')).status).toBe(409);
  sandbox.clock.advance(60_000);
  expect(await listed()).toContain('plan');
  expect((await get('/v1/contacts/new')).body).toMatchObject({ seats: 1 });
  expect(await sandbox.contacts()).toHaveLength(2);
});

test.each([
  ['seconds', /^\d+$/],
  ['date', / GMT$/],
] as const)('retryAfter: %s', async (retryAfter, form) => {
  profile({ retryAfter });
  sandbox.limitRate({ requestsPerSecond: 0.5, burst: 1 });
  await get('/v1/subscription-groups');
  const { status, headers } = await get('/v1/subscription-groups');
  expect(status).toBe(429);
  expect(headers.get('retry-after')).toMatch(form);
});

test('retryAfter: omitted for the rate limit, but not for a fault that sets it', async () => {
  profile({ retryAfter: 'omitted' });
  sandbox.limitRate({ requestsPerSecond: 0.5, burst: 1 });
  await get('/v1/subscription-groups');
  expect((await get('/v1/subscription-groups')).headers.get('retry-after')).toBeNull();
  sandbox.limitRate(undefined);
  sandbox.faults.next({ respond: { status: 503, headers: { 'Retry-After': 3 } } });
  expect((await get('/v1/subscription-groups')).headers.get('retry-after')).toBe('3');
});

test('single options win over a preset', async () => {
  const awkward = await startSandbox({ profile: { preset: 'awkward', duplicates: 'replay' } });
  expect(awkward.profile()).toMatchObject({ unset: 'omitted', duplicates: 'replay' });
  awkward.setProfile({ preset: 'awkward', unset: null });
  expect(awkward.profile()).toMatchObject({ unset: null, duplicates: 'refuse' });
  awkward.setProfile({});
  expect(awkward.profile()).toMatchObject({ unset: null, duplicates: 'replay', shownGroups: 'set' });
  awkward.reset();
  expect(awkward.profile()).toMatchObject({ unset: 'omitted', duplicates: 'replay' });
  await awkward.close();
});

describe('idempotency keys', () => {
  const sent = (key: string, email = 'a@b.c') => event({ email }, key);

  test.each<[NewProfile, same: number, other: number]>([
    [{}, 200, 409],
    [{ otherPayload: 400 }, 200, 400],
    [{ otherPayload: 422 }, 200, 422],
    [{ otherPayload: 'replay' }, 200, 200],
    [{ duplicates: 'refuse' }, 409, 409],
    [{ duplicates: 'refuse', usedKeyStatus: 422, otherPayload: 400 }, 422, 422],
  ])('%j: a used key gets %d, and %d with another body', async (options, same, other) => {
    profile(options);
    expect((await sent('k')).status).toBe(200);
    expect((await sent('k')).status).toBe(same);
    expect((await sent('k', 'other@b.c')).status).toBe(other);
    expect(await sandbox.events()).toHaveLength(1);
  });

  const FORBIDDEN = { email: 'a@b.c', noProperty: 1 };
  test.each<[NewProfile, forbidden: number, afterForbidden: number, after5xx: number]>([
    [{}, 400, 200, 200],
    [{ keptKeys: '5xx' }, 400, 200, 503],
    [{ keptKeys: 'all' }, 400, 409, 503],
    [{ keptKeys: 'all', otherPayload: 422 }, 400, 422, 503],
    [{ keptKeys: '5xx', duplicates: 'refuse' }, 400, 200, 409],
    [{ keptKeys: 'all', duplicates: 'refuse', usedKeyStatus: 422 }, 400, 422, 422],
  ])(
    '%j: keys of requests that were not carried out',
    async (options, forbidden, afterForbidden, after5xx) => {
      profile(options);
      expect((await event(FORBIDDEN, 'forbidden')).status).toBe(forbidden);
      expect((await sent('forbidden')).status).toBe(afterForbidden);
      sandbox.faults.next({ respond: { status: 503 } });
      expect((await sent('5xx')).status).toBe(503);
      expect((await sent('5xx')).status).toBe(after5xx);
    },
  );

  test.each([
    [3_600_000, 1],
    [48 * 3_600_000, 48],
  ])('eventKeyLifetimeMs: %d, which says nothing of emails', async (eventKeyLifetimeMs, hours) => {
    profile({ eventKeyLifetimeMs });
    const replayed = async () => (await sent('k')).headers.get('idempotent-replayed');
    await sent('k');
    sandbox.clock.advance(hours * 3_600_000 - 60_000);
    expect(await replayed()).toBe('true');
    sandbox.clock.advance(60_000);
    expect(await replayed()).toBeNull();
  });
});

test('two contacts are never merged: 400 for an event, an email and an update', async () => {
  profile({});
  await event({ email: 'bob@example.com', userId: 'bob' });
  const both = { email: 'bob@example.com', userId: 'ada' };
  const answers = [await event(both), await send({ ...both, addToAudience: true })];
  answers.push(await update('ada', { email: 'bob@example.com' }), await update('ada', { userId: 'bob' }));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
});

test.each([
  ['set', { g: true, h: false }],
  ['all', { g: true, h: false, i: false }],
  ['joined', { g: true }],
] as const)('shownGroups: %s', async (shownGroups, subscriptionGroups) => {
  profile({ shownGroups });
  await update('ada', { subscriptionGroups: { g: true, h: false } });
  const shown = expect.objectContaining({ subscriptionGroups }) as unknown;
  expect((await get('/v1/contacts/ada')).body).toEqual(shown);
});
