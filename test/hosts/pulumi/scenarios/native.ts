import assert from 'node:assert/strict';
import { startSandbox, type Seed } from 'audience-sandbox';
import { assertNoStackTrace, errorLines, type Scenario } from './world.js';

const SEED: Seed = {
  properties: [
    { name: 'seats', type: 'number' },
    { name: 'endsAt', type: 'date' },
  ],
  subscriptionGroups: [
    { id: 'g1', name: 'News' },
    { id: 'g2', name: 'Tips' },
    { id: 'g3', name: 'Tips' },
  ],
  designs: [{ id: 'd1', name: 'Welcome' }],
  contacts: [
    {
      email: 'ada@example.com',
      userId: 'user-ada',
      firstName: 'Ada',
      subscribed: false,
      subscriptionGroups: { g1: true, g2: false },
      properties: { seats: 3, endsAt: 1801353600 },
    },
    { email: 'bob@example.com', firstName: 'Bob' },
  ],
};

const DECLARED = `
  new ContactProperty('plan', { name: 'plan', type: 'string' });
  new Contact('ada', { email: 'ada@example.com', userId: 'user-ada', firstName: 'Augusta' });
  new Contacts('all', { contacts: [{ email: 'bob@example.com', firstName: 'Robert', subscriptionGroups: { g1: true } }] });`;

/** Statements that declare the same with the classes of the dynamic package. */
const DYNAMIC_DECLARED = `{ const { ContactProperty, Contact, Contacts } = require('pulumi-audience'); ${DECLARED} }`;

const upgrade: Scenario = {
  name: 'a stack of the dynamic types pulumi-nodejs:dynamic/audience:* is carried over: no person is touched',
  seed: SEED,
  async play(world) {
    await world.program(DYNAMIC_DECLARED);
    await world.up();
    assert.ok(
      (await world.stack.resources()).every(({ type }) => type.startsWith('pulumi-nodejs:dynamic/audience:')),
    );
    await world.others.contacts.update('bob@example.com', { subscriptionGroups: { g1: false } });
    world.calls();
    await world.program(DECLARED);
    const preview = await world.stack.preview();
    assert.deepEqual([preview.failed, preview.summary.same], [false, 3], preview.log.join('\n'));
    const after = await world.up();
    assert.deepEqual([after.summary.same, world.writes()], [3, []], after.log.join('\n'));
    assert.equal((await world.stack.refresh()).summary.same, 3);
    const resources = await world.stack.resources();
    assert.ok(resources.every(({ type }) => type.startsWith('audience:index:')));
    assert.ok(!JSON.stringify(resources).includes('__provider'), 'the old provider is still in state');
    const exported = await world.stack.exportState();
    assert.ok(!exported.includes('bob@example.com'), 'a person of Contacts is in state');
    assert.deepEqual(world.writes(), []);
    const destroyed = await world.stack.destroy();
    assert.equal(destroyed.failed, false, destroyed.log.join('\n'));
    assert.deepEqual(world.writes(), []);
  },
};

const imported = (withImport: (id: string) => string): string => `
  new ContactProperty('seats', { name: 'seats', type: 'number' }${withImport('seats')});
  new Contact('ada', { email: 'ada@example.com', userId: 'user-ada', firstName: 'Ada', subscribed: false,
    subscriptionGroups: { g1: true }, properties: { seats: 3, endsAt: '2027-01-31' } }${withImport('user-ada')});
  new Contact('bob', { email: 'bob@example.com' }${withImport('bob@example.com')});`;

