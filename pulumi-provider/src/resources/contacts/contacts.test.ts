import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Declared, Ended, FakeEngine } from '../../../testing/fake-engine.js';
import { runOn, type FakeService } from '../../../testing/fake-service.js';
import { start } from '../../../testing/start.js';
import { upsert } from '../contact-record/upsert.js';
import { contacts as behaviour } from './contacts.js';

type Row = Readonly<Record<string, unknown>>;

const all = (contacts: readonly Row[], more: Row = {}, name = 'all'): Declared => ({
  type: 'contacts',
  name,
  inputs: { contacts, ...more },
});
const ada = (more: Row = {}): Row => ({ email: 'ada@x.io', ...more });
const bob = (more: Row = {}): Row => ({ email: 'bob@x.io', ...more });
const cleo = (more: Row = {}): Row => ({ email: 'cleo@x.io', ...more });

const startWithThree = (): ReturnType<typeof start> => start(ada(), bob(), cleo());

/** A service, and a list that it has been written with. */
async function written(rows: readonly Row[], more: Row = {}): Promise<ReturnType<typeof start>> {
  const { service, engine } = startWithThree();
  expect((await engine.up([all(rows, more)])).errors).toEqual([]);
  service.writes();
  return { service, engine };
}

function outsOf(engine: FakeEngine): Row {
  return engine.state.get('contacts all')?.outs ?? {};
}

describe('a row', () => {
  it('is written as a whole when it is new, then only where its declaration changes', async () => {
    const { service, engine } = await written([
      ada({ firstName: 'Ada', properties: { plan: 'Pro' } }),
      bob(),
    ]);
    expect(
      (await engine.up([all([ada({ firstName: 'Ada', properties: { plan: 'Free' } }), bob()])])).errors,
    ).toEqual([]);
    expect(service.writes()).toEqual(['PUT /v1/contacts/ada@x.io {"plan":"Free"}']);
    expect(outsOf(engine)).toMatchObject({ count: 2 });
  });

  it('that is removed, and a value that is emptied, keep what they have; the plan says so', async () => {
    const { service, engine } = await written([
      ada({ firstName: 'Ada' }),
      bob({ subscriptionGroups: { news: true } }),
    ]);
    const program = [all([ada()])];
    const { told } = await engine.preview(program);
    expect(told).toEqual([
      "Contacts 'all' (the array 'contacts'): 1 unchanged.\n1 row no longer in the list, 1 firstName emptied: values kept.",
    ]);
    expect((await engine.up(program)).errors).toEqual([]);
    expect(service.writes()).toEqual([]);
    expect(outsOf(engine)).toMatchObject({ count: 1 });
    expect(outsOf(engine)['written']).toMatch(/^1 contact, [0-9a-f]{16}$/);
  });

  it('gets a userId where it has none, and a new email by its userId', async () => {
    const { service, engine } = await written([ada()]);
    await engine.up([all([ada({ userId: 'u1' })])]);
    await engine.up([all([{ email: 'countess@x.io', userId: 'u1' }])]);
    expect(service.writes()).toEqual([
      'PUT /v1/contacts/ada@x.io {"userId":"u1"}',
      'PUT /v1/contacts/u1 {"email":"countess@x.io"}',
    ]);
  });

  it.each<[string, readonly Row[], string]>([
    [
      'an email that a contact outside the list has',
      [{ email: 'bob@x.io', userId: 'u1', firstName: 'Ada' }],
      'to two contacts',
    ],
    ['another userId', [ada({ userId: 'u2', firstName: 'Ada' })], 'had another userId in the last run'],
  ])('is refused with %s, and stays as it is', async (_name, rows, says) => {
    const { service, engine } = await written([ada({ userId: 'u1', firstName: 'Ada' })]);
    expect((await engine.up([all(rows)])).errors.join()).toContain(says);
    expect(service.writes()).toEqual([]);
    expect((await engine.up([all([ada({ userId: 'u1', firstName: 'Ada' })])])).errors).toEqual([]);
    expect(service.writes()).toEqual([]);
  });

  it('of a new email and userId that are two contacts is refused; the others are written', async () => {
    const { service, engine } = startWithThree();
    service.add({ email: 'dora@x.io', userId: 'u4' });
    const { errors } = await engine.up([all([ada({ userId: 'u4' }), bob({ firstName: 'Bob' })])]);
    expect(errors.join()).toMatch(/contacts\[0\]: .*ids c4 and c1/);
    expect(service.writes()).toEqual(['PUT /v1/contacts/bob@x.io {"firstName":"Bob"}']);
  });

  it('that the service refuses is reported with its message, without a value of the row', async () => {
    const { service, engine } = startWithThree();
    service.reply = (request) =>
      request.startsWith('PUT')
        ? [422, { message: "firstName 'Augusta' of ada+1@x.io is too long" }]
        : undefined;
    const { errors } = await engine.up([all([{ email: 'Ada+1@X.io', firstName: 'Augusta' }])]);
    expect(errors.join()).toMatch(
      /contacts\[0\]: the service refuses .*\(422\): "firstName '…' of … is too long"/,
    );
  });
});

