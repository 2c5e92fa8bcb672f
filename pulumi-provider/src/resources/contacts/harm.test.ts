import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FakeEngine } from '../../../testing/fake-engine.js';
import type { Declared } from '../../../testing/fake-engine.js';
import { FakeService } from '../../../testing/fake-service.js';
import { UNKNOWN } from '../raw.js';

// What an outsider did to lists over months, and whom it harmed.

let folder: string;
let service: FakeService;
let engine: FakeEngine;
const NAMES = Array.from({ length: 8 }, (_, index) => `p${index}@x.io`);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'audience-harm-'));
  service = new FakeService();
  for (const email of NAMES) service.add({ email });
  engine = new FakeEngine(service);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function list(
  rows: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
  header = 'email',
): Promise<Declared> {
  const file = path.join(folder, 'a.csv');
  await writeFile(file, [header, ...rows, ''].join('\n'));
  return { type: 'contacts', name: 'a', inputs: { file, onRemove: 'unsubscribe', ...more } };
}
const unsubscribed = (): (string | undefined)[] =>
  service.people.filter((person) => person['subscribed'] === false).map(({ email }) => email);

describe('another service address', () => {
  it('while a row leaves: all are new there, and nobody of the old one is touched', async () => {
    await engine.up([await list(NAMES)]);
    service.writes();
    service.baseUrl = 'https://api.example.org';
    const { errors, told } = await engine.up([await list(NAMES.slice(1))]);
    expect(errors).toEqual([]);
    expect(told.join('\n')).toMatch(
      /warning: Contacts 'a'.* was written to the service at https:\/\/api\.example\.com, and this is https:\/\/api\.example\.org.*nobody there is touched/,
    );
    expect(told.join('\n')).toMatch(/7 new, 0 changed, 0 unchanged\./);
    expect(service.received.filter((request) => /GET .*\/p\d@/.test(request))).toHaveLength(7);
    expect(unsubscribed()).toEqual([]);
  });

  it('while the list goes: refused, with both addresses', async () => {
    await engine.up([await list(NAMES)]);
    service.baseUrl = 'https://api.example.org';
    const { errors } = await engine.up([]);
    expect(errors.join()).toMatch(
      /written to the service at https:\/\/api\.example\.com, and this is https:\/\/api\.example\.org: nobody was touched/,
    );
    expect(unsubscribed()).toEqual([]);
  });

  it('at a refresh: not compared', async () => {
    await engine.up([await list(NAMES)]);
    service.baseUrl = 'https://api.example.org';
    const { told } = await engine.refresh();
    expect(told.join()).toMatch(/could not be compared/);
  });
});

describe('a removal that an earlier run could not finish', () => {
  beforeEach(async () => {
    await engine.up([await list(NAMES)]);
    service.fault = (request) => (request.startsWith('PUT') ? 400 : undefined);
    expect((await engine.up([await list(NAMES.slice(1))])).errors.join()).toMatch(
      /could not be unsubscribed/,
    );
  });

  it('takes whom it was about, and nobody who leaves with another fate later', async () => {
    await engine.up([await list(NAMES.slice(1), { onRemove: 'clear' })]);
    service.fault = () => undefined;
    const { errors } = await engine.up([await list(NAMES.slice(2), { onRemove: 'clear' })]);
    expect(errors).toEqual([]);
    expect(unsubscribed()).toEqual(['p0@x.io']);
  });

  it('is called off by retain', async () => {
    service.fault = () => undefined;
    const { errors, told } = await engine.up([await list(NAMES.slice(2), { onRemove: 'retain' })]);
    expect(errors).toEqual([]);
    expect(told.join()).toMatch(/1 leaving, who would stay as they are/);
    expect(unsubscribed()).toEqual([]);
  });

  it('is called off by retain at another service as well', async () => {
    service.fault = () => undefined;
    service.baseUrl = 'https://api.example.org';
    const elsewhere = await engine.up([await list(NAMES.slice(1))]);
    expect(elsewhere.errors.join()).toMatch(/nobody was touched/);
    const { errors } = await engine.up([await list(NAMES.slice(1), { onRemove: 'retain' })]);
    expect(errors).toEqual([]);
    expect(unsubscribed()).toEqual([]);
  });

  it('and the list goes: of retain, nobody is taken', async () => {
    expect((await engine.up([await list(NAMES.slice(1), { onRemove: 'retain' })])).errors).toEqual([]);
    service.fault = () => undefined;
    expect((await engine.up([])).errors).toEqual([]);
    expect(unsubscribed()).toEqual([]);
  });
});

