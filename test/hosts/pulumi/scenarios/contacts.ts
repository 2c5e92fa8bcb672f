import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Seed } from 'audience-sandbox';
import { numbered, type Scenario } from './world.js';

const SEED: Seed = {
  properties: [
    { name: 'seats', type: 'number' },
    { name: 'plan', type: 'string' },
    { name: 'onTrial', type: 'boolean' },
    { name: 'endsAt', type: 'date' },
  ],
  subscriptionGroups: [{ id: 'news', name: 'News' }],
  contacts: ['ada', 'bob', 'cleo', 'dora'].map((name) => ({ email: `${name}@example.com` })),
};

const README = path.resolve(__dirname, '../../../../pulumi-provider/README.md');
const HEADER = 'email,userId,firstName,subscribed,subscriptionGroups.news,seats,plan,onTrial,endsAt';

export const contacts: readonly Scenario[] = [
  {
    name: 'contacts of a file and an array are written with their types, again only when they change, and are not in state',
    seed: SEED,
    async play(world) {
      await world.program(`
        new Contacts('all', { file: 'people.csv', consent: { subscribed: { '': 'mail', false: 'no mail' } } });
        new Contacts('array', { contacts: [{ email: 'dora@example.com', firstName: 'Dora' }] });`);
      await world.save('people.csv', [
        HEADER,
        'ada@example.com,user-ada,Ada,,true,3,Pro,true,2027-01-31',
        'bob@example.com,,"Bob, Jr.",false,,,,,',
      ]);
      const preview = await world.stack.preview();
      assert.deepEqual([preview.failed, preview.summary.create, world.writes()], [false, 2, []]);
      const first = await world.up();
      assert.deepEqual(world.writes().sort(), [
        'PUT /v1/contacts/ada@example.com {"firstName":"Ada","userId":"user-ada","subscriptionGroups":{"news":true},"endsAt":1801353600,"onTrial":true,"plan":"Pro","seats":3} 200',
        'PUT /v1/contacts/bob@example.com {"firstName":"Bob, Jr.","subscribed":false} 200',
        'PUT /v1/contacts/dora@example.com {"firstName":"Dora"} 200',
      ]);
      const refreshed = await world.stack.refresh();
      const second = await world.up();
      assert.deepEqual([second.summary.same, world.writes()], [2, []]);
      const exported = await world.stack.exportState();
      assert.ok(exported.includes('people.csv'));
      for (const text of [exported, ...[preview, first, refreshed, second].flatMap(({ log }) => log)])
        assert.doesNotMatch(text, /example\.com|user-ada|Ada|Bob|Dora/);

      // One changed, with a value emptied and another email; one new; one gone from the file.
      await world.save('people.csv', [
        HEADER,
        'countess@example.com,user-ada,Ada,,true,4,,true,2027-01-31',
        'cleo@example.com,,Cleo,,,,,,',
      ]);
      const changed = await world.up();
      assert.equal(changed.summary.update, 1);
      assert.deepEqual(world.writes().sort(), [
        'PUT /v1/contacts/cleo@example.com {"firstName":"Cleo"} 200',
        'PUT /v1/contacts/user-ada {"email":"countess@example.com","seats":4} 200',
      ]);
      assert.match(changed.log.join('\n'), /1 row no longer in the list, 1 plan emptied: values kept/);
      assert.equal((await world.up()).summary.same, 2);
    },
  },
  {
    name: 'the plan that the README shows is what a person sees',
    seed: {
      contacts: numbered(300),
      properties: [
        { name: 'planName', type: 'string' },
        { name: 'seats', type: 'number' },
      ],
    },
    async play(world) {
      const people = numbered(300);
      const customers = (rowOf: (index: number) => string) =>
        world.save('customers.csv', [
          'email,firstName,planName,seats',
          ...people.map(({ email }, index) => `${email},${rowOf(index)}`),
        ]);
      await customers(() => 'Ada,Free,1');
      await world.program(`new Contacts('customers', { file: 'customers.csv' });`);
      await world.up();
      people.splice(0, 3);
      await customers((index) =>
        index < 10 ? `Ada,Pro,${index < 3 ? 5 : 1}` : `${index === 10 ? '' : 'Ada'},Free,1`,
      );
      const { log } = await world.stack.preview();
      const readme = await readFile(README, 'utf8');
      const shown = /```text\n(Contacts 'customers' [^`]*?)\n```/.exec(readme)?.[1] ?? 'no plan';
      for (const line of shown.split('\n'))
        assert.ok(log.join('\n').includes(line), `shown: '${line}', seen:\n${log.join('\n')}`);
    },
  },
];
