import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Seed } from 'audience-sandbox';
import { assertNoStackTrace, errorLines, inWorld } from './world.js';
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

const save = (world: World, name: string, lines: readonly string[]): Promise<void> =>
  writeFile(path.join(world.programDir, name), lines.map((line) => `${line}\n`).join(''));

/** Nobody has lost a value, a group or a subscription. */
function assertNobodyHarmed(world: World): void {
  for (const {
    email,
    firstName,
    lastName,
    source,
    subscribed,
    subscriptionGroups,
    properties,
  } of world.sandbox.contacts())
    assert.deepEqual(
      [firstName, lastName, source, subscribed, subscriptionGroups, properties],
      ['Kept', 'Kept', 'kept', true, { news: true }, { plan: 'Kept' }],
      email ?? '',
    );
}

/** Edits that once took something from contacts because something was missing. */
export const absent: readonly Scenario[] = [
  {
    name: 'an import of a contact with more than the program declares clears nothing, in that up or the next',
    only: 'native',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
        const declared = `email: 'ada@example.com', userId: 'user-ada'`;
        await world.program(`new Contact('ada', { ${declared} }, { import: 'ada@example.com' });`);
        await world.stack.up();
        await world.program(`new Contact('ada', { ${declared} });`);
        await world.up();
        assert.deepEqual(world.writes(), []);
        assertNobodyHarmed(world);
      }),
  },
  {
    name: 'what leaves the program stays: fields, rows, columns, a renamed list with fewer rows, a file, a stack',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
        const list = (name: string): string => `new Contacts('${name}', { file: 'a.csv' });`;
        await world.program(`
          new Contact('cleo', { email: 'cleo@example.com', firstName: 'Kept', properties: { plan: 'Kept' }, subscriptionGroups: { news: true } });
          ${list('a')}`);
        const header = 'email,firstName,plan,subscriptionGroups.news';
        await save(world, 'a.csv', [
          header,
          'ada@example.com,Kept,Kept,true',
          'bob@example.com,Kept,Kept,true',
        ]);
        await world.up();
        await save(world, 'a.csv', [header, 'ada@example.com,,Kept,true', 'bob@example.com,Kept,Kept,true']);
        assert.match((await world.up()).log.join('\n'), /1 firstName emptied: values kept/);
        await save(world, 'a.csv', ['email,firstName', 'ada@example.com,Kept', 'bob@example.com,Kept']);
        await world.up();
        await save(world, 'a.csv', ['email,firstName', 'ada@example.com,Kept']);
        await world.program(`new Contact('cleo', { email: 'cleo@example.com' }); ${list('renamed')}`);
        const renamed = await world.up();
        assert.match(renamed.log.join('\n'), /firstName: no longer managed, value kept/);
        await world.program('');
        await world.up();
        await world.stack.destroy();
        assertNobodyHarmed(world);
      }),
  },
  {
    name: 'a secret value is in no message, error or reason',
    run: (engine) =>
      inWorld(engine, { seed: SEED }, async (world) => {
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
        await world.program(`new Contacts('customers', { file: 'customers.csv' });`);
        await world.up();
        people.splice(0, 3);
        await customers((index) =>
          index < 10 ? `Ada,Pro,${index < 3 ? 5 : 1}` : `${index === 10 ? '' : 'Ada'},Free,1`,
        );
        const { log } = await world.stack.preview();
        for (const readme of ['pulumi-provider/README.md']) {
          const text = await readFile(path.resolve(__dirname, '../../../..', readme), 'utf8');
          const shown = /```text\n(Contacts 'customers' [^`]*?)\n```/.exec(text)?.[1] ?? 'no plan';
          for (const line of shown.split('\n'))
            assert.ok(log.join('\n').includes(line), `${readme} shows '${line}', seen:\n${log.join('\n')}`);
        }
      });
    },
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
          [`new ContactProperty('p', { name: 'First Name', type: 'string' });`, /camelCase/],
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