export const native: readonly Scenario[] = [
  upgrade,
  {
    name: 'import of a property, and of contacts by userId and email: nothing is written or cleared, then or later',
    seed: SEED,
    async play(world) {
      await world.program(imported((id) => `, { import: '${id}' }`));
      await world.up();
      assert.deepEqual(
        new Set((await world.stack.resources()).map((resource) => resource.id)),
        new Set(['seats', 'contact-1', 'contact-2']),
      );
      await world.program(imported(() => ''));
      const later = await world.up();
      assert.equal(later.summary.same, 3, later.log.join('\n'));
      assert.equal((await world.stack.refresh()).summary.same, 3);
      assert.deepEqual(world.writes(), []);
    },
  },
  {
    name: 'what cannot be imported or got does not exist: nobody, and Contacts',
    seed: SEED,
    async play(world) {
      await world.program(
        `new Contact('x', { email: 'ghost@example.com' }, { import: 'ghost@example.com' });`,
      );
      const nobody = await world.stack.up();
      assert.match(errorLines(nobody).join('\n'), /'ghost@example.com' does not exist/);
      await world.program(`new Contact('x', {}, { id: 'ghost@example.com' });`);
      const got = await world.stack.up();
      assert.match(errorLines(got).join('\n'), /'ghost@example.com' does not exist/);
      await world.program(`new Contacts('x', { contacts: [] }, { import: 'all' });`);
      const many = await world.stack.up();
      assert.match(errorLines(many).join('\n'), /'all' does not exist/);
      for (const result of [nobody, got, many]) assertNoStackTrace(result);
      assert.deepEqual([await world.stack.resources(), world.writes()], [[], []]);
    },
  },
  {
    name: 'two accounts in one program: each resource is in its own, and another address is asked about',
    seed: { contacts: [{ email: 'ada@example.com' }] },
    async play(world) {
      const eu = await startSandbox({ seed: { contacts: [{ email: 'ada@example.com' }] } });
      const other = await startSandbox({
        seed: { contacts: [{ email: 'zoe@example.com' }, { email: 'ada@example.com' }] },
      });
      try {
        const program = (
          { url, apiKey }: { readonly url: string; readonly apiKey: string },
          movedFrom = '',
        ): string => `
          const eu = new audience.Provider('eu', { baseUrl: '${url}', apiKey: '${apiKey}'${movedFrom} });
          new Contact('ada', { email: 'ada@example.com', firstName: 'Here' });
          new Contact('ada-eu', { email: 'ada@example.com', firstName: 'There' }, { provider: eu });`;
        await world.program(program(eu));
        await world.up();
        assert.deepEqual(
          await Promise.all(
            [world.sandbox, eu].map(async (sandbox) =>
              (await sandbox.contacts()).map(({ firstName }) => firstName),
            ),
          ),
          [['Here'], ['There']],
        );
        const exported = await world.stack.exportState();
        for (const { apiKey } of [eu, world.sandbox])
          assert.ok(!exported.includes(apiKey), 'a key is in state');
        assert.equal((await world.up()).summary.same, 3);
        await world.program(program(other));
        const asked = errorLines(await world.stack.preview()).join('\n');
        assert.match(asked, /This stack was written to .*audience:movedFrom/);
        await world.program(program(other, `, movedFrom: '${eu.url}'`));
        await world.up();
        assert.deepEqual(
          (await other.contacts()).map(({ firstName }) => firstName ?? null),
          [null, null],
        );
        await world.program(program(other));
        // The provider alone has changed.
        assert.equal((await world.up()).summary.same, 2);
      } finally {
        await eu.close();
        await other.close();
      }
    },
  },
  {
    name: 'a new API key is taken, and an argument of a provider that cannot work is told at the provider',
    seed: SEED,
    async play(world) {
      const program = (key: string): string => `
        const own = new audience.Provider('own', { baseUrl: '${world.sandbox.url}', apiKey: '${key}' });
        new Contact('ada', { email: 'ada@example.com', firstName: 'Ada' }, { provider: own });`;
      await world.program(program('an-old-key'));
      const refused = await world.stack.preview();
      assert.match(errorLines(refused).join('\n'), /does not accept the API key \(401\)/);
      await world.program(program(world.sandbox.apiKey));
      await world.up();
      assert.equal((await world.up()).summary.same, 2);
      await world.program(
        `new audience.Provider('own', { baseUrl: 'http://api.example.com', apiKey: 'some-key' });`,
      );
      const faulty = await world.stack.preview();
      const errors = errorLines(faulty).join('\n');
      assert.match(errors, /'own' has a problem.*must begin with https.*the provider's argument 'baseUrl'/);
      for (const result of [refused, faulty]) {
        assertNoStackTrace(result);
        assert.ok(!/an-old-key|some-key/.test(result.log.join('\n')), 'a key is shown');
      }
    },
  },
  {
    name: 'functions respond with objects of their types, and with a sentence where there is nothing of a name',
    seed: SEED,
    async play(world) {
      await world.program(`
        exports.ada = audience.getContact({ userId: 'user-ada' });
        exports.keys = audience.getContactProperties({ list: 'custom' }).then((all) => all.contactProperties.map(({ key }) => key).sort());
        exports.seats = audience.getContactProperty({ name: 'seats' }).then(({ type }) => type);
        exports.groups = audience.getSubscriptionGroups().then((all) => all.subscriptionGroups.length);
        exports.news = audience.getSubscriptionGroupOutput({ name: pulumi.output('News') }).id;
        exports.welcome = audience.getTransactionalEmail({ name: 'Welcome' }).then(({ id }) => id);
        exports.designs = audience.getTransactionalEmails().then((all) => all.transactionalEmails.length);`);
      const { outputs } = await world.up();
      assert.deepEqual(outputs, {
        ada: {
          ...{ id: 'contact-1', email: 'ada@example.com', userId: 'user-ada', firstName: 'Ada' },
          ...{ subscribed: false, subscriptionGroups: { g1: true, g2: false } },
          properties: { seats: 3, endsAt: 1801353600 },
        },
        ...{ keys: ['endsAt', 'seats'], seats: 'number', groups: 3, news: 'g1', welcome: 'd1', designs: 1 },
      });
      for (const [call, says] of [
        [
          `getSubscriptionGroup({ name: 'Tips' })`,
          /There are several subscription groups named 'Tips', with the ids 'g2', 'g3'/,
        ],
        [
          `getContactProperty({ name: 'seat' })`,
          /There is no contact property named 'seat'. The service has/,
        ],
        [`getContact({ email: 'ghost@example.com' })`, /Could not read contact 'ghost@example.com'.*404/],
        [`getContact({})`, /give an 'email' or a 'userId'/],
      ] as const) {
        await world.program(`exports.result = audience.${call};`);
        const result = await world.stack.preview();
        assert.equal(result.failed, true);
        assert.match(result.log.join('\n'), says);
      }
    },
  },
  {
    name: 'an output that only the service knows is unknown in a preview, and known in the run',
    seed: SEED,
    async play(world) {
      const program = (rows: string): string => `
        const all = new Contacts('all', { contacts: [${rows}] });
        const createWithEvent = { eventName: 'x', eventProperties: { size: all.count } };
        new Contact('eve', { email: 'eve@example.com', createWithEvent });`;
      await world.program(program(`{ email: 'bob@example.com' }`));
      const first = await world.stack.preview();
      assert.deepEqual([first.failed, first.summary.create], [false, 2], first.log.join('\n'));
      await world.up();
      assert.match(world.writes().join('\n'), /"size":1/);
      await world.program(program(`{ email: 'bob@example.com' }, { email: 'ada@example.com' }`));
      const second = await world.stack.preview();
      assert.deepEqual([second.failed, second.summary.update], [false, 2], second.log.join('\n'));
    },
  },
];
