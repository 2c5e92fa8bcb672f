import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FakeEngine } from '../../../testing/fake-engine.js';
import type { Declared } from '../../../testing/fake-engine.js';
import { FakeService } from '../../../testing/fake-service.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'audience-contacts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const save = async (name: string, lines: readonly string[]): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
  return file;
};
const all = (inputs: Readonly<Record<string, unknown>>, name = 'all'): Declared => ({
  type: 'contacts',
  name,
  inputs,
});

function start(): { service: FakeService; engine: FakeEngine } {
  const service = new FakeService();
  for (const name of ['ada', 'bob', 'cleo']) service.add({ email: `${name}@x.io` });
  return { service, engine: new FakeEngine(service) };
}

describe('a file', () => {
  it.each(['unsubscribe', 'clear'])('that gains a column userId harms nobody, with %s', async (onRemove) => {
    const { service, engine } = start();
    const file = await save('a.csv', ['email,firstName', 'ada@x.io,Ada', 'bob@x.io,Bob']);
    await engine.up([all({ file, onRemove })]);
    await save('a.csv', ['email,userId,firstName', 'ada@x.io,u1,Ada', 'bob@x.io,u2,Bob']);
    service.writes();
    const { errors, told } = await engine.up([all({ file, onRemove })]);
    expect(errors).toEqual([]);
    expect(told.join()).toMatch(
      /0 new, 2 changed \(email or userId 2\), 0 unchanged\. First: line 2 changed/,
    );
    expect(service.writes()).toEqual([
      'PUT /v1/contacts/ada@x.io {"userId":"u1"}',
      'PUT /v1/contacts/bob@x.io {"userId":"u2"}',
    ]);
  });

  it('whose people get new emails, known by their userIds, harms nobody', async () => {
    const { service, engine } = start();
    const file = await save('a.csv', ['email,userId', 'ada@x.io,u1']);
    await engine.up([all({ file, onRemove: 'unsubscribe' })]);
    await save('a.csv', ['email,userId', 'countess@x.io,u1']);
    service.writes();
    await engine.up([all({ file, onRemove: 'unsubscribe' })]);
    expect(service.writes()).toEqual(['PUT /v1/contacts/u1 {"email":"countess@x.io"}']);
  });

  it('tells its plan by numbers, fields and lines: what changes, what is cleared, who leaves', async () => {
    const { engine } = start();
    const file = await save('a.csv', [
      'email,firstName,plan',
      'ada@x.io,Ada,Pro',
      'bob@x.io,Bob,Pro',
      'cleo@x.io,,',
    ]);
    const first = await engine.preview([all({ file })]);
    expect(first.told).toEqual([
      expect.stringMatching(
        /^Contacts 'all' \('.*a\.csv'\): 3 new\. Whether new ones exist is not looked up/,
      ),
    ]);
    await engine.up([all({ file, onRemove: 'clear' })]);
    await save('a.csv', ['email,firstName,plan', 'ada@x.io,Ada,Free', 'bob@x.io,,Pro', 'dora@x.io,D,']);
    const { told } = await engine.preview([all({ file, onRemove: 'clear' })]);
    expect(told).toEqual([
      expect.stringMatching(
        /1 new, 2 changed \(plan 1; cleared: firstName 1\), 0 unchanged, 1 leaving, who would lose the values that were declared, unless this run declares them elsewhere\. First: line 2 changed \(plan\); line 3 changed \(firstName cleared\); line 4 new\./,
      ),
    ]);
  });

  it('with other delimiters is read the same', async () => {
    for (const [between, given] of [
      [';', undefined],
      ['\t', undefined],
      ['|', undefined],
      [';', ';'],
    ]) {
      const { service, engine } = start();
      const lines = [`email,firstName,seats`, `ada@x.io,"A; B",3`].map((line) =>
        line.replaceAll(',', between ?? ''),
      );
      const file = await save('a.csv', lines);
      const { errors } = await engine.up([
        all({ file, ...(given === undefined ? {} : { delimiter: given }) }),
      ]);
      expect([errors, service.writes()]).toEqual([
        [],
        ['PUT /v1/contacts/ada@x.io {"firstName":"A; B","seats":3}'],
      ]);
    }
  });

  it('has dates that no time zone changes', async () => {
    const { service, engine } = start();
    const file = await save('a.csv', [
      'email,endsAt',
      'ada@x.io,2027-01-31',
      'bob@x.io,2027-01-31T01:00:00+01:00',
      'cleo@x.io,1801353600',
    ]);
    expect((await engine.up([all({ file })])).errors).toEqual([]);
    expect(service.people.map((person) => person['endsAt'])).toEqual([1801353600, 1801353600, 1801353600]);
  });
});