describe('removals that failed and those of the run together', () => {
  const many = Array.from({ length: 40 }, (_, index) => `q${index}@x.io`);

  beforeEach(async () => {
    for (const email of many) service.add({ email });
    await engine.up([await list(many)]);
    service.fault = (request) => (request.startsWith('PUT') ? 400 : undefined);
    for (const left of [30, 20]) await engine.up([await list(many.slice(0, left))]);
    service.fault = () => undefined;
    expect(unsubscribed()).toEqual([]);
  });

  it('are no more than may leave in one run', async () => {
    const { errors } = await engine.up([await list(many.slice(0, 10))]);
    expect(errors.join()).toMatch(
      /10 contacts that left it in an earlier run.*beside 10 of this run, and at most 10 may leave in one run.*maxRemovals: 20/,
    );
    expect(unsubscribed()).toEqual(many.slice(10, 20));
  });

  it('of a list that stays as it is, too: the next runs take the rest', async () => {
    const unchanged = [await list(many.slice(0, 20))];
    expect((await engine.up(unchanged)).errors.join()).toMatch(/in an earlier run/);
    expect(unsubscribed()).toHaveLength(10);
    expect((await engine.up(unchanged)).errors).toEqual([]);
    expect(unsubscribed()).toHaveLength(20);
  });

  it('of a list that grew, and of rows that are declared again: no hindrance', async () => {
    const rows = [...NAMES, ...many];
    expect((await engine.up([await list(rows)])).errors).toEqual([]);
    expect(unsubscribed()).toEqual([]);
  });

  it('of whom an earlier run has taken most: the rest alone counts', async () => {
    service.fault = (request) => (request.startsWith('PUT /v1/contacts/q20@') ? 400 : undefined);
    const half = await list(many.slice(0, 20), { maxRemovals: 20 });
    expect((await engine.up([half])).errors.join()).toMatch(/could not be unsubscribed/);
    expect(unsubscribed()).toHaveLength(19);
    service.fault = () => undefined;
    expect((await engine.up([await list(many.slice(0, 20))])).errors).toEqual([]);
    expect(unsubscribed()).toHaveLength(20);
  });

  it.each([null, undefined])(
    'of values that were cleared, which the service shows as %s',
    async (cleared) => {
      for (const person of service.people) Object.assign(person, { firstName: 'F' });
      const rows = (left: number) => many.slice(0, left).map((email) => `${email},F`);
      const of = (left: number, more = {}) =>
        list(rows(left), { onRemove: 'clear', ...more }, 'email,firstName');
      await engine.up([await of(40, { maxRemovals: 40 })]);
      service.fault = (request) => (request.startsWith('PUT /v1/contacts/q20@') ? 400 : undefined);
      await engine.up([await of(20, { maxRemovals: 20 })]);
      for (const person of service.people) if (person['firstName'] !== 'F') person['firstName'] = cleared;
      service.fault = () => undefined;
      expect((await engine.up([await of(20)])).errors).toEqual([]);
      expect(service.find('q20@x.io')?.['firstName'] ?? undefined).toBeUndefined();
    },
  );

  it('with those of the whole list, where that leaves', async () => {
    const { errors } = await engine.up([]);
    expect(errors.join()).toMatch(/may leave in one run/);
    expect(unsubscribed().length).toBeLessThanOrEqual(20);
  });

  it('but as many as maxRemovals says', async () => {
    const { errors } = await engine.up([await list(many.slice(0, 10), { maxRemovals: 30 })]);
    expect(errors).toEqual([]);
    expect(unsubscribed()).toHaveLength(30);
  });
});

