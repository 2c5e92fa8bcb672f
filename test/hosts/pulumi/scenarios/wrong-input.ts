import assert from 'node:assert/strict';
import type { Seed } from 'audience-sandbox';
import { assertNoStackTrace, errorLines, warningLines, type Scenario } from './world.js';

const SEED: Seed = {
  properties: [
    { name: 'seats', type: 'number' },
    { name: 'endsAt', type: 'date' },
  ],
  contacts: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
};

const PROGRAM = `new ContactProperty('p', { name: 'plan', type: 'string' });`;

export const wrongInput: readonly Scenario[] = [
  {
    name: 'preview tells a mistake in program or configuration in one sentence, without a stack trace or the key',
    seed: SEED,
    async play(world) {
      const mistakes: readonly (readonly [RegExp, string, string?])[] = [
        [/camelCase/, `new ContactProperty('p', { name: 'First Name', type: 'string' });`],
        [/no subscription group named 'Offers'/, `void audience.getSubscriptionGroup({ name: 'Offers' });`],
        [/pulumi config set --secret audience:apiKey/, PROGRAM, 'not the key'],
        [/does not accept the API key \(401\).*after a change, add --run-program/, PROGRAM, 'not-the-key'],
      ];
      for (const [says, program, apiKey = world.sandbox.apiKey] of mistakes) {
        await world.program(program);
        const config = { 'audience:baseUrl': world.sandbox.url, 'audience:apiKey': { secret: apiKey } };
        // A process of its own, as a person has it: it waits for what the program does not await, a kept one does not.
        const result = await world.stack.preview({ config, env: {} });
        assert.equal(result.failed, true, `${program}\n${result.log.join('\n')}`);
        assert.match(result.log.join('\n'), says);
        if (program === PROGRAM) assert.equal(errorLines(result).length, 1, result.log.join('\n'));
        assert.ok(!result.log.join('\n').includes(apiKey), 'the key is shown');
        assertNoStackTrace(result);
      }
      // Nobody listens there, and nobody can get it: a free port may become that of another scenario.
      const config = { ...world.config, 'audience:baseUrl': 'http://127.0.0.1:9' };
      const preview = await world.stack.preview({ config });
      assert.equal(preview.failed, false);
      assert.match(
        warningLines(preview).join('\n'),
        /properties could not be checked: nothing listens at \S+ \(ECONNREFUSED\)/,
      );
      assert.deepEqual(world.writes(), []);
    },
  },
  {
    name: 'values that are not known yet are left for later by preview, and a contact waits for the properties of an Output',
    seed: SEED,
    async play(world) {
      await world.program(`
        const plan = new ContactProperty('plan', { name: 'plan', type: 'string' });
        const later = plan.id.apply((id) => id);
        new ContactProperty('q', { name: later.apply(() => 'other'), type: later.apply(() => 'date') });
        new Contact('ada', { email: later.apply(() => 'ada@example.com'), subscribed: later.apply(() => false),
          properties: { seats: later.apply(() => 3), endsAt: later.apply(() => new Date(0)) },
          subscriptionGroups: later.apply(() => ({})), createWithEvent: later.apply(() => ({ eventName: 'x' })) });
        new ContactProperty('c', { name: pulumi.output('constructor'), type: 'string' });
        new Contact('bob', { email: 'bob@example.com', properties: pulumi.output({ plan: 'Pro', constructor: 'Babbage' }) });`);
      const preview = await world.stack.preview();
      assert.deepEqual([preview.failed, preview.summary.create], [false, 5], preview.log.join('\n'));
      await world.up();
      const [ada, bob] = await world.sandbox.contacts();
      assert.deepEqual(ada?.properties, { seats: 3, endsAt: 0 });
      assert.deepEqual(bob?.properties, { plan: 'Pro', constructor: 'Babbage' });
      assert.equal((await world.up()).summary.same, 5);
    },
  },
  {
    name: 'the API key comes from the environment where the configuration has none, and the configuration wins',
    config: {},
    seed: {
      ...SEED,
      contacts: [{ email: 'ada@example.com', firstName: 'Ada' }],
      designs: [{ id: 'd1', name: 'Welcome' }],
    },
    async play(world) {
      await world.program(`${PROGRAM}
        exports.firstName = pulumi.output('ada@example.com').apply((email) => audience.getContact({ email })).firstName;
        exports.plain = audience.getContact({ email: 'ada@example.com' }).then(({ email }) => email);
        exports.hasSeats = audience.getContactProperties({ list: 'custom' }).then((all) => all.some(({ key }) => key === 'seats'));
        exports.welcome = audience.getTransactionalEmail({ name: 'Welcome' }).then(({ id }) => id);
        exports.designs = audience.getTransactionalEmails().then((designs) => designs.length);`);
      const env = { AUDIENCE_BASE_URL: world.sandbox.url, AUDIENCE_API_KEY: world.sandbox.apiKey };
      const { outputs } = await world.up({ env });
      const read = { firstName: 'Ada', plain: 'ada@example.com', hasSeats: true, welcome: 'd1', designs: 1 };
      assert.deepEqual(outputs, read);
      assert.equal(world.writes().length, 1);
      const wrong = { AUDIENCE_BASE_URL: 'http://api.example.com', AUDIENCE_API_KEY: 'wrong' };
      const config = {
        'audience:baseUrl': world.sandbox.url,
        'audience:apiKey': { secret: world.sandbox.apiKey },
      };
      assert.equal((await world.up({ env: wrong, config })).summary.same, 1);
    },
  },
];
