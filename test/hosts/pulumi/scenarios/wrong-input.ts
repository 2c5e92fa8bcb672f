import assert from 'node:assert/strict';
import type { Seed } from 'audience-sandbox';
import { assertNoStackTrace, errorLines, inWorld, warningLines } from './world.js';
import type { Scenario } from './world.js';

const SEED: Seed = {
  properties: [
    { name: 'seats', type: 'number' },
    { name: 'endsAt', type: 'date' },
  ],
  contacts: [{ email: 'ada@example.com', firstName: 'Ada' }],
};

export const wrongInput: readonly Scenario[] = [
  {
    name: 'preview catches a wrong API key',
    run: (engine) =>
      inWorld(engine, { seed: SEED, config: {} }, async (world) => {
        await world.program(`new ContactProperty('p', { name: 'plan', type: 'string' });`);
        const key = { secret: 'not-the-key' };
        const config = { 'audience:baseUrl': world.sandbox.url, 'audience:apiKey': key };
        const result = await world.stack.preview({ config });
        assert.equal(result.failed, true);
        const errors = errorLines(result);
        assert.equal(errors.length, 1, `one sentence, not: ${errors.join(' | ')}`);
        assert.match(
          errors[0] ?? '',
          /does not accept the API key \(401\).*after a change, add --run-program/,
        );
        assertNoStackTrace(result);
        assert.ok(!result.log.join('\n').includes('not-the-key'), 'the key is shown');
        assert.deepEqual(world.writes(), []);
      }),
  },
  {
    name: 'values that are not known yet are left for later by preview, whatever their type',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
        await world.program(`
          const plan = new ContactProperty('plan', { name: 'plan', type: 'string' });
          const later = plan.id.apply((id) => id);
          new ContactProperty('q', { name: later.apply(() => 'other'), type: later.apply(() => 'date') });
          new Contact('ada', { email: later.apply(() => 'ada@example.com'), subscribed: later.apply(() => false),
            properties: { seats: later.apply(() => 3), endsAt: later.apply(() => new Date(0)) },
            subscriptionGroups: later.apply(() => ({})), createWithEvent: later.apply(() => ({ eventName: 'x' })) });`);
        const preview = await world.stack.preview();
        assert.deepEqual([preview.failed, preview.summary.create], [false, 3], preview.log.join('\n'));
        await world.up();
        assert.deepEqual(world.sandbox.contacts()[0]?.properties, { seats: 3, endsAt: 0 });
        assert.equal((await world.up()).summary.same, 3);
      }),
  },
  {
    name: 'a service that is away: preview says so and goes on',
    run: (engine) =>
      inWorld(engine, {}, async (world) => {
        const config = {
          // Nobody listens there, and nobody can get it: a free port may become that of another scenario.
          'audience:baseUrl': 'http://127.0.0.1:9',
          'audience:apiKey': { secret: world.sandbox.apiKey },
        };
        await world.program(`new ContactProperty('p', { name: 'plan', type: 'string' });`);
        const preview = await world.stack.preview({ config });
        assert.equal(preview.failed, false);
        assert.match(
          warningLines(preview).join('\n'),
          /properties could not be checked: the service (cannot be reached|did not respond)/,
        );
      }),
  },
  {
    name: 'the API key comes from the environment where the configuration has none, and the configuration wins',
    run: (engine) =>
      inWorld(engine, { config: {} }, async (world) => {
        await world.program(`new ContactProperty('p', { name: 'plan', type: 'string' });`);
        const env = { AUDIENCE_BASE_URL: world.sandbox.url, AUDIENCE_API_KEY: world.sandbox.apiKey };
        await world.up({ env });
        assert.equal(world.writes().length, 1);
        const wrong = { AUDIENCE_BASE_URL: 'http://api.example.com', AUDIENCE_API_KEY: 'wrong' };
        const config = {
          'audience:baseUrl': world.sandbox.url,
          'audience:apiKey': { secret: world.sandbox.apiKey },
        };
        assert.equal((await world.up({ env: wrong, config })).summary.same, 1);
      }),
  },
];
