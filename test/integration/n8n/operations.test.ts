import type { Seed } from 'audience-sandbox';
import {
  AUTO_MAPPED,
  bodyOf,
  emailParameters,
  locator,
  mapped,
  people,
  setUpForFile,
  writes,
} from './support.js';

const DESIGNS = Array.from({ length: 120 }, (_, index) => ({
  id: `design-${index}`,
  name: `Design ${index}`,
  subject: 'Hello {{firstName}}',
}));
const SEED: Seed = {
  designs: DESIGNS,
  subscriptionGroups: [
    { id: 'group-news', name: 'News' },
    { id: 'group-updates', name: 'Updates', description: 'What changed' },
  ],
  properties: [
    { name: 'teamSize', type: 'number', label: 'Team size' },
    { name: 'trialEndsAt', type: 'date', label: 'Trial ends at' },
  ],
  contacts: [
    {
      email: 'ada@example.com',
      userId: 'user-ada',
      firstName: 'Ada',
      subscriptionGroups: { 'group-news': true, 'group-updates': false },
      properties: { teamSize: 2, trialEndsAt: 1_769_851_800 },
    },
  ],
};

/** The one variable of these designs. */
const FIRST_NAME = { firstName: '={{ $json.firstName }}' };

const setup = setUpForFile({ seed: SEED });

describe('Contact > Get', () => {
  const get = { resource: 'contact', operation: 'get' };

  test.each([
    ['by email', locator('email', 'ada@example.com')],
    ['by User ID', locator('userId', 'user-ada')],
    ['by expression', locator('email', '={{ $json.who }}')],
    ['as a workflow that a program wrote gives it', 'ada@example.com'],
  ])('%s', async (_name, contact) => {
    const { items } = await setup.run({ ...get, contact }, [{ who: 'ada@example.com' }]);
    expect(items).toMatchObject([{ json: { email: 'ada@example.com', teamSize: 2 }, pairedItem: 0 }]);
  });

  test('simplified: the fields with a value and the joined groups; else the response as it is', async () => {
    const contact = locator('email', 'ada@example.com');
    const simplified = (await setup.run({ ...get, contact })).items[0]?.json ?? {};
    expect(simplified).toMatchObject({
      subscriptionGroups: ['group-news'],
      trialEndsAt: '2026-01-31T09:30:00.000Z',
    });
    expect(Object.values(simplified)).not.toContain(null);
    const raw = await setup.run({ ...get, contact, simplify: false });
    expect(raw.items[0]?.json).toMatchObject({
      ...{ trialEndsAt: 1_769_851_800, lastName: null },
      subscriptionGroups: { 'group-news': true, 'group-updates': false },
    });
  });
});

test('Contact > Update: fields and groups', async () => {
  const { items } = await setup.run({
    resource: 'contact',
    operation: 'update',
    contact: locator('email', 'ada@example.com'),
    fields: mapped({ lastName: 'Lovelace', subscribed: false }),
    ...{ subscribeTo: ['group-updates'], unsubscribeFrom: '={{ ["group-news"] }}' },
  });
  expect(items[0]?.json).toMatchObject({ success: true, contact: 'ada@example.com' });
  expect((await setup.sandbox.contacts())[0]).toMatchObject({
    lastName: 'Lovelace',
    subscribed: false,
    subscriptionGroups: { 'group-news': false, 'group-updates': true },
  });
});

test('Contact > Create or Update: creates, then updates, by the event that is named', async () => {
  const upsert = {
    ...{ resource: 'contact', operation: 'upsert', eventName: 'contactImported' },
    email: 'grace@example.com',
    contactFields: mapped({ firstName: '={{ $json.name }}', teamSize: 3 }),
    subscribeTo: ['group-news'],
  };
  await setup.run(upsert, [{ name: 'Grace' }]);
  await setup.run(upsert, [{ name: 'Rear Admiral' }]);
  expect((await setup.sandbox.contacts()).filter(({ email }) => email === 'grace@example.com')).toMatchObject(
    [{ firstName: 'Rear Admiral', properties: { teamSize: 3 }, subscriptionGroups: { 'group-news': true } }],
  );
  expect((await setup.sandbox.events()).map(({ name }) => name)).toEqual(Array(2).fill('contactImported'));
});

test('Contact > Unsubscribe', async () => {
  const contact = locator('userId', 'user-ada');
  const { items } = await setup.run({ resource: 'contact', operation: 'unsubscribe', contact });
  expect(items[0]?.json).toEqual({ success: true, contact: 'user-ada', subscribed: false });
  expect((await setup.sandbox.contacts())[0]).toMatchObject({ subscribed: false, firstName: 'Ada' });
});

test('Get and Unsubscribe of an unknown contact fail, or give an empty item if chosen in the form', async () => {
  for (const operation of ['get', 'unsubscribe']) {
    const nobody = { resource: 'contact', operation, contact: locator('email', '={{ $json.email }}') };
    const input = [{ email: 'nobody@example.com' }, { email: 'ada@example.com' }];
    const { error: failed } = await setup.run(nobody, input);
    expect(failed).toMatchObject({ httpCode: '404', itemIndex: 0 });
    expect(failed?.message).toContain("contact 'nobody@example.com'");
    const { items, error } = await setup.run({ ...nobody, ifNotFound: 'empty' }, input);
    expect(error).toBeUndefined();
    expect(items.map(({ json, pairedItem }) => [Object.keys(json).length === 0, pairedItem])).toEqual([
      [true, 0],
      [false, 1],
    ]);
  }
});