it('a list is not written while the type of one of its columns is not known', async () => {
  const { service, engine } = startWithThree();
  service.fault = (request) => (request === 'GET /v1/contacts/properties' ? 503 : undefined);
  const program = [all([ada({ properties: { seats: '5' } })])];
  const { errors, codes } = await engine.preview(program);
  expect([errors, codes]).toEqual([[], ['service.notChecked', 'contacts.plan']]);
  expect((await engine.up(program)).codes.at(-1)).toBe('contacts.typesUnknown');
  expect(service.writes()).toEqual([]);
  // Fields have a type, and so has a property that the program declares.
  const declared: Declared = {
    type: 'contactProperty',
    name: 'seats',
    inputs: { name: 'seats', type: 'number' },
  };
  service.fault = () => undefined;
  await engine.up([declared]);
  service.writes();
  service.fault = (request) => (request === 'GET /v1/contacts/properties' ? 503 : undefined);
  expect((await engine.up([declared, all([ada({ firstName: 'Ada' })])])).errors).toEqual([]);
  expect((await engine.up([declared, ...program])).errors).toEqual([]);
  expect(service.writes()).toEqual([
    'PUT /v1/contacts/ada@x.io {"firstName":"Ada"}',
    'PUT /v1/contacts/ada@x.io {"seats":5}',
  ]);
});

it('a file that has changed since it was checked is not written', async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'audience-')), 'people.csv');
  const { service } = startWithThree();
  writeFileSync(file, 'email,firstName\nada@x.io,Ada\n');
  const { inputs } = await behaviour.check({}, { file }, runOn(service));
  writeFileSync(file, 'email,firstName\nada@x.io,Augusta\n');
  // A saved plan is carried out by another process.
  const created = behaviour.create(inputs, runOn(service));
  await expect(created).rejects.toMatchObject({ reasons: [{ code: 'contacts.changedSince' }] });
  expect(service.writes()).toEqual([]);
  rmSync(path.dirname(file), { recursive: true });
});

describe('two rows of one contact', () => {
  it('with the same values are one', async () => {
    const { service, engine } = startWithThree();
    await engine.up([all([ada({ firstName: 'Ada' }), { email: 'ADA@x.io', properties: { plan: 'Pro' } }])]);
    expect(service.writes()).toEqual(['PUT /v1/contacts/ada@x.io {"firstName":"Ada","plan":"Pro"}']);
  });

  it.each([
    ['wait', 'in'],
    ['in', 'wait'],
  ])('are both left out if one is skipped: %s, %s', async (...said) => {
    const { service, engine } = startWithThree();
    const consent = { Mail: { in: 'mail', wait: 'skip' } };
    const rows = said.map((Mail) => ada({ Mail, firstName: 'Ada' }));
    expect((await engine.up([all(rows, { consent })])).errors).toEqual([]);
    expect(service.writes()).toEqual([]);
  });

  it('are compared with other lists by the identifiers of each row', async () => {
    const { engine } = startWithThree();
    const two = all([ada(), ada({ userId: 'u1', firstName: 'Ada' })]);
    const { errors } = await engine.preview([
      two,
      all([{ userId: 'u1', firstName: 'Augusta' }], {}, 'other'),
    ]);
    expect(errors.join()).toMatch(/is the same contact as contacts\[0\] of Contacts 'all'/);
  });
});