test('a refresh says of how many the service refuses to say whether they are there', async () => {
  const single: Declared = { type: 'contact', name: 'p7', inputs: { email: 'p7@x.io' } };
  await engine.up([await list(NAMES.slice(0, 7)), single]);
  service.fault = (request) => (request.startsWith('GET /v1/contacts/p') ? 400 : undefined);
  const { told } = await engine.refresh();
  expect(told.join()).toMatch(
    /7 are gone from the service, or most likely so: of 7 it refuses to say whether it is there/,
  );
  expect(told.join()).toMatch(/Contact 'p7@x.io' is gone.*\(the service refuses to say whether it is there/);
});

test.each([{}, { createWithEvent: { eventName: 'imported' } }])(
  'a new row takes no userId from the contact of its email: %j',
  async (more) => {
    service.add({ email: 'ada@x.io', userId: 'user-ada', firstName: 'Ada' });
    const { errors } = await engine.up([await list(['ada@x.io,u98,New'], more, 'email,userId,firstName')]);
    expect(errors.join()).toMatch(/the contact of its email has another userId in the service/);
    expect(service.find('ada@x.io')).toMatchObject({ userId: 'user-ada', firstName: 'Ada' });
  },
);

test('a row whose person is gone gives the userId to nobody else', async () => {
  service.add({ email: 'ada@x.io', userId: 'u1' });
  service.add({ email: 'bob@x.io', userId: 'u2', firstName: 'Bob' });
  const row = (email: string) => list([`${email},u1,Ada`], { onRemove: 'retain' }, 'email,userId,firstName');
  await engine.up([await row('ada@x.io')]);
  service.people.splice(
    service.people.findIndex(({ userId }) => userId === 'u1'),
    1,
  );
  expect((await engine.up([await row('bob@x.io')])).errors.join()).toMatch(
    /has another userId in the service/,
  );
  expect(service.find('bob@x.io')).toMatchObject({ userId: 'u2', firstName: 'Bob' });
});

test('a removal that failed is done although somebody else has the address by now', async () => {
  const [ada] = service.people;
  if (ada === undefined) throw new Error('nobody');
  ada.userId = 'u0';
  const header = 'email,userId';
  await engine.up([await list(['p0@x.io,u0', 'p1@x.io,'], {}, header)]);
  service.fault = (request) => (request.includes('"subscribed":false') ? 400 : undefined);
  expect((await engine.up([await list(['p1@x.io,'], {}, header)])).errors.join()).toMatch(/could not be/);
  service.fault = () => undefined;
  ada.email = 'ada@new.io';
  service.add({ email: 'p0@x.io', userId: 'u9' });
  const { errors } = await engine.up([await list(['p0@x.io,u9', 'p1@x.io,'], {}, header)]);
  expect(errors).toEqual([]);
  expect(unsubscribed()).toEqual(['ada@new.io']);
});

test('retain in the very edit that removes a row takes nobody', async () => {
  await engine.up([await list(NAMES)]);
  const { errors, told } = await engine.up([await list(NAMES.slice(1), { onRemove: 'retain' })]);
  expect(errors).toEqual([]);
  expect(told.join()).toMatch(/1 leaving, who would stay as they are/);
  expect(unsubscribed()).toEqual([]);
});

describe('the event that creates', () => {
  const invited = { createWithEvent: { eventName: 'invited' } };
  const sent = (): string[] => service.writes().filter((request) => request.startsWith('POST'));
  const erase = (email: string): void => {
    service.people.splice(
      service.people.findIndex((person) => person.email === email),
      1,
    );
  };

  it('goes to nobody who was there and is gone: the record says so', async () => {
    await engine.up([await list(['p0@x.io,A'], invited, 'email,firstName')]);
    erase('p0@x.io');
    service.writes();
    const { errors } = await engine.up([await list(['p0@x.io,B'], invited, 'email,firstName')]);
    expect(errors.join()).toMatch(
      /line 2: it was in the service at the last run and is gone.*nobody was created/,
    );
    expect(sent()).toEqual([]);
  });

  it('goes to nobody who is gone until a refresh has found that, and then once', async () => {
    await engine.up([await list(['p0@x.io,A'], invited, 'email,firstName')]);
    erase('p0@x.io');
    const edited = [await list(['p0@x.io,B'], invited, 'email,firstName')];
    expect((await engine.up(edited)).errors.join()).toMatch(/nobody was created/);
    expect((await engine.refresh()).told.join()).toMatch(/1 is gone from the service/);
    service.writes();
    const { errors, told } = await engine.up(edited);
    expect(errors).toEqual([]);
    expect(told.join()).toMatch(/1 new, 0 changed/);
    expect(sent()).toHaveLength(1);
  });

  it('goes to who is gone after a refresh, and the plan calls them new', async () => {
    await engine.up([await list(['p0@x.io'], invited)]);
    erase('p0@x.io');
    await engine.refresh();
    service.writes();
    const { errors, told } = await engine.up([await list(['p0@x.io'], invited)]);
    expect(errors).toEqual([]);
    expect(told.join()).toMatch(/1 new, 0 changed.*is sent the event 'invited'/);
    expect(sent()).toHaveLength(1);
  });

  it.each(['replay', 'refuse'] as const)(
    'is carried out once when the run is repeated before the contact shows, where used keys end in a %s',
    async (onUsedKey) => {
      service = new FakeService(onUsedKey);
      engine = new FakeEngine(service);
      service.reply = (request) =>
        request.includes('contacts/new@x.io') ? [404, { success: false }] : undefined;
      const program = [await list(['new@x.io'], invited)];
      expect((await engine.up(program)).errors.join()).toMatch(
        /was sent, but .* does not show the contact yet/,
      );
      expect((await engine.up(program)).errors.join()).toMatch(
        onUsedKey === 'replay' ? /was sent, but/ : /went out to it before.*is not sent again/,
      );
      service.reply = () => undefined;
      expect((await engine.up(program)).errors).toEqual([]);
      expect(service.events).toEqual(['{"email":"new@x.io","eventName":"invited"}']);
    },
  );
});

test('whom a refresh did not find is still known to a removal', async () => {
  await engine.up([await list(NAMES)]);
  service.fault = (request) => (/GET .*p0@/.test(request) ? 400 : undefined);
  await engine.refresh();
  service.fault = () => undefined;
  const { errors, told } = await engine.up([await list(NAMES.slice(1))]);
  expect(errors).toEqual([]);
  expect(told.join()).toMatch(/1 leaving \(1 of them gone at the last refresh\), who would be unsubscribed/);
  expect(unsubscribed()).toEqual(['p0@x.io']);
});

describe('a replacement of which nobody asked the provider', () => {
  it('takes nobody who left the list, and says how many', async () => {
    await engine.up([await list(NAMES)]);
    service.writes();
    engine.forced = 'a';
    const { errors, told } = await engine.up([await list(NAMES.slice(2))]);
    expect(errors).toEqual([]);
    expect(told.join()).toMatch(
      /warning: Contacts 'a' .* is replaced without a plan of who leaves.*: 2 contacts no longer declared stay/,
    );
    expect(unsubscribed()).toEqual([]);
    engine.forced = undefined;
    expect((await engine.up([await list(NAMES.slice(3))])).errors).toEqual([]);
    expect(unsubscribed()).toEqual(['p2@x.io']);
  });

  it('of what a Contact depends on, the old one first, leaves it subscribed', async () => {
    const declared = { email: 'p0@x.io', firstName: 'A', onDelete: 'unsubscribe' };
    await engine.up([{ type: 'contact', name: 'c', inputs: declared }]);
    engine.cascaded = 'c';
    const { errors, told } = await engine.up([
      { type: 'contact', name: 'c', inputs: { ...declared, firstName: 'B' } },
    ]);
    expect(errors).toEqual([]);
    expect(told.join()).toMatch(/is deleted before what replaces it/);
    expect(service.people[0]).toMatchObject({ subscribed: true, firstName: 'B' });
  });
});

describe('what is not known yet', () => {
  it('is planned as the most that can happen', async () => {
    await engine.up([await list(NAMES)]);
    const { told } = await engine.preview([await list(NAMES, { onRemove: UNKNOWN })]);
    expect(told.join()).toMatch(
      /Contacts 'a' \(8 contacts\): what is declared is known during the run only: any of them may be changed.*up to 10 would be unsubscribed for good/,
    );
    const inputs = { contacts: UNKNOWN, createWithEvent: { eventName: UNKNOWN } };
    const created = await engine.preview([{ type: 'contacts', name: 'b', inputs }]);
    expect(created.told.join()).toMatch(
      /Contacts 'b': what is declared is known.*an event that is known during/,
    );
  });
});

it('clear leaves a value alone that somebody else has set since', async () => {
  const inputs = { email: 'p0@x.io', firstName: 'A', lastName: 'B', onDelete: 'clear' };
  await engine.up([{ type: 'contact', name: 'c', inputs }]);
  Object.assign(service.people[0] ?? {}, { firstName: 'Real' });
  const { told } = await engine.up([]);
  expect(told.join()).toMatch(/lastName cleared/);
  expect(service.people[0]).toMatchObject({ firstName: 'Real' });
});

describe('an edit of one cell', () => {
  const header = 'email,firstName,lastName,subscriptionGroups.news';
  const person = (email: string) => service.people.find((one) => one.email === email);

  it('writes that cell, and nothing that others have changed since', async () => {
    await engine.up([await list(['p0@x.io,A,B,true'], {}, header)]);
    Object.assign(person('p0@x.io') ?? {}, { lastName: 'Married', subscriptionGroups: { news: false } });
    service.writes();
    const { told } = await engine.up([await list(['p0@x.io,A2,B,true'], {}, header)]);
    expect(told.join()).toMatch(/0 new, 1 changed \(firstName 1\), 0 unchanged\. First/);
    expect(service.writes()).toEqual(['PUT /v1/contacts/p0@x.io {"firstName":"A2"}']);
  });

  it('after a refresh that found a difference, writes all, and says so', async () => {
    await engine.up([await list(['p0@x.io,A,B,true'], {}, header)]);
    Object.assign(person('p0@x.io') ?? {}, { lastName: 'Married' });
    await engine.refresh();
    const { told } = await engine.up([await list(['p0@x.io,A2,B,true'], {}, header)]);
    expect(told.join()).toMatch(
      /1 changed, 0 unchanged, 1 of them join group 'news', 1 of them written as a whole, email and userId too/,
    );
    expect(person('p0@x.io')).toMatchObject({ firstName: 'A2', lastName: 'B' });
  });

  it('of a group says whether it is joined or left, of new ones too', async () => {
    await engine.up([await list(['p0@x.io,A,B,true'], {}, header)]);
    service.writes();
    const { told } = await engine.up([await list(['p0@x.io,A2,B,false', 'p1@x.io,C,D,false'], {}, header)]);
    expect(told.join()).toMatch(
      /1 new, 1 changed \(firstName 1\), 0 unchanged, 2 of them leave group 'news'\. First: line 2 changed \(firstName, leave group 'news'\)/,
    );
    expect(service.writes()[0]).toBe(
      'PUT /v1/contacts/p0@x.io {"firstName":"A2","subscriptionGroups":{"news":false}}',
    );
  });
});

it('a column subscribed of false is told as what it is', async () => {
  const header = 'email,subscribed';
  const first = await engine.preview([await list(['p0@x.io,false', 'p1@x.io,'], {}, header)]);
  expect(first.told.join()).toMatch(/2 new, 1 of them with subscribed: false, who are unsubscribed for good/);
  await engine.up([await list(NAMES)]);
  const rows = NAMES.map((email) => `${email},false`);
  const { told } = await engine.preview([await list(rows, {}, header)]);
  expect(told.join()).toMatch(/8 changed.*8 of them with subscribed: false, who are unsubscribed for good/);
});

it('a file that changes after its plan is refused before anybody is touched', async () => {
  await engine.up([await list(NAMES)]);
  service.writes();
  engine.beforeWrite = async () => {
    await list(NAMES.slice(4));
  };
  const { errors } = await engine.up([await list(NAMES.slice(1))]);
  expect(errors.join()).toMatch(/is not what was planned: it was changed meanwhile\. Nobody was changed/);
  expect(service.writes()).toEqual([]);
});

it('a file that changes between the plan of a replacement and its check is refused as well', async () => {
  await engine.up([await list(NAMES)]);
  service.writes();
  engine.beforeReplacing = async () => {
    await list(NAMES.slice(4));
  };
  const { errors, told } = await engine.up([await list(NAMES.slice(1))]);
  expect(errors.join()).toMatch(/is not what was planned: it was changed meanwhile\. Nobody was changed/);
  expect(told.join()).not.toContain('ignoreChanges');
  expect(service.writes()).toEqual([]);
});

it('a person of a list who is a Contact by userId as well is found at preview', async () => {
  service.add({ email: 'ada@x.io', userId: 'u1' });
  const program: Declared[] = [
    await list(['ada@x.io']),
    { type: 'contact', name: 'ada', inputs: { userId: 'u1' } },
  ];
  for (const order of [program, program.toReversed()]) {
    const { errors } = await new FakeEngine(service).up(order);
    expect(errors.join()).toMatch(/declared (twice|by Contact 'ada' as well)/);
  }
});

test('a list that is new and empty takes nothing over from one that is emptied', async () => {
  const emptied = (contacts: readonly object[]): Declared => ({
    type: 'contacts',
    name: 'a',
    inputs: { contacts, onRemove: 'unsubscribe', allowEmpty: true },
  });
  const empty: Declared = { type: 'contacts', name: 'b', inputs: { contacts: [], allowEmpty: true } };
  await engine.up([emptied([{ email: 'p0@x.io' }])]);
  const { errors } = await engine.up([empty, emptied([])]);
  expect(errors).toEqual([]);
  expect(unsubscribed()).toEqual(['p0@x.io']);
});

it('who leaves is not taken for the one whose address could not be given to them', async () => {
  service.add({ userId: 'u8' });
  await engine.up([await list([...NAMES.slice(1).map((email) => `${email},`), ',u8'], {}, 'email,userId')]);
  // p0 is somebody else, so the service refuses; then p0 is declared by itself, and u8 leaves.
  const refused = await engine.up([
    await list([...NAMES.slice(1).map((email) => `${email},`), 'p0@x.io,u8'], {}, 'email,userId'),
  ]);
  expect(refused.errors.join()).toMatch(/refuses the values/);
  const { errors } = await engine.up([await list(NAMES)]);
  expect(errors).toEqual([]);
  expect(service.people.filter((person) => person['subscribed'] === false)).toMatchObject([{ userId: 'u8' }]);
});

it('a row that was edited is written as a whole after a refresh, as others may have changed the rest', async () => {
  await engine.up([await list(['p0@x.io,A,L', 'p1@x.io,A,L'], {}, 'email,firstName,lastName')]);
  Object.assign(service.find('p0@x.io') ?? {}, { firstName: 'Wrong' });
  const edited = await list(['p0@x.io,A,L2', 'p1@x.io,A,L'], {}, 'email,firstName,lastName');
  await engine.refresh();
  const { told } = await engine.up([edited]);
  expect(told.join()).toMatch(/1 changed.*1 unchanged, 1 of them written as a whole/);
  expect(service.find('p0@x.io')).toMatchObject({ firstName: 'A', lastName: 'L2' });
});
