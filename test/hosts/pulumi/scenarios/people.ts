import assert from 'node:assert/strict';
import { named, errorLines, warningLines, type Scenario } from './world.js';

const GROUP = { id: 'news', name: 'News' };

/** What contacts decide for themselves, and who a contact is: several edits in one stack, as weeks go by. */
export const people: readonly Scenario[] = [
  {
    name: 'a list over some weeks: each new contact gets one event, and nobody is changed unasked',
    seed: {
      subscriptionGroups: [GROUP],
      contacts: ['ada', 'bob', 'kim'].flatMap((name) =>
        named(name).map((one) => ({ ...one, userId: `user-${name}` })),
      ),
    },
    async play(world) {
      await world.program(`
        const createWithEvent = { eventName: 'joined' };
        new Contact('kim', { email: 'kim@example.com', userId: 'user-kim' });
        const consent = { subscribed: { '': 'mail', false: 'no mail' } };
        new Contacts('a', { file: 'a.csv', consent, createWithEvent });
        new Contacts('b', { file: 'b.csv', consent: 'mail', createWithEvent });`);
      const fresh = Array.from({ length: 20 }, (_, index) => `new-${index}@example.com`);
      const emails = { ada: 'ada@example.com', bob: 'bob@example.com' };
      const list = (cells: (index: number) => string): Promise<void> =>
        world.save('a.csv', [
          'email,userId,firstName,subscribed,subscriptionGroups.news',
          ...[`${emails.ada},user-ada,A,,`, `${emails.bob},user-bob,B,,`],
          ...fresh.map((email, index) => `${email},,N,${cells(index)}`),
        ]);
      const change = (email: string, to: { readonly subscribed: true } | undefined): void => {
        const seed = world.sandbox.export();
        const others = seed.contacts?.flatMap((one) =>
          one.email !== email ? [one] : to === undefined ? [] : [{ ...one, ...to }],
        );
        world.sandbox.load({ ...seed, contacts: others });
      };
      await list(() => ',');
      await world.save('b.csv', ['email,firstName', ...fresh.map((email) => `${email},N`)]);
      await world.up();
      const events = world.calls().filter((call) => call.startsWith('POST /v1/events/send'));
      assert.equal(events.length, fresh.length, 'one event for each who is new, though both lists name them');
      const outputs = (await world.stack.resources()).find(({ urn }) => urn.endsWith('::a'))?.outputs ?? {};
      assert.match(String(outputs['written']), /^22 contacts, [0-9a-f]{16}, with an event$/);
      assert.match(String(outputs['entries']), /^\S{12} \S{12} \S{6}\.?/);

      // She opts out by the list, and signs up again by herself.
      await list((index) => (index === 0 ? 'false,' : ','));
      await world.up();
      assert.deepEqual(world.writes(), ['PUT /v1/contacts/new-0@example.com {"subscribed":false} 200']);
      change('new-0@example.com', { subscribed: true });
      // Another one is erased.
      change('new-1@example.com', undefined);
      const nightly = await world.up({ refresh: true });
      assert.deepEqual(world.writes(), []);
      assert.match(warningLines(nightly).join('\n'), /line \d+ of 'a.csv' no longer exists in the service/);
      await world.up({ refresh: true });
      assert.deepEqual(world.writes(), []);
      assert.match(await world.stack.exportState(), / gone/);

      // An address that was changed in the service is drift.
      await world.others.contacts.update('user-ada', { email: 'countess@example.com' });
      await world.others.contacts.update('user-kim', { email: 'other@example.com' });
      const refreshed = await world.stack.refresh();
      assert.match(
        warningLines(refreshed).join('\n'),
        /1 contact of 'a.csv' has other values in the service/,
      );
      world.calls();
      await world.up();
      assert.deepEqual(world.writes().sort(), [
        'PUT /v1/contacts/user-ada {"email":"ada@example.com"} 200',
        'PUT /v1/contacts/user-kim {"email":"kim@example.com"} 200',
      ]);

      await list((index) => (index < 15 ? ',true' : ','));
      await world.up();
      world.calls();
      await list((index) => (index < 15 ? ',false' : ','));
      const removing = errorLines(await world.stack.preview()).join('\n');
      assert.match(removing, /15 contacts would lose something \(15 leave group 'news'\); the limit is 10/);

      Object.assign(emails, { ada: emails.bob, bob: emails.ada });
      await list((index) => (index < 15 ? ',true' : ','));
      const swapped = await world.stack.up();
      assert.match(
        swapped.log.join('\n'),
        /To swap two addresses, first give one contact an interim address/,
      );
      assert.deepEqual(world.writes(), []);
    },
  },
];
