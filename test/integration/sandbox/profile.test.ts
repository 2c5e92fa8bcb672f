import {
  PRESET_NAMES,
  startSandbox,
  type NewProfile,
  type RunningSandbox,
  type Seed,
} from 'audience-sandbox';
import { call, forFile, refused, text } from './call.js';

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

const JSON_TYPE = 'application/json; charset=utf-8';

test.each([
  ['message', refused(/no contact/), JSON_TYPE],
  ['error', { error: text(/no contact/) }, JSON_TYPE],
  ['errors', { errors: [{ message: text(/no contact/) }] }, JSON_TYPE],
  ['text', text(/^There is no contact/), 'text/plain; charset=utf-8'],
  ['none', '', null],
] as const)('errorBody: %s', async (errorBody, body, mediaType) => {
  profile({ errorBody });
  const answer = await get('/v1/contacts/nobody');
  expect(answer).toMatchObject({ status: 404, body });
  expect(answer.headers.get('content-type')).toBe(mediaType);
  // The control plane is not the service.
  expect((await get('/__sandbox/emails/none')).body).toEqual(refused(/email|mail/));
});

test('refusal: only what the account forbids is 200 with success: false, and never a used key', async () => {
  profile({ refusal: 'success-false', duplicates: 'refuse' });
  expect(await update('nobody', { firstName: 'A' })).toMatchObject({
    status: 200,
    body: refused(/no contact/),
  });
  expect(await create('seats')).toMatchObject({ status: 200, body: refused(/exists already/) });
  expect(await send({ transactionalId: 'none' })).toMatchObject({
    status: 200,
    body: refused(/no transactional/),
  });
  expect(sandbox.requests({ applied: true })).toEqual([]);
  expect((await get('/v1/contacts/nobody')).status).toBe(404);
  expect((await update('ada', { subscribed: true })).status).toBe(400);
  expect((await event({ email: 'a@b.c' }, 'k')).body).toEqual({ success: true });
  expect((await event({ email: 'a@b.c' }, 'k')).status).toBe(409);
});

test('unknownContact and existingProperty: 400', async () => {
  profile({ unknownContact: 400, existingProperty: 400 });
  expect((await get('/v1/contacts/nobody')).status).toBe(400);
  expect((await update('nobody', {})).status).toBe(400);
  expect((await create('seats')).status).toBe(400);
});

test('requestId, updateId and unset: omitted', async () => {
  profile({ requestId: 'omitted', updateId: 'omitted', unset: 'omitted' });
  const updated = await update('ada', { firstName: 'Ada' });
  expect(updated.body).toEqual({ success: true });
  expect(updated.headers.get('x-request-id')).toBeNull();
  expect((await get('/v1/contacts/ada')).body).toEqual({
    id: 'contact-1',
    email: 'ada@example.com',
    userId: 'ada',
    firstName: 'Ada',
    subscribed: true,
    subscriptionGroups: {},
  });
  expect((await get('/v1/subscription-groups')).body).toContainEqual({ id: 'g', name: 'g' });
});

test.each([
  [null, { nextCursor: null, nextPage: null }],
  ['omitted', {}],
  ['empty', { nextCursor: '' }],
] as const)('lastCursor: %s', async (lastCursor, end) => {
  // Whatever unset fields are: the end of a list is a thing of its own.
  profile({ lastCursor, unset: 'omitted' });
  const totals = { totalResults: 11, returnedResults: 11, perPage: 20, totalPages: 1 };
  expect((await get('/v1/transactional')).body).toMatchObject({ pagination: { ...totals, ...end } });
  const { body } = await get('/v1/transactional?perPage=10');
  expect(body).toMatchObject({ pagination: { nextCursor: expect.stringMatching(/./) as unknown } });
});

test('furtherFields: given, in every object, with names that no custom property can have', async () => {
  profile({ furtherFields: 'given' });
  const further = { _revision: 7 };
  expect((await get('/v1/contacts/ada')).body).toMatchObject({ email: 'ada@example.com', ...further });
  expect((await get('/v1/contacts/properties?list=custom')).body).toMatchObject([
    { key: 'seats', ...further },
  ]);
  expect((await get('/v1/transactional')).body).toMatchObject({ pagination: further, ...further });
  expect((await send({})).body).toMatchObject({ success: true, ...further });
});

test('emailProperties: refused, ignored or kept', async () => {
  const body = { addToAudience: true, seats: 3 };
  profile({});
  expect((await send(body)).status).toBe(400);
  profile({ emailProperties: 'ignore' });
  expect((await send({ ...body, nonsense: 1 })).status).toBe(200);
  expect((await get('/v1/contacts/zoe%40example.com')).body).toMatchObject({ seats: null });
  profile({ emailProperties: 'keep' });
  expect((await send({ ...body, nonsense: 1 })).status).toBe(400);
  expect((await send(body)).status).toBe(200);
  expect((await get('/v1/contacts/zoe%40example.com')).body).toMatchObject({ seats: 3 });
  expect((await send({ seats: 3 })).status).toBe(400);
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
  profile({ propertyDelayMs: 60_000, contactDelayMs: 60_000 });
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
  const lean = await startSandbox({ profile: { preset: 'lean', duplicates: 'refuse' } });
  expect(lean.profile()).toMatchObject({ errorBody: 'none', duplicates: 'refuse', refusal: 'status' });
  lean.setProfile({ preset: 'awkward', lastCursor: null });
  expect(lean.profile()).toMatchObject({ errorBody: 'text', lastCursor: null });
  lean.setProfile({});
  expect(lean.profile()).toMatchObject({ errorBody: 'message', duplicates: 'replay' });
  lean.reset();
  expect(lean.profile()).toMatchObject({ errorBody: 'none', duplicates: 'refuse' });
  await lean.close();
  expect(PRESET_NAMES.length).toBeGreaterThanOrEqual(4);
});

test('a replayed response has the shape of the present profile', async () => {
  profile({});
  await event({ email: 'a@b.c' }, 'k');
  sandbox.setProfile({ furtherFields: 'given' });
  expect((await event({ email: 'a@b.c' }, 'k')).body).toMatchObject({ success: true, _revision: 7 });
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
    [{ keptKeys: 'all', refusal: 'success-false' }, 200, 409, 503],
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

test.each([400, 409] as const)('contactConflict: %d, by event, email and update', async (contactConflict) => {
  profile({ contactConflict });
  await event({ email: 'bob@example.com', userId: 'bob' });
  const both = { email: 'bob@example.com', userId: 'ada' };
  const answers = [await event(both), await send({ ...both, addToAudience: true })];
  answers.push(await update('ada', { email: 'bob@example.com' }), await update('ada', { userId: 'bob' }));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => contactConflict));
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