describe('events', () => {
  const event = { createWithEvent: { eventName: 'imported' } };

  it('are not sent for a contact that was erased: the run says that it is gone, and leaves it so', async () => {
    const { service, engine } = await written([ada({ firstName: 'Ada' }), bob()], event);
    service.people.shift();
    const program = [all([ada({ firstName: 'A' }), bob()], event)];
    expect(await engine.up(program)).toMatchObject({ errors: [], codes: ['contacts.plan', 'contacts.gone'] });
    expect((await engine.up(program)).codes).toEqual(['contacts.gone']);
    const again = await engine.up([all([ada({ firstName: 'A' }), bob({ firstName: 'B' })], event)]);
    expect(again.told.join()).toMatch(/contacts\[0\] of .* no longer exists/);
    expect(service.events).toEqual([]);
    // A row that is removed and added again creates no contact, and neither does another list beside this one.
    await engine.up([all([bob()], event)]);
    expect((await engine.up(program)).codes).toContain('contacts.gone');
    expect(service.events).toEqual([]);
    const own = all([ada({ firstName: 'A' })], event, 'own');
    expect((await engine.up([all([bob()], event), own])).codes).toContain('contacts.gone');
    expect(service.events).toEqual([]);
  });

  it('make a contact known also where its update fails: deleted since, it is not created again', async () => {
    const { service, engine } = startWithThree();
    const program = [all([{ email: 'dora@x.io', firstName: 'Dora' }], event)];
    service.reply = (request) =>
      service.events.length > 0 && request.startsWith('PUT') ? [400, { message: 'full' }] : undefined;
    expect((await engine.up(program)).errors.join()).toContain('"full"');
    expect([service.events.length, service.people.length]).toEqual([1, 4]);
    service.reply = () => undefined;
    service.people.pop();
    service.forgetKeys();
    expect((await engine.up(program)).codes).toContain('contacts.gone');
    expect(service.events).toEqual([]);
  });

  it('create a contact once in a run: another list or resource waits, and then updates', async () => {
    const { service } = startWithThree();
    const run = runOn(service);
    const dora = { email: 'dora@x.io' };
    const identities = [dora, dora, { ...dora, userId: 'u4' }, { email: 'DORA@x.io' }];
    const ends = await Promise.all(
      identities.map((identity, number) =>
        upsert(
          {
            identity,
            values: {},
            event: { eventName: `e${number}` },
            isKnown: false,
            where: `row ${number}`,
          },
          run,
        ),
      ),
    );
    expect(ends.map(({ kind }) => kind)).toEqual(Array(4).fill('written'));
    expect([service.events.length, service.people.length]).toEqual([1, 4]);
  });
});

