import { startSandbox, type NewProfile, type RunningSandbox, type Seed } from 'audience-sandbox';
import { forFile, refused } from './call.js';

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
const calls = forFile(async () => (sandbox = await startSandbox({ seed: SEED })));
const { get, groups, contact, update } = calls;

function profile(options: NewProfile) {
  sandbox.reset();
  sandbox.setProfile(options);
}
const event = (body: object, key?: string) => calls.event({ eventName: 'e', ...body }, key);

test('unset: omitted', async () => {
  profile({ unset: 'omitted' });
  await update('ada', { firstName: 'Ada' });
  expect((await contact('ada')).body).toEqual({
    id: 'contact-1',
    email: 'ada@example.com',
    userId: 'ada',
    firstName: 'Ada',
    subscribed: true,
    subscriptionGroups: {},
  });
  expect((await groups()).body).toContainEqual({ id: 'g', name: 'g' });
  const { body } = await get('/v1/transactional');
  expect(JSON.stringify(body)).not.toMatch(/null|next/);
});

test('missingVariables: refused by name, and nothing is sent', async () => {
  profile({ missingVariables: 'refuse' });
  const answer = await calls.send({ email: 'zoe@example.com', transactionalId: 'd0' });
  expect(answer).toMatchObject({ status: 400, body: refused(/also expects plan/) });
  expect(await sandbox.emails()).toEqual([]);
});

test('delays follow the clock of the sandbox, for new records only', async () => {
  profile({ visibleAfterMs: 60_000 });
  await calls.create('plan', 'string');
  await event({ email: 'new@example.com', seats: 1 });
  await event({ email: 'ada@example.com', seats: 2 });
  const listed = async () => JSON.stringify((await get('/v1/contacts/properties?list=custom')).body);
  expect(await listed()).not.toContain('plan');
  expect((await contact('new@example.com')).status).toBe(404);
  expect((await update('new@example.com', { firstName: 'N' })).status).toBe(404);
  expect((await contact('ada')).body).toMatchObject({ seats: 2 });
  // It is there all the same: it is found, and not made twice.
  await event({ email: 'new@example.com', userId: 'new' });
  expect((await calls.create('plan', 'string')).status).toBe(409);
  sandbox.clock.advance(60_000);
  expect(await listed()).toContain('plan');
  expect((await contact('new')).body).toMatchObject({ seats: 1 });
  expect(await sandbox.contacts()).toHaveLength(2);
});

test.each([
  ['seconds', /^\d+$/],
  ['date', / GMT$/],
  ['omitted', /^none$/],
] as const)('retryAfter: %s', async (retryAfter, form) => {
  profile({ retryAfter });
  sandbox.limitRate({ requestsPerSecond: 0.5, burst: 1 });
  await groups();
  const { status, headers } = await groups();
  expect(status).toBe(429);
  expect(headers.get('retry-after') ?? 'none').toMatch(form);
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
    await sent('k');
    sandbox.clock.advance(hours * 3_600_000 - 60_000);
    await sent('k');
    expect(await sandbox.events()).toHaveLength(1);
    sandbox.clock.advance(60_000);
    await sent('k');
    expect(await sandbox.events()).toHaveLength(2);
  });
});

test.each([
  ['set', { g: true, h: false }],
  ['all', { g: true, h: false, i: false }],
  ['joined', { g: true }],
] as const)('shownGroups: %s', async (shownGroups, subscriptionGroups) => {
  profile({ shownGroups });
  await update('ada', { subscriptionGroups: { g: true, h: false } });
  const shown = expect.objectContaining({ subscriptionGroups }) as unknown;
  expect((await contact('ada')).body).toEqual(shown);
});