describe('a row', () => {
  it.each([0, 1])('that moves to another resource harms nobody, in either order', async (order) => {
    const { service, engine } = start();
    const a = (rows: readonly string[]) => save('a.csv', ['email', ...rows]);
    const b = (rows: readonly string[]) => save('b.csv', ['email', ...rows]);
    const program = (): Declared[] => {
      const both = ['a', 'b'].map((name) =>
        all({ file: path.join(folder, `${name}.csv`), onRemove: 'unsubscribe' }, name),
      );
      return order === 0 ? both : both.reverse();
    };
    await a(['ada@x.io', 'bob@x.io']);
    await b(['cleo@x.io']);
    expect((await engine.up(program())).errors).toEqual([]);
    await a(['ada@x.io']);
    await b(['cleo@x.io', 'bob@x.io']);
    service.writes();
    const { errors, told } = await engine.up(program());
    expect(errors).toEqual([]);
    expect(told.join('\n')).toMatch(/0 unsubscribed; 1 left as they are, as Contacts 'b' declares them/);
    expect(service.writes()).toEqual([]);
    expect(service.people.every(({ subscribed }) => subscribed === true)).toBe(true);
  });

  it('that is removed is unsubscribed when all else is done, unless somebody else has the address by now', async () => {
    const { service, engine } = start();
    const file = await save('a.csv', ['email', 'ada@x.io', 'bob@x.io', 'cleo@x.io']);
    await engine.up([all({ file, onRemove: 'unsubscribe' })]);
    const [, bob] = service.people;
    if (bob !== undefined) bob.email = 'robert@x.io';
    service.add({ email: 'bob@x.io' });
    await save('a.csv', ['email', 'ada@x.io']);
    service.writes();
    const { told } = await engine.up([all({ file, onRemove: 'unsubscribe' })]);
    expect(service.writes()).toEqual(['PUT /v1/contacts/cleo@x.io {"subscribed":false}']);
    expect(told.join('\n')).toMatch(
      /1 contact that left .* was not unsubscribed: gone from the service, or under another/,
    );
    expect(told.join('\n')).toMatch(/Contacts that left .*: 1 unsubscribed\./);
  });

  it('that the service refuses is told in its own words, without a value of the row', async () => {
    const { service, engine } = start();
    service.reply = (request) =>
      request.startsWith('PUT') ? [400, { message: 'Ada at ada@x.io is on the blocklist' }] : undefined;
    const { errors } = await engine.up([all({ contacts: [{ email: 'ada@x.io', firstName: 'Ada' }] })]);
    expect(errors.join('\n')).toMatch(
      /contacts\[0\]: the service refuses the values of this record \(400\): "… at … is on the blocklist"/,
    );
  });
});

it('contacts that are deleted before what replaces them are left as they are', async () => {
  const { service, engine } = start();
  const file = await save('a.csv', ['email', 'ada@x.io', 'bob@x.io']);
  await engine.up([all({ file, onRemove: 'unsubscribe' })]);
  await engine.up([all({ file, onRemove: 'unsubscribe' }, 'renamed')]);
  expect(service.people.every(({ subscribed }) => subscribed === true)).toBe(true);
});