describe('refresh', () => {
  const rows = [
    ada({ firstName: 'Ada' }),
    bob({ firstName: 'Bob', subscriptionGroups: { news: true } }),
    cleo({ firstName: null, subscribed: false }),
  ];

  it('counts rows that differ or are gone; the next up writes only what differs, and no consent', async () => {
    const { service, engine } = await written(rows);
    const others = { firstName: 'Robert', lastName: 'Own', subscriptionGroups: { news: false } };
    Object.assign(service.people[1] ?? {}, others);
    Object.assign(service.people[2] ?? {}, { firstName: 'Cleo', subscribed: true });
    service.people.shift();
    expect((await engine.refresh()).codes).toEqual(['contacts.drift', 'contacts.gone']);
    const { told } = await engine.up([all(rows)]);
    expect(told.join()).toMatch(/contacts\[0\] of .* no longer exists/);
    expect(service.writes().sort()).toEqual([
      'PUT /v1/contacts/bob@x.io {"firstName":"Bob"}',
      'PUT /v1/contacts/cleo@x.io {"firstName":null}',
    ]);
  });

  it('in the run that writes: one plan, of the list by its name', async () => {
    const { service, engine } = await written(rows);
    Object.assign(service.people[0] ?? {}, { firstName: 'Robert' });
    const { told } = await engine.up([all(rows)], { refresh: true });
    expect(told.filter((line) => line.includes('1 changed'))).toEqual([
      expect.stringMatching(/^Contacts 'all' \(/),
    ]);
  });
});

/** The rows of a run, or what happens between two. */
type Step = readonly Row[] | ((service: FakeService, engine: FakeEngine) => unknown);

describe('after several runs', () => {
  const event = { createWithEvent: { eventName: 'imported' } };
  const consent = { consent: { Mail: { in: 'mail', wait: 'skip' } } };
  const [A, B, out] = [{ firstName: 'A' }, { firstName: 'B' }, { subscribed: false }];
  const [u1, u2] = [{ userId: 'u1' }, { userId: 'u2' }];
  const group = (news: boolean): Row => ({ subscriptionGroups: { news } });
  const dora = { email: 'dora@x.io' };
  const sentNo: Step = ({ events }) => expect(events).toEqual([]);
  const cut: Step = (service) =>
    (service.fault = (line) => (line.startsWith('PUT') ? 'cut before' : undefined));
  const hide: Step = (service) =>
    (service.reply = (line) => (/ \/v1\/contacts\/[^p]/.test(line) ? [404, {}] : undefined));
  const mend: Step = (service) => ([service.fault, service.reply] = [() => undefined, () => undefined]);
  const refresh: Step = (_, engine) => engine.refresh();
  const refreshSays =
    (...codes: string[]): Step =>
    async (_, engine) =>
      expect((await engine.refresh()).codes).toEqual(codes);
  const set =
    (...fields: Row[]): Step =>
    ({ people }) =>
      fields.forEach((of, index) => Object.assign(people[index] ?? {}, of));
  const erase: Step = ({ people }) => people.shift();
  const add: Step = (service) => service.add(ada());

  it.each<[string, readonly Step[], readonly string[]]>([
    [
      'a row that was left out is as before',
      [[ada({ ...A, Mail: 'in' })], [ada({ Mail: 'wait' })], [ada({ ...A, Mail: 'in' })]],
      [],
    ],
    [
      'the address of a row that is left out is not another one',
      [[ada({ ...u1, Mail: 'in' })], [{ ...u1, Mail: 'wait' }, ada({ ...A, Mail: 'in' })]],
      [],
    ],
    [
      'two rows that were refused as one are as before',
      [set({}, u2), [ada(A), { ...u2, ...B }], [ada({ ...u2, ...A })], [ada(A), { ...u2, ...B }]],
      ['u2 {"firstName":"B"}'],
    ],
    [
      'a changed email that met 404 is written once a refresh finds the contact',
      [set(u1), [ada(u1)], hide, [{ ...u1, ...dora }], mend, refresh, [{ ...u1, ...dora }]],
      ['u1 {"email":"dora@x.io"}'],
    ],
    [
      'a changed userId that met 404 is written once a refresh finds the contact',
      [[ada()], hide, [ada(u1)], mend, refresh, [ada(u1)]],
      ['ada@x.io {"userId":"u1"}'],
    ],
    [
      'a row that failed is written after a refresh, though the engine keeps the old inputs',
      [[ada(A)], cut, [ada(A), bob(B)], mend, refresh, [ada(A), bob(B)]],
      ['bob@x.io {"firstName":"B"}'],
    ],
    [
      'an address that another row gives up is written in the next run',
      [set(u1, u2), [ada(u1), bob(u2)], [bob(u1), { ...dora, ...u2 }], [bob(u1), { ...dora, ...u2 }]],
      ['u1 {"email":"bob@x.io"}'],
    ],
    [
      'who is gone keeps the userId that an export left out: a new email for it creates nobody',
      [set(u1), [ada(u1)], erase, refresh, [ada()], [{ ...dora, ...u1 }], sentNo],
      [],
    ],
    [
      'a new userId that leads to another email is refused',
      [[ada()], erase, set(u1), [ada({ ...u1, ...A })]],
      [],
    ],
    [
      'a group that was not joined is left',
      [set(group(false)), [ada(group(true))], [ada(group(false))]],
      ['ada@x.io {"subscriptionGroups":{"news":false}}'],
    ],
    [
      'a failed run forgets what is declared no more',
      [
        [ada({ ...A, lastName: 'L' })],
        cut,
        [ada({ lastName: 'M' })],
        mend,
        refreshSays(),
        [ada({ ...A, lastName: 'M' })],
      ],
      ['ada@x.io {"firstName":"A","lastName":"M"}'],
    ],
    [
      'an opt-out is not written again after a while of 404',
      [
        [ada(out)],
        hide,
        refresh,
        mend,
        cut,
        [ada({ ...out, ...B })],
        mend,
        set({ subscribed: true }),
        refresh,
        [ada({ ...out, ...B })],
      ],
      ['ada@x.io {"firstName":"B"}'],
    ],
    [
      'two addresses that others changed are written, after a failure too',
      [
        set(u1, u2),
        [ada(u1), bob(u2)],
        set({ email: 'a@x.io' }, { email: 'b@x.io' }),
        refreshSays('contacts.drift'),
        cut,
        [ada(u1), bob(u2)],
        mend,
        [ada(u1), bob(u2)],
      ],
      ['u1 {"email":"ada@x.io"}', 'u2 {"email":"bob@x.io"}'],
    ],
    [
      'a row that was away while its contact was gone is written as a whole',
      [[ada(A), bob()], erase, refresh, [bob()], add, [ada(A), bob()]],
      ['ada@x.io {"firstName":"A"}'],
    ],
    [
      'a row that gets a userId before its contact is shown sends the same event',
      [hide, [dora], [{ ...dora, ...u2 }], ({ events }) => expect(events).toHaveLength(1)],
      [],
    ],
  ])('%s', async (_title, steps, writes) => {
    const { service, engine } = startWithThree();
    for (const step of steps) {
      service.writes();
      if (typeof step === 'function') await step(service, engine);
      else
        await engine.up([
          all(step, { ...event, ...(step.some(({ Mail }) => Mail !== undefined) && consent) }),
        ]);
    }
    expect(service.writes()).toEqual(writes.map((write) => `PUT /v1/contacts/${write}`));
  });
});

it.each([
  ['known', { firstName: 'Ada' }, 'another userId'],
  ['gone', { firstName: 'Ada' }, 'another userId'],
  ['gone', { subscribed: false }, 'another userId'],
  ['known', { firstName: 'Ada' }, 'two contacts'],
])(
  'a row that is %s with %j, whose address another contact has by now (%s), is a difference after a refresh, and is refused',
  async (known, values, kind) => {
    const program = [all([ada({ userId: 'u1', ...values })])];
    const { service, engine } = await written([ada({ userId: 'u1', ...values })]);
    service.reply = () => (known === 'gone' ? [404, {}] : undefined);
    await engine.refresh();
    service.reply = () => undefined;
    const [first] = service.people;
    if (kind === 'two contacts') service.people.push({ ...first, id: 'other', userId: undefined });
    Object.assign(first ?? {}, kind === 'two contacts' ? { email: 'new@example.com' } : { userId: 'u2' });
    const before = structuredClone(service.people);
    expect((await engine.refresh()).codes).toEqual(['contacts.notCompared']);
    for (let run = 0; run < 2; run += 1) expect((await engine.up(program)).codes).toContain('contacts.rows');
    expect(service.people).toEqual(before);
  },
);

describe('who left a group', () => {
  const news = { subscriptionGroups: { news: true } };
  const rows = [ada(news), bob(news)];

  it.each<[string, (engine: FakeEngine) => Promise<Ended>]>([
    ['a renamed list', (engine) => engine.up([all(rows, {}, 'renamed')])],
    ['a row away for a week', async (engine) => (await engine.up([all([bob()])]), engine.up([all(rows)]))],
    [
      'a cell empty for a week',
      async (engine) => (await engine.up([all([ada(), bob(news)])]), engine.up([all(rows)])),
    ],
    ['a lost state', (engine) => (engine.state.clear(), engine.up([all(rows)]))],
  ])('is not added by %s, and nothing is written for it again', async (_name, run) => {
    const { service, engine } = await written(rows);
    Object.assign(service.people[0] ?? {}, { subscriptionGroups: { news: false } });
    expect((await run(engine)).codes).toContain('contacts.notJoined');
    const name = [...engine.state.keys()].at(-1)?.replace('contacts ', '') ?? '';
    expect(await engine.up([all(rows, {}, name)])).toEqual({ errors: [], told: [], codes: [] });
    expect(service.writes().filter((line) => line.includes('ada@'))).toEqual([]);
  });

  it('is in the plan, beside what is overwritten and created', async () => {
    const { service, engine } = startWithThree();
    Object.assign(service.people[0] ?? {}, { firstName: 'Augusta', subscriptionGroups: { news: false } });
    const program = [
      all(
        [
          ...[ada({ firstName: 'Ada', ...news }), bob(news), { email: 'dora@x.io', ...news }],
          { email: 'eve@x.io', subscribed: false },
        ],
        { createWithEvent: { eventName: 'imported' } },
      ),
    ];
    expect((await engine.preview(program)).told.join()).toBe(
      `Contacts 'all' (the array 'contacts'): 4 new.
Contacts of these: 2 exist, 1 gets the event 'imported'.
Overwritten: firstName (1).
Of these, 2 join group 'news'.
1 contact may have left group 'news' or unsubscribed: not added to it.
1 contact does not exist and is not created: it wants no mail, or the list has no createWithEvent.`,
    );
    expect(service.writes()).toEqual([]);
  });
});

it('who is opted out here or in an earlier list is promised no event, and sent none', async () => {
  const { service, engine } = startWithThree();
  const eve = { email: 'eve@x.io' };
  const event = { createWithEvent: { eventName: 'imported' } };
  const program = [all([{ ...eve, subscribed: false }], event, 'gone'), all([eve], event, 'new')];
  const { told } = await engine.preview(program);
  expect(told.join()).toContain("is not created: contacts[0] of Contacts 'gone' says 'no mail'");
  expect(told.join()).not.toContain('imported');
  const { errors, codes } = await engine.up(program);
  expect([errors, codes.filter((code) => code.startsWith('contacts.no'))]).toEqual([
    [],
    ['contacts.nobody', 'contacts.notCreated'],
  ]);
  expect([service.events, service.people.length]).toEqual([[], 3]);
  // A row that another declaration keeps from its event is not done.
  const again = await engine.up(program);
  expect(again.codes).not.toContain('contacts.nobody');
  expect(again.codes).toContain('contacts.notCreated');
  await engine.up([all([{ ...eve, firstName: 'Eve' }], event, 'new')]);
  expect([service.events.length, service.people.length]).toEqual([1, 4]);
});

test.each(['contacts', '*'])(
  'ignoreChanges on %s: the rows are not written, until it is taken away',
  async (name) => {
    const { service, engine } = await written([ada({ firstName: 'Ada' })]);
    const changed = [ada({ firstName: 'A' }), bob({ firstName: 'B' })];
    const ignoring = [{ ...all(changed), ignoreChanges: [name] }];
    expect(await engine.up(ignoring)).toEqual({ errors: [], told: [], codes: [] });
    expect(service.writes()).toEqual([]);
    await engine.up([all(changed)]);
    expect(service.writes()).toHaveLength(2);
  },
);

describe('a run', () => {
  it('of destroy takes nothing from anybody, and says so', async () => {
    const { service, engine } = await written([
      ada({ firstName: 'Ada', subscriptionGroups: { news: true } }),
    ]);
    expect((await engine.destroy()).codes).toEqual(['state.only']);
    expect(service.writes()).toEqual([]);
  });

  it("writes the rows that say 'no mail' first", async () => {
    const { service, engine } = startWithThree();
    expect((await engine.up([all([ada({ firstName: 'Ada' }), bob({ subscribed: false })])])).errors).toEqual(
      [],
    );
    expect(service.writes()).toEqual([
      'PUT /v1/contacts/bob@x.io {"subscribed":false}',
      'PUT /v1/contacts/ada@x.io {"firstName":"Ada"}',
    ]);
  });

  it('says at most ten lines, whatever the number of contacts', async () => {
    const rows = Array.from({ length: 600 }, (_, index) => ({
      email: `p${index}@x.io`,
      subscriptionGroups: { news: true },
      properties: { seats: index % 3 === 0 ? null : 1, plan: index % 2 === 0 ? null : 'Pro' },
    }));
    const { service, engine } = startWithThree();
    const lines = ({ errors, told }: Ended): number => [...errors, ...told].join('\n').split('\n').length;
    expect(lines(await engine.preview([all(rows)]))).toBeLessThanOrEqual(10);
    service.reply = (request) => (/contacts\/p\d/.test(request) ? [400, { message: 'full' }] : undefined);
    const up = await engine.up([all(rows)]);
    expect(up.errors.join()).toMatch(/The run stopped early: the service refuses the request \(400\)/);
    expect(up.errors.join()).toMatch(/contacts\[0\], contacts\[1\], contacts\[2\] and \d+ more: .*"full"/);
    expect(lines({ ...up, told: [] })).toBeLessThanOrEqual(10);
    expect(lines({ ...up, errors: [] })).toBeLessThanOrEqual(10);
    const faulty = rows.map((row) => ({ ...row, email: 'none' }));
    expect(lines(await engine.preview([all(faulty)]))).toBeLessThanOrEqual(10);
    expect(service.people).toHaveLength(3);
  });
});

describe('state', () => {
  it('holds hashes and no person beside the secret inputs', async () => {
    const { engine } = await written([ada({ firstName: 'Augusta', userId: 'user-1' })]);
    const { contacts: _, ...rest } = outsOf(engine);
    expect(JSON.stringify(rest)).not.toMatch(/ada@|Augusta|user-1/);
    expect(rest['entries']).toMatch(/^[\w/]{12} [\w/]{12} [\w/]{6}$/);
  });
});

/** What stays as it is, by design: no finding to be mended. */
describe('by design', () => {
  it('an opted-out contact stays so when its row no longer says it', async () => {
    const { service, engine } = await written([ada({ subscribed: false })]);
    await engine.up([all([ada()])]);
    expect([service.writes(), service.people[0]?.['subscribed']]).toEqual([[], false]);
  });

  it('a row with an email only means whichever contact has that address', async () => {
    const { service, engine } = await written([ada({ firstName: 'Ada' })]);
    Object.assign(service.people[0] ?? {}, { email: 'elsewhere@x.io' });
    service.add({ email: 'ada@x.io' });
    await engine.up([all([ada({ firstName: 'A' })])]);
    expect(service.people.map(({ firstName }) => firstName)).toEqual(['Ada', undefined, undefined, 'A']);
  });

  it('two rows that exchange their addresses are refused until one of them has another one', async () => {
    const { service, engine } = await written([ada({ userId: 'u1' }), bob({ userId: 'u2' })]);
    for (let run = 0; run < 2; run += 1) {
      const { errors } = await engine.up([all([ada({ userId: 'u2' }), bob({ userId: 'u1' })])]);
      expect(errors.join()).toContain('interim address');
    }
    expect(service.writes()).toEqual([]);
  });
});
