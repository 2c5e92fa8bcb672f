import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assertNoStackTrace, errorLines, inWorld, warningLines } from './world.js';
import type { Scenario, World } from './world.js';

const NAMES = ['ada', 'bob', 'cleo'];
const SEED = { contacts: NAMES.map((name) => ({ email: `${name}@example.com`, userId: `user-${name}` })) };

const save = (world: World, name: string, lines: readonly string[]): Promise<void> =>
  writeFile(path.join(world.programDir, name), lines.map((line) => `${line}\n`).join(''));

function assertNobodyHarmed(world: World): void {
  for (const { email, subscribed, firstName } of world.sandbox.contacts()) {
    assert.deepEqual([subscribed, firstName], [true, 'Kept'], email ?? '');
  }
}

/** Five edits that once took something from people who were still declared, and what must leave nobody out. */
export const removal: readonly Scenario[] = [
  {
    name: 'a file that gains a column userId: everybody is updated, nobody removed',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
        await world.program(`
          new Contacts('a', { file: 'a.csv', onRemove: 'unsubscribe' });
          new Contacts('b', { file: 'b.csv', onRemove: 'clear' });`);
        await save(world, 'a.csv', ['email,firstName', 'ada@example.com,Kept', 'bob@example.com,Kept']);
        await save(world, 'b.csv', ['email,firstName', 'cleo@example.com,Kept']);
        await world.up();
        await save(world, 'a.csv', [
          'email,userId,firstName',
          'ada@example.com,user-ada,Kept',
          'bob@example.com,user-bob,Kept',
        ]);
        await save(world, 'b.csv', ['email,userId,firstName', 'cleo@example.com,user-cleo,Kept']);
        const changed = await world.up();
        assert.match(
          changed.log.join('\n'),
          /Contacts 'a' \('a.csv'\): 0 new, 2 changed \(email or userId 2\)/,
        );
        assertNobodyHarmed(world);
        assert.equal((await world.up()).summary.same, 2);
      }),
  },
  {
    name: 'renames without an alias and rows that move between resources: all are left as they are, and that is said',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
        const program = (ada: string) => `
          new Contact('${ada}', { email: 'ada@example.com', firstName: 'Kept', onDelete: 'clear' });
          const a = new Contacts('a', { file: 'a.csv', onRemove: 'unsubscribe' });
          new Contacts('b', { file: 'b.csv', onRemove: 'unsubscribe' }, { dependsOn: a });`;
        await world.program(program('ada'));
        await save(world, 'a.csv', ['email,firstName', 'bob@example.com,Kept', 'cleo@example.com,Kept']);
        await save(world, 'b.csv', ['email,firstName', 'dora@example.com,Kept']);
        await world.others.events.send({ email: 'dora@example.com', eventName: 'x' });
        await world.up();
        await world.program(program('countess'));
        await save(world, 'a.csv', ['email,firstName', 'bob@example.com,Kept']);
        await save(world, 'b.csv', ['email,firstName', 'dora@example.com,Kept', 'cleo@example.com,Kept']);
        const moved = await world.up();
        const log = moved.log.join('\n');
        assert.match(log, /'ada@example.com' is left as it is, as Contact 'countess' declares it now/);
        assert.match(log, /0 unsubscribed; 1 left as they are, as Contacts 'b' declares them/);
        assertNobodyHarmed(world);
        assert.equal((await world.up()).summary.same, 3);
      }),
  },
  {
    name: 'an emptied or cut-off file: refused at preview, with the numbers and the way out; a few leave as planned',
    run: (engine) =>
      inWorld(engine, {}, async (world) => {
        const rows = Array.from({ length: 40 }, (_, index) => `p${index}@example.com,Kept`);
        const file = (part: readonly string[]) => save(world, 'a.csv', ['email,firstName', ...part]);
        await world.program(
          `new Contacts('a', { file: 'a.csv', onRemove: 'unsubscribe', createWithEvent: { eventName: 'x' } });`,
        );
        await file(rows);
        await world.up();
        world.calls();
        await file(rows.slice(0, 20));
        const cut = await world.stack.preview();
        assert.match(
          errorLines(cut).join('\n'),
          /20 of the last run's 40 contacts left it.*set maxRemovals: 20/,
        );
        assertNoStackTrace(cut);
        await file([]);
        assert.match(
          errorLines(await world.stack.preview()).join('\n'),
          /'a.csv' holds no contact.*allowEmpty: true/,
        );
        assert.deepEqual(world.writes(), []);
        await file(rows.slice(0, 38));
        const plan = await world.stack.preview();
        assert.match(plan.log.join('\n'), /38 unchanged, 2 leaving, who would be unsubscribed for good/);
        const up = await world.up();
        assert.match(up.log.join('\n'), /Contacts that left 'a.csv': 2 unsubscribed/);
        assert.equal(world.writes().length, 2);
        assert.equal((await world.up()).summary.same, 1);
      }),
  },
  {
    name: 'the email was changed in the service: found by userId, never taken for whoever has the address now',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
        await world.program(`
          new Contact('ada', { email: 'ada@example.com', userId: 'user-ada', onDelete: 'unsubscribe' });
          new Contact('bob', { email: 'bob@example.com', onDelete: 'unsubscribe' });`);
        await world.up();
        await world.others.contacts.update('user-ada', { email: 'countess@example.com' });
        await world.others.contacts.update('user-bob', { email: 'robert@example.com' });
        await world.others.events.send({ email: 'bob@example.com', eventName: 'x' });
        // Some services show a new contact a little later.
        world.sandbox.clock.advance(10_000);
        const destroyed = await world.stack.destroy();
        assert.equal(destroyed.failed, false, destroyed.log.join('\n'));
        assert.match(
          warningLines(destroyed).join('\n'),
          /'bob@example.com' .*was not unsubscribed: another contact/,
        );
        assert.deepEqual(
          world.sandbox.contacts().flatMap(({ email, subscribed }) => (subscribed ? [] : [email])),
          ['countess@example.com'],
        );
        await world.program(`new Contact('bob', { email: 'bob@example.com' });`);
        await world.up();
        const seed = world.sandbox.export();
        const contacts = seed.contacts?.filter(({ email }) => email !== 'bob@example.com');
        world.sandbox.load({ ...seed, contacts });
        for (const name of ['x', 'y', 'z', 'bob']) {
          await world.others.events.send({ email: `${name}@example.com`, eventName: 'x' });
        }
        world.sandbox.clock.advance(10_000);
        const refreshed = await world.stack.refresh();
        assert.match(warningLines(refreshed).join('\n'), /'bob@example.com' is another person by now/);
        assert.deepEqual(await world.stack.resources(), []);
      }),
  },
];

