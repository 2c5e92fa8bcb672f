import assert from 'node:assert/strict';
import type { Scenario } from './world.js';

const emailOf = (n: number): string => `p${n}@example.com`;
const GROUP = { id: 'news', name: 'News' };

/** A list of these people by an array, with further columns. */
function listOf(name: string, from: number, to: number, row = '', more = ''): string {
  return `new Contacts('${name}', {
    contacts: Array.from({ length: ${to - from} }, (_, n) => ({ email: 'p' + (n + ${from}) + '@example.com', ${row} })), ${more}
  });`;
}

/** Lists that are cut up, named anew, many at once, or run alone. */
export const lists: readonly Scenario[] = [
  {
    name: 'a list that is split and then renamed creates nobody again, and brings back nobody who left',
    seed: { subscriptionGroups: [GROUP] },
    async play(world) {
      const row = 'subscriptionGroups: { news: true }';
      const event = `createWithEvent: { eventName: 'joined' }`;
      const lists = (...all: readonly (readonly [name: string, from: number, to: number])[]): string =>
        all.map(([name, from, to]) => listOf(name, from, to, row, event)).join('\n');
      await world.program(lists(['all', 0, 20]));
      await world.up();
      assert.equal(world.writes().filter((line) => line.includes('"joined"')).length, 20);
      for (const n of [10, 11])
        await world.others.contacts.update(emailOf(n), { subscriptionGroups: { news: false } });
      for (const [first, second] of [
        ['all', 'second'],
        ['first', 'last'],
      ] as const) {
        await world.program(lists([first, 0, 10], [second, 10, 20]));
        await world.up();
        assert.ok(world.writes().every((line) => line.startsWith('PUT')));
      }
      const contacts = await world.sandbox.contacts();
      const out = contacts.filter(({ subscriptionGroups }) => subscriptionGroups['news'] === false);
      const emails = out.map(({ email }) => email).sort();
      assert.deepEqual([contacts.length, emails], [20, [emailOf(10), emailOf(11)]]);
      assert.equal((await world.up()).summary.same, 2);
    },
  },
  {
    name: 'a list that is targeted alone does not know the opt-outs of another one, as the docs say',
    async play(world) {
      const event = `createWithEvent: { eventName: 'joined' }`;
      await world.program(`${listOf('out', 0, 1, 'subscribed: false')} ${listOf('in', 0, 2, '', event)}`);
      await world.up({ flags: ['--target', 'urn:pulumi:test::scenario::audience:index:Contacts::in'] });
      assert.equal(world.writes().filter((line) => line.includes('"joined"')).length, 2);
      assert.equal((await world.stack.resources()).length, 1);
    },
  },
];
