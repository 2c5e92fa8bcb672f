import assert from 'node:assert/strict';
import type { Seed } from 'audience-sandbox';
import type { Scenario, World } from './world.js';

const SEED: Seed = {
  properties: [{ name: 'plan', type: 'string' }],
  subscriptionGroups: [{ id: 'news', name: 'News' }],
  contacts: ['ada', 'bob', 'cleo'].map((name) => ({
    email: `${name}@example.com`,
    userId: `user-${name}`,
    firstName: 'Kept',
    lastName: 'Kept',
    source: 'kept',
    subscriptionGroups: { news: true },
    properties: { plan: 'Kept' },
  })),
};

/** Nobody has lost a value, a group or a subscription. */
async function assertNobodyHarmed(world: World): Promise<void> {
  for (const {
    email,
    firstName,
    lastName,
    source,
    subscribed,
    subscriptionGroups,
    properties,
  } of await world.sandbox.contacts())
    assert.deepEqual(
      [firstName, lastName, source, subscribed, subscriptionGroups, properties],
      ['Kept', 'Kept', 'kept', true, { news: true }, { plan: 'Kept' }],
      email ?? '',
    );
}

/** Edits that once took something from contacts because something was missing. */
export const absent: readonly Scenario[] = [
  {
    name: 'what leaves the program stays: fields, rows, columns, a renamed list with fewer rows, a file, a stack',
    seed: SEED,
    async play(world) {
      const list = (name: string): string => `new Contacts('${name}', { file: 'a.csv', consent: 'mail' });`;
      await world.program(`
        new Contact('cleo', { email: 'cleo@example.com', firstName: 'Kept', properties: { plan: 'Kept' }, subscriptionGroups: { news: true } });
        ${list('a')}`);
      const header = 'email,firstName,plan,subscriptionGroups.news';
      await world.save('a.csv', [header, 'ada@example.com,Kept,Kept,true', 'bob@example.com,Kept,Kept,true']);
      await world.up();
      await world.save('a.csv', [header, 'ada@example.com,,Kept,true', 'bob@example.com,Kept,Kept,true']);
      assert.match((await world.up()).log.join('\n'), /1 firstName emptied: values kept/);
      await world.save('a.csv', ['email,firstName', 'ada@example.com,Kept', 'bob@example.com,Kept']);
      await world.up();
      await world.save('a.csv', ['email,firstName', 'ada@example.com,Kept']);
      await world.program(`new Contact('cleo', { email: 'cleo@example.com' }); ${list('renamed')}`);
      const renamed = await world.up();
      assert.match(renamed.log.join('\n'), /firstName: no longer managed, value kept/);
      await world.program('');
      await world.up();
      await world.stack.destroy();
      await assertNobodyHarmed(world);
    },
  },
  {
    name: 'a secret value is in no message, error or reason',
    seed: SEED,
    async play(world) {
      const program = (more: string): Promise<void> =>
        world.program(`new Contact('ada', { email: pulumi.secret('ada@example.com')${more} });`);
      await program(`, firstName: 'A'`);
      const results = [await world.stack.preview(), await world.up()];
      await program(`, userId: pulumi.secret('user-bob')`);
      results.push(await world.stack.up());
      await program('');
      results.push(await world.up(), await world.stack.destroy());
      await world.program(`new Contact('ghost', { email: pulumi.secret('ghost@example.com') });`);
      results.push(await world.stack.up());
      const log = results.flatMap((result) => result.log);
      assert.ok(
        log.some((line) => line.includes('[secret]')),
        log.join('\n'),
      );
      for (const line of log) assert.doesNotMatch(line, /ada@|ada%40|user-bob|ghost@|ghost%40/);
    },
  },
];
