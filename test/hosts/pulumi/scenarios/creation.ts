import assert from 'node:assert/strict';
import { errorLines, named, numbered, type Scenario } from './world.js';

/** Resources beside the ones that a scenario is about: the engine creates before it has checked all. */
const BESIDE = `
  for (let i = 0; i < 40; i += 1) new Contact('beside-' + i, { email: 'person-' + i + '@example.com', firstName: 'Beside' });`;
const EVENT = `createWithEvent: { eventName: 'joined' }`;

/** Who is created by an event, where several resources speak of one person. */
export const creation: readonly Scenario[] = [
  {
    name: 'who is gone for one resource is created by no other one, nor by a replacement',
    seed: { contacts: [...named('ada', 'bob'), ...numbered(40)] },
    async play(world) {
      const customers = (more = ''): string => `
        const customers = new Contacts('customers', { contacts: [{ email: 'ada@example.com' }], ${EVENT} });
        const bob = new Contact('bob', { email: 'bob@example.com', firstName: 'Bob', ${EVENT} });${more}`;
      await world.program(customers());
      await world.up();
      for (const email of ['ada@example.com', 'bob@example.com']) await world.sandbox.deleteContact(email);
      await world.stack.refresh();
      await world.program(
        customers(`
          new Contacts('newsletter', { contacts: [{ email: 'ada@example.com' }], ${EVENT} }, { dependsOn: customers });
          ${BESIDE}`),
      );
      world.calls();
      const plan = await world.stack.preview();
      assert.equal(plan.failed, false, plan.log.join('\n'));
      assert.doesNotMatch(plan.log.join('\n'), /gets? the event/);
      for (const flags of [['--parallel', '1'], []]) {
        assert.match((await world.up({ flags })).log.join('\n'), /no longer exists in the service/);
        assert.deepEqual(
          world.writes().filter((call) => call.startsWith('POST')),
          [],
        );
      }
      const replaced = `
        new Contacts('customers', { contacts: [{ email: 'ada@example.com', firstName: 'A' }], ${EVENT} }, { replaceOnChanges: ['*'] });
        new Contact('bob', { email: 'bob@example.com', firstName: 'B', ${EVENT} }, { replaceOnChanges: ['firstName'] });`;
      await world.program(replaced);
      const refused = errorLines(await world.stack.up({ flags: ['--continue-on-error'] })).join('\n');
      assert.match(refused, /'bob@example.com' no longer exists/);
      assert.deepEqual(await world.sandbox.events(), []);
    },
  },
  {
    name: 'an opt-out that comes after the signups: preview refuses it, a run writes it and is red; dependsOn sends no event',
    seed: { contacts: numbered(40) },
    async play(world) {
      const lists = (signups: string, optOuts: string, one = 'cleo', other = 'dora'): string => `
        const signups = (opts) => new Contacts('signups', { contacts: [{ email: '${one}@example.com' }, { email: '${other}@example.com' }], ${EVENT} }, opts);
        const optOuts = (opts) => new Contacts('opt-outs', { contacts: [{ email: '${other}@example.com', subscribed: false }] }, opts);
        ${signups}; ${optOuts};`;
      await world.program(lists('const first = signups()', 'optOuts({ dependsOn: first })'));
      const preview = await world.stack.preview();
      assert.match(
        errorLines(preview).join('\n'),
        /contacts\[1\] of Contacts 'signups' would get the event, but Contacts 'opt-outs' comes later/,
      );
      assert.deepEqual(world.writes(), []);
      const up = await world.stack.up({ flags: ['--parallel', '1'] });
      assert.match(up.log.join('\n'), /contacts\[1\] of Contacts 'signups' got the event/);
      assert.equal((await world.sandbox.contact('dora@example.com'))?.subscribed, false);
      await world.up();

      const ordered = lists('', 'signups({ dependsOn: optOuts() })', 'eve', 'finn');
      await world.program(ordered + BESIDE);
      assert.match((await world.stack.preview()).log.join('\n'), /1 gets the event 'joined'/);
      await world.up();
      const events = await world.sandbox.events();
      assert.deepEqual(
        events.map(({ email }) => email).sort(),
        ['cleo', 'dora', 'eve'].map((name) => `${name}@example.com`),
      );
      assert.equal(await world.sandbox.contact('finn@example.com'), undefined);
    },
  },
];
