import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { Seed } from 'audience-sandbox';
import { until } from '../../until.js';
import { assertNoStackTrace, errorLines, type Scenario, type World } from './world.js';

const PROPERTIES = 20;
const CONTACTS = 100;
const RECORDS = 50;

const SEED: Seed = {
  contacts: Array.from({ length: CONTACTS / 2 }, (_, index) => ({ email: `person-${index}@example.com` })),
};

/** Half of the contacts are there, the other half is created by an event. */
async function prepare(world: World): Promise<void> {
  const lines = Array.from({ length: RECORDS }, (_, index) => `record-${index}@example.com,Record`);
  await world.save('people.csv', ['email,firstName', ...lines]);
  await world.program(`
    for (let i = 0; i < ${PROPERTIES}; i += 1)
      new ContactProperty('property-' + i, { name: 'property' + i, type: 'number' });
    for (let i = 0; i < ${CONTACTS}; i += 1)
      new Contact('contact-' + i, { email: 'person-' + i + '@example.com', firstName: 'Person', properties: { ['property' + (i % ${PROPERTIES})]: i },
        createWithEvent: { eventName: 'declared' } });
    new Contacts('all', { file: 'people.csv', consent: 'mail', createWithEvent: { eventName: 'declared' } });`);
}

/** Each thing is there, once, as declared; another `up` has nothing to do. */
async function assertComplete(world: World): Promise<void> {
  const { stack } = world;
  const declared = PROPERTIES + CONTACTS + 1;
  const properties = await world.others.properties.list({ list: 'custom' });
  assert.equal(properties.length, PROPERTIES);
  assert.equal(new Set(properties.map(({ key }) => key)).size, PROPERTIES);
  const contacts = await world.sandbox.contacts();
  assert.equal(contacts.length, CONTACTS + RECORDS);
  assert.equal(new Set(contacts.map(({ email }) => email)).size, CONTACTS + RECORDS);
  for (const { email, firstName, properties: values } of contacts) {
    const index = Number(/^person-(\d+)@/.exec(email ?? '')?.[1] ?? Number.NaN);
    assert.equal(firstName, Number.isNaN(index) ? 'Record' : 'Person', email ?? '');
    assert.deepEqual(values, Number.isNaN(index) ? {} : { [`property${index % PROPERTIES}`]: index });
  }
  assert.equal((await stack.resources()).length, declared);
  world.calls();
  assert.equal((await stack.up()).summary.same, declared);
  assert.deepEqual(world.writes(), []);
}

/** What was created, by the events that made contacts and the calls that made properties, is there once. */
function assertNothingTwice(world: World): void {
  const creations = world.sandbox
    .requests({ applied: true })
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

export const faults: readonly Scenario[] = [
  {
    only: 'native',
    name: 'with 30 % of calls failing, a few runs of up complete all, and each thing is there once',
    seed: SEED,
    async play(world) {
      await prepare(world);
      world.sandbox.faults.next({ every: 12, cut: true, when: 'before' });
      world.sandbox.faults.next({ every: 12, cut: true, when: 'after' });
      world.sandbox.faults.next({ every: 14, respond: { status: 429, headers: { 'Retry-After': 0 } } });
      world.sandbox.faults.next({ every: 14, respond: { status: 503 } });
      // A property takes no key: where its response is lost, the next up finds it or creates it. One run does about five.
      let isDone = false;
      for (let runs = 0; runs < 12 && !isDone; runs += 1) isDone = !(await world.stack.up()).failed;
      assert.ok(isDone, 'the last up failed');
      const hits = world.sandbox.faults.list().map((fault) => fault.hits);
      world.sandbox.faults.clear();
      assert.ok(
        hits.every((count) => count > 10),
        `faults hit: ${hits.join(', ')}`,
      );
      assertNothingTwice(world);
      await assertComplete(world);
    },
  },
  {
    only: 'dynamic',
    name: 'a key that is revoked half-way: one clear sentence, what was done is in state, the next up goes on',
    seed: SEED,
    async play(world) {
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
    },
  },
  {
    only: 'native',
    name: 'kill -9 of the engine alone: its provider ends with it, and writes nobody more',
    async play(world) {
      const { sandbox, stack } = world;
      const people = Array.from({ length: 40 }, (_, index) => `person-${index}@example.com`);
      const save = (subscribed: string) =>
        world.save('people.csv', ['email,subscribed', ...people.map((email) => `${email},${subscribed}`)]);
      await save('');
      await world.program(`
        const consent = { subscribed: { '': 'mail', false: 'no mail' } };
        new Contacts('people', { file: 'people.csv', consent, maxRemovals: 100, createWithEvent: { eventName: 'added' } });`);
      await world.up();
      await save('false');
      const unsubscribed = async () =>
        (await sandbox.contacts()).filter(({ subscribed }) => !subscribed).length;
      sandbox.limitRate({ requestsPerSecond: 20 });
      const child = stack.startUp();
      const ended = once(child, 'close');
      await until('some are unsubscribed', async () => (await unsubscribed()) > 2 || undefined);
      const providers = await childrenOf(child.pid, 'pulumi-resource-audience');
      assert.equal(providers.length, 1);
      child.kill('SIGKILL');
      await ended;
      const taken = await unsubscribed();
      await until('the provider has ended', () => !providers.some(isRunning) || undefined);
      const now = await unsubscribed();
      assert.ok(now <= taken + 2, `${taken} were unsubscribed at the kill, ${now} are now`);
    },
  },
];

/** Processes that a process has started, whose command has a text in it. */
async function childrenOf(parent: number | undefined, text: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,ppid=,args=']);
  const processes = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  return processes.flatMap(([pid, ppid, ...args]) =>
    Number(ppid) === parent && args.join(' ').includes(text) ? Number(pid) : [],
  );
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
