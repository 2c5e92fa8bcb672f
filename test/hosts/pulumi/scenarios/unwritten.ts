import assert from 'node:assert/strict';
import { warningLines, type Scenario, type World } from './world.js';

async function optedOut({ sandbox }: World): Promise<string[]> {
  return (await sandbox.contacts()).flatMap(({ email, subscribed }) => (subscribed ? [] : [email ?? '']));
}

/** State never has a value that was not written. */
export const unwritten: readonly Scenario[] = [
  {
    name: 'an opt-out that met a stray 404, or nobody yet, is written once the contact is there',
    seed: { contacts: [{ email: 'ada@example.com' }] },
    async play(world) {
      const save = (...rows: string[]): Promise<void> => world.save('a.csv', ['email,wants', ...rows]);
      await world.program(
        `new Contacts('a', { file: 'a.csv', consent: { wants: { yes: 'mail', no: 'no mail' } }, columns: { email: 'email', wants: '' } });`,
      );
      await save('ada@example.com,yes');
      await world.up();
      world.sandbox.faults.next({ route: 'updateContact', respond: { status: 404 }, times: 1 });
      await save('ada@example.com,no', 'bob@example.com,no');
      await world.up();
      await world.others.events.send({ email: 'bob@example.com', eventName: 'signed up' });
      await world.stack.refresh();
      await world.up();
      assert.deepEqual((await optedOut(world)).sort(), ['ada@example.com', 'bob@example.com']);
      world.calls();
      await world.up({ refresh: true });
      assert.deepEqual(world.writes(), []);
    },
  },
  {
    name: 'an erased contact is created again only with another event, and the failure says so',
    async play(world) {
      const declare = (name: string, more = ''): Promise<void> =>
        world.program(`
          new Contact('${name}', { email: 'ada@example.com', createWithEvent: { eventName: 'joined'${more} } });`);
      await declare('ada');
      await world.up();
      await world.sandbox.deleteContact('ada@example.com');
      const refreshed = await world.up({ refresh: true });
      assert.match(warningLines(refreshed).join('\n'), /'ada@example.com' no longer exists in the service/);
      await declare('renamed');
      const failed = await world.stack.up();
      assert.match(failed.log.join('\n'), /eventProperties, for example add 'again: 1'/);
      assert.deepEqual(await world.sandbox.contacts(), []);
      await declare('renamed', ', eventProperties: { again: 1 }');
      await world.up();
      assert.equal((await world.sandbox.contacts()).length, 1);
    },
  },
  {
    name: 'an update without a clear response: state loses what it tried, and the next up writes it',
    seed: { contacts: [{ email: 'ada@example.com' }] },
    async play(world) {
      const declare = (firstName: string): Promise<void> =>
        world.program(`new Contact('ada', { email: 'ada@example.com', firstName: '${firstName}' });`);
      await declare('Ada');
      await world.up();
      world.sandbox.faults.next({ route: 'updateContact', cut: true, when: 'after', times: 9 });
      await declare('Augusta');
      assert.equal((await world.stack.up()).failed, true);
      world.sandbox.faults.clear();
      await declare('Ada');
      await world.up();
      assert.equal((await world.sandbox.contacts())[0]?.firstName, 'Ada');
    },
  },
];