describe('an address that passes from one row to another', () => {
  const ROWS = ['p0@x.io,p-0,F0,', 'p1@x.io,p-1,F1,L1', 'p2@x.io,p-2,F2,', 'p3@x.io,p-3,F3,L3'];

  it.each(['retain', 'unsubscribe'])(
    'clears nothing that its new holder did not declare, with %s',
    async (onRemove) => {
      const { service, engine } = start();
      for (const index of [0, 1, 2, 3]) service.add({ email: `p${index}@x.io`, userId: `p-${index}` });
      const file = await save('p.csv', ['email,userId,firstName,lastName', ...ROWS]);
      expect((await engine.up([all({ file, onRemove })])).errors).toEqual([]);
      Object.assign(service.find('p-2') ?? {}, { lastName: 'SetBySales' });
      await save('p.csv', [
        'email,userId,firstName,lastName',
        ...[ROWS[0] ?? '', 'new@x.io,p-1,F1,L1', 'p1@x.io,p-2,F2,', ROWS[3] ?? ''],
      ]);
      service.writes();
      const { errors, told } = await engine.up([all({ file, onRemove })]);
      expect(errors).toEqual([]);
      expect(told.join()).toMatch(/0 new, 2 changed \(email or userId 2\), 2 unchanged\./);
      expect(service.writes()).toEqual([
        'PUT /v1/contacts/p-1 {"email":"new@x.io"}',
        'PUT /v1/contacts/p-2 {"email":"p1@x.io"}',
      ]);
      // And all of it is known: nothing is left to do.
      expect((await engine.up([all({ file, onRemove })])).errors).toEqual([]);
      expect(service.writes()).toEqual([]);
    },
  );

  it('back and forth between two people is refused at preview, with the lines and the way out', async () => {
    const { service, engine } = start();
    for (const index of [0, 1, 2]) service.add({ email: `p${index}@x.io`, userId: `p-${index}` });
    const file = await save('p.csv', ['email,userId', 'p0@x.io,p-0', 'p1@x.io,p-1', 'p2@x.io,p-2']);
    await engine.up([all({ file })]);
    await save('p.csv', ['email,userId', 'p1@x.io,p-0', 'p2@x.io,p-1', 'p0@x.io,p-2']);
    service.writes();
    const { errors } = await engine.preview([all({ file })]);
    expect(errors.join()).toMatch(/line 2, line 3, line 4 swap email addresses among themselves/);
    expect(service.writes()).toEqual([]);
  });
});

it('the plan names the event that is sent to whoever does not exist', async () => {
  const { engine } = start();
  const file = await save('a.csv', ['email', 'dora@x.io']);
  const { told } = await engine.preview([all({ file, createWithEvent: { eventName: 'signedUp' } })]);
  expect(told.join()).toMatch(/1 new\. .*is sent the event 'signedUp', which .* triggers its automations/);
});

describe('more people than may leave', () => {
  const PEOPLE = Array.from({ length: 30 }, (_, index) => `m${index}@x.io`);

  async function listOf(
    people: readonly string[],
    name: string,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Declared> {
    const file = await save('m.csv', ['email,firstName', ...people.map((email) => `${email},M`)]);
    return all({ file, onRemove: 'unsubscribe', ...more }, name);
  }
  function startWithPeople(): { service: FakeService; engine: FakeEngine } {
    const started = start();
    for (const email of PEOPLE) started.service.add({ email });
    return started;
  }

  it('stay when their resource leaves the program, or is renamed while the file is cut', async () => {
    for (const next of [undefined, 'renamed']) {
      const { service, engine } = startWithPeople();
      expect((await engine.up([await listOf(PEOPLE, 'all')])).errors).toEqual([]);
      service.writes();
      const program = next === undefined ? [] : [await listOf(PEOPLE.slice(15), next)];
      const { errors } = await engine.up(program);
      expect(errors.join()).toMatch(
        next === undefined
          ? /30 of the last run's 30 contacts would be unsubscribed for good, and at most 10 may leave in one run.*Nobody was changed.*maxRemovals: 30/
          : /15 of the last run's 30 contacts would be unsubscribed for good, and at most 10 may leave in one run.*Nobody was changed.*maxRemovals: 15/,
      );
      expect(service.people.filter(({ subscribed }) => subscribed === false)).toEqual([]);
    }
  });

  it('may leave once that was allowed', async () => {
    const { service, engine } = startWithPeople();
    await engine.up([await listOf(PEOPLE, 'all')]);
    expect((await engine.up([await listOf(PEOPLE, 'all', { maxRemovals: 30 })])).errors).toEqual([]);
    expect((await engine.up([])).errors).toEqual([]);
    expect(service.people.filter(({ subscribed }) => subscribed === false)).toHaveLength(30);
  });
});
