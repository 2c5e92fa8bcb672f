import assert from 'node:assert/strict';
import type { Seed } from 'audience-sandbox';
import { warningLines, type Scenario, type World } from './world.js';

const ADA = { email: 'ada@example.com', userId: 'user-ada', firstName: 'Ada' };
const SEATS = { name: 'seats', type: 'number' } as const;
const PLAN_CREATED = 'POST /v1/contacts/properties {"name":"plan","type":"string"} 200';
const FULL: Seed = {
  properties: [
    SEATS,
    { name: 'plan', type: 'string' },
    { name: 'endsAt', type: 'date' },
    { name: 'team', type: 'string' },
  ],
  subscriptionGroups: [
    { id: 'news', name: 'News' },
    { id: 'tips', name: 'Tips' },
  ],
  contacts: [{ ...ADA, lastName: 'Lovelace', source: 'kept', properties: { team: 'Engines' } }],
};

export const lifecycle: readonly Scenario[] = [
  {
    name: 'a contact property is created once, again under another name or when it is gone, and stays in the service',
    async play(world) {
      await world.program(`
        const seats = new ContactProperty('p', { name: 'seats', type: 'number' });
        exports.name = seats.name;`);
      const preview = await world.stack.preview();
      assert.deepEqual([preview.failed, preview.summary.create, world.writes()], [false, 1, []]);
      const first = await world.up();
      assert.deepEqual(first.outputs, { name: 'seats' });
      assert.deepEqual(world.writes(), ['POST /v1/contacts/properties {"name":"seats","type":"number"} 200']);
      const [stored] = await world.stack.resources();
      assert.equal(stored?.id, 'seats');
      assert.deepEqual(withoutProvider(stored.outputs), SEATS);
      const second = await world.up();
      assert.deepEqual([second.summary.same, world.writes()], [1, []]);

      await world.program(`new ContactProperty('p', { name: 'plan', type: 'string' });`);
      const renamed = await world.up();
      assert.equal(renamed.summary.replace, 1);
      assert.deepEqual(world.writes(), [PLAN_CREATED]);
      assert.match(warningLines(renamed).join('\n'), /'seats' was removed from Pulumi's state only/);
      assert.deepEqual(await idsOf(world), ['plan']);

      world.sandbox.load({});
      const refreshed = await world.stack.refresh();
      assert.deepEqual([refreshed.failed, refreshed.summary.delete], [false, 1]);
      assert.match(warningLines(refreshed).join('\n'), /'plan' no longer exists in the service/);
      assert.deepEqual(await idsOf(world), []);
      await world.up();
      assert.deepEqual(world.writes(), [PLAN_CREATED]);

      const destroyed = await world.stack.destroy();
      assert.deepEqual([destroyed.failed, destroyed.summary.delete, world.writes()], [false, 1, []]);
      assert.match(warningLines(destroyed).join('\n'), /'plan' was removed from Pulumi's state only/);
      assert.deepEqual(await idsOf(world), []);
      assert.deepEqual(
        (await world.others.properties.list({ list: 'custom' })).map(({ key }) => key),
        ['plan'],
      );
    },
  },
  {
    name: 'a contact that exists: only what is declared is written or drift, and what is removed keeps its value',
    seed: FULL,
    async play(world) {
      const identity = `email: 'ada@example.com', userId: 'user-ada'`;
      await world.program(`
        const ada = new Contact('ada', { ${identity}, firstName: 'Augusta', lastName: 'L',
          subscriptionGroups: { news: true }, properties: { seats: 3, plan: 'Pro', endsAt: new Date('2027-01-01T00:00:00Z') } });
        exports.id = ada.id;
        exports.declared = ada.firstName;
        exports.undeclared = ada.source.apply((source) => source === undefined);`);
      const planned = await world.stack.preview();
      assert.deepEqual([planned.summary.create, world.writes()], [1, []]);
      const { outputs } = await world.up();
      assert.deepEqual(world.writes(), [
        'PUT /v1/contacts/user-ada {"firstName":"Augusta","lastName":"L","subscriptionGroups":{"news":true},' +
          '"endsAt":1798761600,"plan":"Pro","seats":3} 200',
      ]);
      const [created] = await world.sandbox.contacts();
      assert.deepEqual(outputs, { id: created?.id, declared: 'Augusta', undeclared: true });
      assert.deepEqual([created?.source, created?.properties['team']], ['kept', 'Engines']);

      await world.program(`
        new Contact('ada', { ${identity}, firstName: 'Ada', subscribed: false, clear: ['source'],
          subscriptionGroups: { news: false, tips: true }, properties: { seats: 4, plan: null, endsAt: new Date('2028-01-01T00:00:00Z') } });`);
      const preview = await world.stack.preview();
      assert.deepEqual([preview.summary.update, world.writes()], [1, []]);
      const updated = await world.up();
      assert.equal(updated.summary.update, 1);
      assert.match(updated.log.join('\n'), /lastName: no longer managed, value kept/);
      assert.deepEqual(world.writes(), [
        'PUT /v1/contacts/user-ada {"firstName":"Ada","source":null,"subscribed":false,' +
          '"subscriptionGroups":{"news":false,"tips":true},"endsAt":1830297600,"plan":null,"seats":4} 200',
      ]);
      const [contact] = await world.sandbox.contacts();
      assert.deepEqual(
        { ...contact, id: '', createdAt: '', updatedAt: '' },
        {
          ...{ ...ADA, id: '', createdAt: '', updatedAt: '' },
          ...{ firstName: 'Ada', lastName: 'L', source: null, subscribed: false },
          subscriptionGroups: { news: false, tips: true },
          properties: { seats: 4, endsAt: 1830297600, team: 'Engines' },
        },
      );

      await world.others.contacts.update('user-ada', { lastName: 'King' });
      assert.equal((await world.stack.refresh()).summary.same, 1);
      await world.others.contacts.update('user-ada', { seats: 9, firstName: 'Somebody' });
      assert.equal((await world.stack.refresh()).summary.update, 1);
      world.calls();
      assert.equal((await world.up()).summary.update, 1);
      assert.deepEqual(world.writes(), ['PUT /v1/contacts/user-ada {"firstName":"Ada","seats":4} 200']);
      assert.equal((await world.sandbox.contacts())[0]?.lastName, 'King');
      assert.deepEqual([(await world.up()).summary.same, world.writes()], [1, []]);
    },
  },
  {
    name: 'a contact that does not exist is created by its event, once',
    async play(world) {
      await world.program(`
        new Contact('new', { email: 'new@example.com', userId: 'user-new', firstName: 'New',
          createWithEvent: { eventName: 'invited', eventProperties: { from: 'pulumi' } } });`);
      await world.up();
      assert.deepEqual(
        world.writes().filter((call) => call.startsWith('POST')),
        [
          'POST /v1/events/send {"email":"new@example.com","userId":"user-new","eventName":"invited","eventProperties":{"from":"pulumi"}} 200',
        ],
      );
      const [contact] = await world.sandbox.contacts();
      assert.deepEqual(
        [contact?.email, contact?.userId, contact?.firstName],
        ['new@example.com', 'user-new', 'New'],
      );
      await world.up();
      assert.deepEqual(world.writes(), []);
    },
  },
  {
    name: 'a contact waits for the properties that it uses, and for values of other resources',
    seed: { contacts: [ADA, { email: 'bob@example.com' }] },
    async play(world) {
      await world.program(`
        const plan = new ContactProperty('plan', { name: 'plan', type: 'string' });
        const ada = new Contact('ada', { email: 'ada@example.com', properties: { plan: 'Pro' } });
        new Contact('bob', { email: 'bob@example.com', source: ada.id });`);
      const preview = await world.stack.preview();
      assert.deepEqual([preview.failed, preview.summary.create, world.writes()], [false, 3, []]);
      await world.up();
      const id = (await world.sandbox.contacts())[0]?.id;
      assert.deepEqual(world.writes(), [
        'POST /v1/contacts/properties {"name":"plan","type":"string"} 200',
        'PUT /v1/contacts/ada@example.com {"plan":"Pro"} 200',
        `PUT /v1/contacts/bob@example.com {"source":"${id ?? ''}"} 200`,
      ]);
    },
  },
];

function withoutProvider({
  __provider: _,
  ...rest
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return rest;
}

async function idsOf(world: World): Promise<unknown[]> {
  return (await world.stack.resources()).map(({ id }) => id);
}
