import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Seed } from 'audience-sandbox';
import { until } from '../../until.js';
import { noteProcesses } from './processes.js';
import { assertNoStackTrace, errorLines, inWorld } from './world.js';
import type { Scenario, World } from './world.js';

/** How much is declared. */
interface Size {
  readonly properties: number;
  readonly contacts: number;
  readonly records: number;
}
export const MANY: Size = { properties: 50, contacts: 100, records: 50 };

const seedOf = ({ contacts }: Size): Seed => ({
  contacts: Array.from({ length: contacts / 2 }, (_, index) => ({ email: `person-${index}@example.com` })),
});

/** Half of the contacts are there, the other half is created by an event. */
async function prepare(world: World, { properties, contacts, records }: Size): Promise<void> {
  const lines = Array.from({ length: records }, (_, index) => `record-${index}@example.com,Record`);
  await writeFile(path.join(world.programDir, 'people.csv'), ['email,firstName', ...lines, ''].join('\n'));
  await world.program(`
    for (let i = 0; i < ${properties}; i += 1)
      new ContactProperty('property-' + i, { name: 'property' + i, type: 'number' });
    for (let i = 0; i < ${contacts}; i += 1)
      new Contact('contact-' + i, { email: 'person-' + i + '@example.com', firstName: 'Person', properties: { ['property' + (i % ${properties})]: i },
        createWithEvent: { eventName: 'declared' } });
    new Contacts('all', { file: 'people.csv', createWithEvent: { eventName: 'declared' } });`);
}

/** Each thing is there, once, as declared; another `up` has nothing to do. */
async function assertComplete(world: World, size: Size): Promise<void> {
  const { stack } = world;
  const declared = size.properties + size.contacts + 1;
  const properties = await world.others.properties.list({ list: 'custom' });
  assert.equal(properties.length, size.properties);
  assert.equal(new Set(properties.map(({ key }) => key)).size, size.properties);
  const contacts = world.sandbox.contacts();
  assert.equal(contacts.length, size.contacts + size.records);
  assert.equal(new Set(contacts.map(({ email }) => email)).size, size.contacts + size.records);
  for (const { email, firstName, properties: values } of contacts) {
    const index = Number(/^person-(\d+)@/.exec(email ?? '')?.[1] ?? Number.NaN);
    assert.equal(firstName, Number.isNaN(index) ? 'Record' : 'Person', email ?? '');
    assert.deepEqual(values, Number.isNaN(index) ? {} : { [`property${index % size.properties}`]: index });
  }
  assert.equal((await stack.resources()).length, declared);
  world.calls();
  assert.equal((await stack.up()).summary.same, declared);
  assert.deepEqual(world.writes(), []);
}

/** What was created, by the events that made contacts and the calls that made properties, is there once. */
function assertNothingTwice(world: World): void {
  const creations = world.sandbox
    .requests({ applied: 'true' })
    .filter(
      ({ method, status, replayed }) => method === 'POST' && !replayed && (status === 200 || status === null),
    )
    .map(({ requestBody }) => JSON.stringify(requestBody));
  assert.deepEqual(
    creations.filter((body, index) => creations.indexOf(body) !== index),
    [],
    'created twice',
  );
}

