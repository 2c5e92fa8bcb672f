import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Seed } from 'audience-sandbox';
import { inWorld } from './world.js';
import type { Scenario } from './world.js';

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
    name: 'a contact schema declares its properties, and contacts that use them wait for them',
    only: 'dynamic',
    run: (engine) =>
      inWorld(
        engine,
        { seed: { contacts: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }] } },
        async (world) => {
          await writeFile(
            path.join(world.programDir, 'people.csv'),
            'email,seats,endsAt\nbob@example.com,3,2027-01-31\n',
          );
          await world.program(`
          const crm = new ContactSchema('crm', { properties: { plan: 'string', seats: 'number', endsAt: 'date' } });
          new crm.Contact('ada', { email: 'ada@example.com', properties: { plan: 'Pro' } });
          new crm.Contacts('all', { file: 'people.csv' });
          exports.seats = crm.properties.seats.name;`);
          const preview = await world.stack.preview();
          assert.deepEqual([preview.failed, world.writes()], [false, []], preview.log.join('\n'));
          const { outputs } = await world.up();
          assert.deepEqual(outputs, { seats: 'seats' });
          const writes = world.writes();
          assert.deepEqual(writes.slice(0, 3).sort(), [
            'POST /v1/contacts/properties {"name":"endsAt","type":"date"} 200',
            'POST /v1/contacts/properties {"name":"plan","type":"string"} 200',
            'POST /v1/contacts/properties {"name":"seats","type":"number"} 200',
          ]);
          assert.deepEqual(writes.slice(3).sort(), [
            'PUT /v1/contacts/ada@example.com {"plan":"Pro"} 200',
            'PUT /v1/contacts/bob@example.com {"endsAt":1801353600,"seats":3} 200',
          ]);
          await world.up();
          assert.deepEqual(world.writes(), []);
        },
      ),
  },
  {
    name: 'functions read contacts, properties, groups and designs, plainly and from Outputs',
    only: 'dynamic',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
        await world.program(`
          exports.firstName = audience.getContactOutput({ email: pulumi.output('ada@example.com') }).firstName;
          exports.plain = audience.getContact({ email: 'ada@example.com' }).then((contact) => contact.email);
          exports.keys = audience.getContactPropertiesOutput({ list: 'custom' }).apply((list) => list.map(({ key }) => key).sort());
          exports.groups = audience.getSubscriptionGroups().then((groups) => groups.length);
          exports.news = audience.getSubscriptionGroupOutput({ name: pulumi.output('News') }).id;
          exports.welcome = audience.getTransactionalEmail({ name: 'Welcome' }).then(({ id }) => id);
          exports.designs = audience.getTransactionalEmailsOutput().apply((designs) => designs.length);`);
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