/** Mistakes in files and programs that were once told late, wrongly, with a stack trace, or not at all. */
export const clarity: readonly Scenario[] = [
  {
    name: 'the plan that the READMEs show is what a person sees',
    run: (engine) => {
      const people = Array.from({ length: 300 }, (_, index) => ({ email: `person-${index}@example.com` }));
      const properties = [
        { name: 'planName', type: 'string' as const },
        { name: 'seats', type: 'number' as const },
      ];
      return inWorld(engine, { seed: { contacts: people, properties } }, async (world) => {
        const customers = (rowOf: (index: number) => string) =>
          save(world, 'customers.csv', [
            'email,firstName,planName,seats',
            ...people.map(({ email }, index) => `${email},${rowOf(index)}`),
          ]);
        await customers(() => 'Ada,Free,1');
        await world.program(`new Contacts('customers', { file: 'customers.csv', onRemove: 'unsubscribe' });`);
        await world.up();
        people.splice(0, 3);
        await customers((index) =>
          index < 10 ? `Ada,Pro,${index < 3 ? 5 : 1}` : `${index === 10 ? '' : 'Ada'},Free,1`,
        );
        const { log } = await world.stack.preview();
        for (const readme of ['README.md', 'pulumi-provider/README.md']) {
          const text = await readFile(path.resolve(__dirname, '../../../..', readme), 'utf8');
          const shown = /Contacts 'customers' [^`]*? declares them elsewhere\./.exec(text)?.[0] ?? 'no plan';
          const plan = shown.replace(/\s+/g, ' ');
          assert.ok(log.join('\n').includes(plan), `${readme} shows '${plan}', seen:\n${log.join('\n')}`);
        }
      });
    },
  },
  {
    name: 'mistakes in files are told at preview in one sentence each: nothing is sent',
    run: (engine) =>
      inWorld(
        engine,
        { seed: { ...SEED, properties: [{ name: 'planName', type: 'string' }] } },
        async (world) => {
          const options = `createWithEvent: { eventName: 'imported' }`;
          await world.program(`
          new Contacts('header', { file: 'header.csv', ${options} });`);
          await save(world, 'header.csv', [
            'email,planNam',
            ...Array.from({ length: 300 }, (_, one) => `${one}@x.io,Pro`),
          ]);
          const misspelt = await world.stack.preview();
          assert.equal(errorLines(misspelt).length, 1, misspelt.log.join('\n'));
          assert.match(
            errorLines(misspelt)[0] ?? '',
            /'planNam' is no contact property.*is 'planName' meant/,
          );
          await world.program(`new Contacts('latin', { file: 'latin.csv', ${options} });`);
          await writeFile(
            path.join(world.programDir, 'latin.csv'),
            Buffer.from('email;firstName\na@example.com;Ren\xe9e\n', 'latin1'),
          );
          const latin = await world.stack.up();
          assert.match(errorLines(latin).join('\n'), /not UTF-8 text: line 2.*Save it as UTF-8/);
          assertNoStackTrace(latin);
          assert.deepEqual(world.writes(), []);
        },
      ),
  },
  {
    name: 'two declarations of one contact are told, both by name; the adoption of one that exists is said',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
        await world.program(`
          new Contact('a', { email: 'ada@example.com' });
          new Contact('b', { email: 'ADA@example.com' });`);
        const twice = await world.stack.preview();
        assert.match(errorLines(twice).join('\n'), /declared twice, by Contact '[ab]' and by Contact '[ab]'/);
        await world.program(`new Contact('a', { email: 'Ada@example.com', firstName: 'Ada' });`);
        const adopted = await world.up();
        assert.match(
          adopted.log.join('\n'),
          /'Ada@example.com' exists in the service and is adopted: sets firstName/,
        );
        await world.program(`new Contact('a', { email: 'ada@example.com', firstName: 'Ada' });`);
        const same = await world.up();
        assert.equal(same.summary.same, 1);
      }),
  },
  {
    name: 'a contact whose properties are an Output waits for them all',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
        await world.program(`
          new ContactProperty('p', { name: 'plan', type: 'string' });
          new ContactProperty('q', { name: pulumi.output('constructor'), type: 'string' });
          new Contact('ada', { email: 'ada@example.com', properties: pulumi.output({ plan: 'Pro', constructor: 'Babbage' }) });`);
        await world.up();
        assert.deepEqual(world.sandbox.contacts()[0]?.properties, { plan: 'Pro', constructor: 'Babbage' });
      }),
  },
  {
    name: 'no mistake in a program shows a stack trace, and a key that cannot work is told with --secret',
    only: 'dynamic',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
        for (const [source, says] of [
          [
            `new ContactSchema('crm', { properties: { 'First Name': 'string' } });`,
            /ContactSchema 'crm'.*camelCase/,
          ],
          [
            `void audience.getSubscriptionGroup({ name: 'Offers' });`,
            /no subscription group of the name 'Offers'/,
          ],
        ] as const) {
          await world.program(source);
          const result = await world.stack.preview();
          assert.equal(result.failed, true);
          assert.match(result.log.join('\n'), says);
          assertNoStackTrace(result);
        }
        await world.program(`new Contact('ada', { email: 'ada@example.com' });`);
        const config = {
          'audience:baseUrl': world.sandbox.url,
          'audience:apiKey': { secret: 'with a space' },
        };
        const result = await world.stack.preview({ config });
        assert.match(errorLines(result).join('\n'), /pulumi config set --secret audience:apiKey/);
        assertNoStackTrace(result);
      }),
  },
];
