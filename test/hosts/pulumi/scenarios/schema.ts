import assert from 'node:assert/strict';
import type { Seed } from 'audience-sandbox';
import { inWorld, type Scenario } from './world.js';

const SEED: Seed = {
  properties: [
    { name: 'plan', type: 'string' },
    { name: 'class', type: 'number' },
  ],
  subscriptionGroups: [
    { id: 'g1', name: 'News' },
    { id: 'g2', name: 'Tips' },
    { id: 'g3', name: 'Tips' },
  ],
  designs: [{ id: 'd1', name: 'Welcome' }],
  contacts: [{ email: 'ada@example.com', firstName: 'Ada' }],
};

export const schema: readonly Scenario[] = [
  {
    name: 'functions read contacts, properties, groups and designs, plainly and from Outputs',
    only: 'dynamic',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
        await world.program(`
          exports.firstName = pulumi.output('ada@example.com').apply((email) => audience.getContact({ email })).firstName;
          exports.plain = audience.getContact({ email: 'ada@example.com' }).then((contact) => contact.email);
          exports.keys = audience.getContactProperties({ list: 'custom' }).then((list) => list.map(({ key }) => key).sort());
          exports.groups = audience.getSubscriptionGroups().then((groups) => groups.length);
          exports.news = audience.getSubscriptionGroup({ name: 'News' }).then(({ id }) => id);
          exports.welcome = audience.getTransactionalEmail({ name: 'Welcome' }).then(({ id }) => id);
          exports.designs = audience.getTransactionalEmails().then((designs) => designs.length);`);
        const { outputs } = await world.up();
        assert.deepEqual(outputs, {
          firstName: 'Ada',
          plain: 'ada@example.com',
          keys: ['class', 'plan'],
          groups: 3,
          news: 'g1',
          welcome: 'd1',
          designs: 1,
        });
      }),
  },
];
