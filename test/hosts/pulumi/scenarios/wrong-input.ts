import assert from 'node:assert/strict';
import type { Seed } from 'audience-sandbox';
import type { ConfigValue } from '../engine.js';
import { assertNoStackTrace, errorLines, inWorld, warningLines } from './world.js';
import type { Scenario } from './world.js';

/** One mistake: what the person wrote, and what they must be told. */
interface Mistake {
  readonly name: string;
  readonly program: string;
  /** All of these must be in the one sentence. */
  readonly says: readonly RegExp[];
  readonly seed?: Seed;
  /** Program of an earlier, successful run. */
  readonly before?: string;
}

const SEED: Seed = {
  properties: [
    { name: 'seats', type: 'number' },
    { name: 'endsAt', type: 'date' },
  ],
  contacts: [{ email: 'ada@example.com', firstName: 'Ada' }],
};

const contact = (inputs: string): string => `new Contact('ada', { email: 'ada@example.com', ${inputs} });`;

/** One of each kind: the unit tests of the resources have all of them. */
const CAUGHT_BY_PREVIEW: readonly Mistake[] = [
  {
    name: 'a property name that is not camelCase',
    program: `new ContactProperty('p', { name: 'First Name', type: 'string' });`,
    says: [/'p'/, /'First Name' is not camelCase/, /a property name begins with a small letter/],
  },
  {
    name: 'a change of type',
    before: `new ContactProperty('p', { name: 'plan', type: 'string' });`,
    program: `new ContactProperty('p', { name: 'plan', type: 'number' });`,
    says: [/'plan' is a string and cannot become a number/, /Keep string, or declare a new property/],
  },
  {
    name: 'an email that is none',
    program: `new Contact('ada', { email: 'ada' });`,
    says: [/'ada'/, /property email value \{ada\}/, /must be an email address/],
  },
  {
    name: 'milliseconds for a date',
    program: contact(`properties: { endsAt: 1700000000000000 }`),
    says: [/'ada'/, /'properties.endsAt' looks like milliseconds/],
  },
];

const caughtByPreview = CAUGHT_BY_PREVIEW.map((mistake): Scenario => ({
  name: `preview catches ${mistake.name}`,
  run: (engine) =>
    inWorld(engine, { seed: mistake.seed ?? SEED }, async (world) => {
      if (mistake.before !== undefined) {
        await world.program(mistake.before);
        await world.up();
        world.calls();
      }
      await world.program(mistake.program);
      const result = await world.stack.preview();
      assert.equal(result.failed, true);
      const errors = errorLines(result);
      assert.equal(errors.length, 1, `one sentence, not: ${errors.join(' | ')}`);
      for (const pattern of mistake.says) assert.match(errors[0] ?? '', pattern);
      assertNoStackTrace(result);
      assert.deepEqual(world.writes(), []);
    }),
}));

/** A setting with which nothing can work. */
interface Misconfiguration {
  readonly name: string;
  readonly config: (url: string, apiKey: string) => Record<string, ConfigValue>;
  readonly says: readonly RegExp[];
}

const MISCONFIGURATIONS: readonly Misconfiguration[] = [
  {
    name: 'a wrong API key',
    config: (url) => ({ 'audience:baseUrl': url, 'audience:apiKey': { secret: 'not-the-key' } }),
    says: [/does not accept the API key \(401\)/, /Check that the key is complete, not revoked/],
  },
  {
    name: 'a missing API key',
    config: (url) => ({ 'audience:baseUrl': url }),
    says: [
      /API key of the Audience service is missing/,
      /pulumi config set --secret audience:apiKey/,
      /AUDIENCE_API_KEY/,
    ],
  },
];

const misconfigured = MISCONFIGURATIONS.map((mistake): Scenario => ({
  name: `preview catches ${mistake.name}`,
  run: (engine) =>
    inWorld(engine, { seed: SEED, config: {} }, async (world) => {
      await world.program(`new ContactProperty('p', { name: 'plan', type: 'string' });`);
      const config = mistake.config(world.sandbox.url, world.sandbox.apiKey);
      const result = await world.stack.preview({ config });
      assert.equal(result.failed, true);
      const errors = errorLines(result);
      assert.equal(errors.length, 1, `one sentence, not: ${errors.join(' | ')}`);
      for (const pattern of mistake.says) assert.match(errors[0] ?? '', pattern);
      assertNoStackTrace(result);
      assert.ok(!result.log.join('\n').includes('not-the-key'), 'the key is shown');
      assert.deepEqual(world.writes(), []);
    }),
}));

/** Mistakes in the inputs, each in a preview of its own. */
export const mistakes: readonly Scenario[] = caughtByPreview;

export const wrongInput: readonly Scenario[] = [
  ...misconfigured,
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
    name: 'a contact that does not exist is an error of up that says so, and nothing is written',
    run: (engine) =>
      inWorld(engine, {}, async (world) => {
        await world.program(`new Contact('ghost', { email: 'ghost@example.com', firstName: 'G' });`);
        const result = await world.stack.up();
        assert.equal(result.failed, true);
        const errors = errorLines(result);
        assert.equal(errors.length, 1, errors.join(' | '));
        assert.match(
          errors[0] ?? '',
          /'ghost@example.com' does not exist in the service.*Set createWithEvent/,
        );
        assertNoStackTrace(result);
        assert.deepEqual(await world.stack.resources(), []);
        assert.deepEqual(world.sandbox.contacts(), []);
      }),
  },
  {
    name: 'a service that is away: preview says so and goes on, up ends in one sentence',
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
          /could not be checked against the service.*127\.0\.0\.1/,
        );
        const up = await world.stack.up();
        assert.equal(up.failed, true);
        const errors = errorLines(up);
        assert.equal(errors.length, 1, errors.join(' | '));
        assert.match(errors[0] ?? '', /127\.0\.0\.1/);
        assertNoStackTrace(up);
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