test('Get, change, Update with automatic mapping: a contact who is subscribed stays so', async () => {
  const contact = locator('email', 'ada@example.com');
  const { items } = await setup.run({ resource: 'contact', operation: 'get', contact });
  const update = { resource: 'contact', operation: 'update', contact, fields: AUTO_MAPPED };
  const { error } = await setup.run(update, [{ ...items[0]?.json, teamSize: 7 }]);
  expect(error).toBeUndefined();
  const properties = { teamSize: 7, trialEndsAt: 1_769_851_800 };
  expect(await setup.sandbox.contacts()).toMatchObject([{ subscribed: true, properties }]);
});

describe('Contact Property', () => {
  const create = { resource: 'contactProperty', operation: 'create' };

  test.each([
    ['of the same type', { name: 'teamSize', type: 'number' }, 'property-exists'],
    ['of another type', { name: 'teamSize', type: 'string', ifExists: 'continue' }, 'property-of-other-type'],
  ])('Create of an existing property %s fails', async (_what, fields, code) => {
    const { error } = await setup.run({ ...create, ...fields });
    expect(error?.context['code']).toBe(code);
  });

  test('Create of an existing property goes on if chosen', async () => {
    const both = { ...create, name: '={{ $json.name }}', type: 'number', ifExists: 'continue' };
    const { items } = await setup.run(both, [{ name: 'teamSize' }, { name: 'seats' }]);
    expect(items.map(({ json }) => json['created'])).toEqual([false, true]);
  });

  test('Get Many', async () => {
    const all = await setup.run({ resource: 'contactProperty', operation: 'getAll', returnAll: true });
    expect(all.items.map(({ json }) => json['key'])).toEqual(
      expect.arrayContaining(['email', 'createdAt', 'teamSize']),
    );
    const custom = await setup.run({ resource: 'contactProperty', operation: 'getAll', customOnly: true });
    expect(custom.items.map(({ json }) => json)).toEqual([
      { key: 'teamSize', label: 'Team size', type: 'number' },
      { key: 'trialEndsAt', label: 'Trial ends at', type: 'date' },
    ]);
  });
});

describe('Email', () => {
  test.each([
    ['from the list', locator('list', 'design-7')],
    ['by expression', locator('id', '={{ $json.design }}')],
  ])('Send, design %s', async (_name, transactionalId) => {
    const { items } = await setup.run({ ...emailParameters({}, FIRST_NAME), transactionalId }, [
      { email: 'grace@example.com', firstName: 'Grace', design: 'design-7' },
    ]);
    const sent = { success: true, email: 'grace@example.com', transactionalId: 'design-7' };
    expect(items[0]?.json).toEqual(sent);
    expect(await setup.sandbox.emails()).toMatchObject([{ to: 'grace@example.com', subject: 'Hello Grace' }]);
  });

  test.each([true, false])('Send with contact fields, added to the audience: %s', async (addToAudience) => {
    const fields = { contactFields: { userId: 42, lastName: 'Hopper' }, subscribeTo: ['group-news'] };
    const design = { transactionalId: locator('id', 'design-7'), addToAudience };
    await setup.run({ ...emailParameters({}, FIRST_NAME), ...design, ...fields }, people(1));
    const kept = { userId: '42', lastName: 'Hopper', subscriptionGroups: { 'group-news': true } };
    expect((await setup.sandbox.contacts()).slice(1)).toMatchObject(addToAudience ? [kept] : []);
    expect('lastName' in bodyOf(writes(setup.sandbox)[0])).toBe(addToAudience);
  });

  test('Get Many: all designs over several pages, one item each', async () => {
    const { items } = await setup.run({ resource: 'email', operation: 'getAll', returnAll: true });
    expect(new Set(items.map(({ json }) => json['id'])).size).toBe(120);
    expect(items[0]?.json).toMatchObject({ dataVariables: ['firstName'] });
  });

  test('Get Many: no more than the limit for each input item', async () => {
    const many = { resource: 'email', operation: 'getAll', limit: '={{ $json.limit }}' };
    const { items } = await setup.run(many, [{ limit: 2 }, { limit: '1' }]);
    expect(items.map(({ json }) => json['id'])).toEqual(['design-0', 'design-1', 'design-0']);
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1]);
  });
});

test('Event > Send: matches by User ID, sets contact fields and groups', async () => {
  const { items } = await setup.run({
    ...{ resource: 'event', operation: 'send', eventName: 'signedUp', userId: 'user-ada' },
    ...{ contactFields: mapped({ lastName: 'Lovelace', teamSize: '3' }), subscribeTo: 'group-updates' },
  });
  expect(items[0]?.json).toEqual({ success: true, eventName: 'signedUp', userId: 'user-ada' });
  expect(await setup.sandbox.contacts()).toMatchObject([
    {
      ...{ lastName: 'Lovelace', properties: { teamSize: 3 } },
      subscriptionGroups: { 'group-updates': true },
    },
  ]);
});

test('without input items nothing is done', async () => {
  const { outcome } = await setup.run(emailParameters(), []);
  expect(outcome.status).toBe('success');
  expect(setup.sandbox.requests()).toEqual([]);
});

test('designs are read until the chosen one is there, and kept for a minute', async () => {
  const send = (design: string) => ({
    ...emailParameters({}, FIRST_NAME),
    transactionalId: locator('id', design),
  });
  const lists = () => setup.sandbox.requests({ route: 'listTransactionalEmails' }).length;
  for (const [design, pages] of [
    ['design-7', 1],
    ['design-60', 3],
    ['design-7', 3],
  ] as const) {
    const { error } = await setup.run(send(design), people(2));
    expect(error).toBeUndefined();
    expect(lists()).toBe(pages);
  }
  const { error } = await setup.run(send('gone'), people(2));
  expect(error?.context['code']).toBe('unknown-design');
  expect(lists()).toBe(6);
});