/** The scenarios of failing; `size` is how much is declared. */
export const faults = (size: Size): readonly Scenario[] => [
  {
    only: 'native',
    name: 'with 30 % of calls failing, a few runs of up complete all, and each thing is there once',
    run: (engine) =>
      inWorld(engine, { seed: seedOf(size) }, async (world) => {
        await prepare(world, size);
        world.sandbox.faults.next({ every: 12, cut: true, when: 'before' });
        world.sandbox.faults.next({ every: 12, cut: true, when: 'after' });
        world.sandbox.faults.next({ every: 14, respond: { status: 429, headers: { 'Retry-After': 0 } } });
        world.sandbox.faults.next({ every: 14, respond: { status: 503 } });
        // A property takes no key: where its response is lost, the next up finds it or creates it.
        for (let runs = 0; runs < 8; runs += 1) if (!(await world.stack.up()).failed) break;
        const hits = world.sandbox.faults.list().map((fault) => fault.hits);
        world.sandbox.faults.clear();
        assert.ok(
          hits.every((count) => count > 10),
          `faults hit: ${hits.join(', ')}`,
        );
        await world.up();
        assertNothingTwice(world);
        await assertComplete(world, size);
      }),
  },
  {
    only: 'dynamic',
    name: 'a key that is revoked half-way: one clear sentence, what was done is in state, the next up goes on',
    run: (engine) =>
      inWorld(engine, { seed: seedOf(size) }, async (world) => {
        await world.program(`
          let before = [];
          for (let i = 0; i < 20; i += 1)
            before = new Contact('contact-' + i, { email: 'person-' + i + '@example.com', firstName: 'P' }, { dependsOn: before });`);
        world.sandbox.faults.next({ route: 'updateContact', delayMs: 1, times: 10 });
        world.sandbox.faults.next({ route: 'updateContact', respond: { status: 401 }, times: 100 });
        const result = await world.stack.up();
        assert.equal(result.failed, true);
        const errors = errorLines(result);
        assert.equal(errors.length, 1, errors.join(' | '));
        assert.match(errors[0] ?? '', /person-10@example.com.* does not accept the API key \(401\)/);
        assertNoStackTrace(result);
        assert.equal((await world.stack.resources()).length, 10);
        world.sandbox.faults.clear();
        world.calls();
        await world.up();
        assert.equal(world.writes().length, 10);
      }),
  },
  {
    only: 'native',
    name: 'kill -9 of the engine alone: its provider ends with it, and writes nobody more',
    run: async (engine) => {
      const notes = await noteProcesses();
      try {
        await inWorld(engine, { env: notes.env }, async (world) => {
          const { sandbox, programDir, stateDir } = world;
          const stack = await engine.createStack({
            ...{ programDir, stateDir, project: 'scenario', stack: 'test' },
            config: { ...world.config, 'audience:concurrency': '1' },
            env: { PULUMI_NODEJS_TYPESCRIPT: 'false', ...notes.env },
          });
          const file = path.join(programDir, 'people.csv');
          const people = Array.from({ length: 40 }, (_, index) => `person-${index}@example.com`);
          const save = (subscribed: string) =>
            writeFile(
              file,
              ['email,subscribed', ...people.map((email) => `${email},${subscribed}`), ''].join('\n'),
            );
          await save('');
          await world.program(`
            new Contacts('people', { file: 'people.csv', maxRemovals: 100, createWithEvent: { eventName: 'added' } });`);
          const first = await stack.up();
          assert.equal(first.failed, false, first.log.join('\n'));
          await save('false');
          await notes.forget();
          const unsubscribed = () => sandbox.contacts().filter(({ subscribed }) => !subscribed).length;
          sandbox.limitRate({ requestsPerSecond: 20 });
          const running = startCommand(stack.upCommand(), programDir);
          await until('some are unsubscribed', () => unsubscribed() > 2 || undefined);
          running.kill();
          await running.ended;
          const taken = unsubscribed();
          await until(
            'the provider has ended',
            async () => !(await notes.isRunning(PROCESSES[engine.provider])) || undefined,
          );
          assert.ok(
            unsubscribed() <= taken + 2,
            `${taken} were unsubscribed at the kill, ${unsubscribed()} are now`,
          );
        });
      } finally {
        await notes.remove();
      }
    },
  },
];

/** What stands in the command of a provider's process. */
const PROCESSES = { dynamic: 'dynamic-provider', native: 'pulumi-resource-audience' } as const;

/** A run that has been started. */
interface Running {
  readonly ended: Promise<unknown>;
  kill(): void;
}

function startCommand(
  {
    command,
    args,
    env,
  }: { readonly command: string; readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv },
  cwd: string,
): Running {
  const child = spawn(command, args, { cwd, env, stdio: 'ignore' });
  return { ended: once(child, 'close'), kill: () => child.kill('SIGKILL') };
}
