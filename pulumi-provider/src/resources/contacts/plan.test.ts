import type { Declared, FakeEngine } from '../../../testing/fake-engine.js';
import type { FakeService } from '../../../testing/fake-service.js';
import { start } from '../../../testing/start.js';

type Row = Readonly<Record<string, unknown>>;

const event = { createWithEvent: { eventName: 'joined' } };
const list = (contacts: readonly Row[], more: Row = {}, name = 'all'): Declared => ({
  type: 'contacts',
  name,
  inputs: { contacts, ...more },
});
const ada = (more: Row = {}): Row => ({ email: 'ada@x.io', ...more });
const dora = (more: Row = {}): Row => ({ email: 'dora@x.io', ...more });
const of = (count: number, more: Row): Row[] =>
  Array.from({ length: count }, (_, index) => ({ email: `p${index}@x.io`, ...more }));

/** A service with ada and bob, written with `before`, if any. */
async function startWith(before?: Declared): Promise<ReturnType<typeof start>> {
  const { service, engine } = start({ email: 'ada@x.io', userId: 'u1' }, { email: 'bob@x.io' });
  if (before !== undefined) expect((await engine.up([before])).errors).toEqual([]);
  service.writes();
  return { service, engine };
}

interface Case {
  readonly before?: Declared;
  readonly others?: (service: FakeService) => unknown;
  readonly program: readonly Declared[];
  /** What the plan says, and what it does not. */
  readonly says: RegExp;
  readonly not?: RegExp;
  readonly writes: readonly string[];
  readonly fails?: boolean;
}

describe('a plan says what up does:', () => {
  it.each<[string, Case]>([
    [
      'identifiers of two contacts',
      {
        program: [list([{ email: 'bob@x.io', userId: 'u1', firstName: 'B' }], event)],
        ...{
          says: /1 row cannot be written: .*two contacts/,
          not: /gets the event/,
          writes: [],
          fails: true,
        },
      },
    ],
    [
      'nobody there, and no event',
      {
        program: [list([dora()])],
        says: /1 contact does not exist and is not created/,
        writes: [],
        fails: false,
      },
    ],
    [
      'an address that another contact has',
      {
        before: list([ada({ userId: 'u1' })]),
        program: [list([{ email: 'bob@x.io', userId: 'u1' }])],
        ...{ says: /1 row cannot be written/, not: /1 changed/, writes: [], fails: true },
      },
    ],
    [
      'a contact that was erased since, without a refresh',
      {
        before: list([ada()], event),
        others: ({ people }) => people.shift(),
        program: [list([ada({ firstName: 'A' })], event)],
        ...{ says: /contacts\[0\] of .* no longer exists/, not: /1 changed|event/, writes: [] },
      },
    ],
    [
      'two lists of one new contact',
      {
        program: [list([dora()], event), list([dora({ firstName: 'D' })], event, 'other')],
        ...{ says: /1 gets the event[^]*'other'[^]*1 exists/, not: /gets the event[^]*gets the event/ },
        writes: ['POST', 'PUT'],
      },
    ],
    [
      'an opt-out of nobody',
      {
        program: [list([dora({ subscribed: false })], event)],
        ...{ says: /1 contact does not exist and is not created/, not: /unsubscribed/, writes: [] },
      },
    ],
    [
      'leaving a group',
      {
        program: [list([ada({ subscriptionGroups: { news: false } })])],
        ...{ says: /1 leaves group 'news'/, not: /sets|loses/, writes: ['PUT'] },
      },
    ],
    [
      'who may have left all mail',
      {
        others: ({ people }) => Object.assign(people[0] ?? {}, { subscribed: false }),
        program: [list([ada({ subscriptionGroups: { news: true } })])],
        ...{
          says: /1 contact may have left group 'news' or unsubscribed: not added/,
          not: /joins/,
          writes: [],
        },
      },
    ],
    [
      'more rows than it looks up',
      {
        program: [list([...of(201, {}), ada({ firstName: 'A' })], event)],
        ...{
          says: /200 get the event[^]*2 were not looked up[^]*get the event of the list/,
          not: /\d exists?\b/,
        },
        writes: [...Array<string>(201).fill('POST'), 'PUT'],
      },
    ],
  ])('%s', async (_title, { before, others, program, says, not = /never/, writes, fails = false }) => {
    const { service, engine } = await startWith(before);
    others?.(service);
    const { told } = await engine.preview(program);
    expect(told.join('\n')).toMatch(says);
    expect(told.join('\n')).not.toMatch(not);
    expect(service.writes()).toEqual([]);
    const { errors } = await engine.up(program);
    expect(errors.length > 0).toBe(fails);
    const methods = service.writes().map((line) => line.split(' ')[0] ?? '');
    expect(methods.filter((method) => writes.includes(method))).toHaveLength(writes.length);
    if (writes.length === 0) expect(service.people.map(({ firstName }) => firstName)).not.toContain('B');
  });

  it.each(['cut before', 503, 401] as const)(
    'a service that ends in %s is not told as "exists"',
    async (fault) => {
      const { service, engine } = await startWith();
      service.fault = (request) =>
        request.includes('/contacts/p') && !request.includes('/properties') ? fault : undefined;
      const { told, errors } = await engine.preview([list(of(50, { firstName: 'A' }), event)]);
      if (fault === 401) expect(errors).not.toEqual([]);
      else {
        expect(told.filter((line) => line.includes('could not be checked'))).toHaveLength(1);
        expect(told.join('\n')).toContain('50 were not looked up');
      }
      expect(told.join('\n')).not.toMatch(/\d exists?\b/);
      expect(service.received.length).toBeLessThan(700);
    },
  );
});

describe('what was not written', () => {
  const out = { subscribed: false };

  it.each<[string, (engine: FakeEngine, service: FakeService) => Promise<unknown>]>([
    [
      'while the service said 404',
      (engine, service) => {
        service.reply = (request) => (request.startsWith('PUT') ? [404, {}] : undefined);
        return engine.up([list([ada(out)], event)]);
      },
    ],
    [
      'as the contact did not exist yet',
      (engine, { people }) => {
        people.shift();
        return engine.up([list([ada(out)], event)]);
      },
    ],
    [
      'as its request was refused',
      (engine, service) => {
        service.fault = (request) => (request.startsWith('PUT') ? 400 : undefined);
        return engine.up([list([ada(out)], event)]);
      },
    ],
  ])('%s: the opt-out is written when the contact is there', async (_title, run) => {
    for (const before of [undefined, list([ada()], event)]) {
      const { service, engine } = await startWith(before);
      await run(engine, service);
      [service.reply, service.fault] = [() => undefined, () => undefined];
      if (service.find('ada@x.io') === undefined) service.add({ email: 'ada@x.io' });
      expect(service.find('ada@x.io')?.['subscribed']).toBe(true);
      await engine.up([list([ada(out)], event)], { refresh: true });
      expect(service.find('ada@x.io')?.['subscribed']).toBe(false);
      expect(service.events).toEqual([]);
      // Once it is written, no refresh writes it again.
      service.writes();
      await engine.up([list([ada(out)], event)], { refresh: true });
      expect(service.writes()).toEqual([]);
    }
  });

  it('of an opt-out that counted for maxRemovals while nobody was there does not count again', async () => {
    const rows = of(12, out);
    const { engine } = await startWith(list(rows, { maxRemovals: 12 }));
    expect((await engine.up([list([...rows, ada()])])).errors).toEqual([]);
  });

  it('of a tenth of the contacts may be taken, each counted once, and of no more', async () => {
    const all = { firstName: 'A', properties: { plan: 'Pro' } };
    const { engine } = await startWith(list(of(119, all), event));
    const taken = of(12, { firstName: null, properties: { plan: null } });
    for (const [count, code] of [
      [11, 'contacts.plan'],
      [12, 'contacts.removals'],
    ] as const) {
      const rows = [...taken.slice(0, count), ...of(119, all).slice(count)];
      expect((await engine.preview([list(rows, event)])).codes).toEqual([code]);
    }
  });

  it('a row that no longer says "no mail" is a new one', async () => {
    const { service, engine } = await startWith(list([dora(out)], event));
    expect(service.events).toEqual([]);
    const many = Array.from({ length: 201 }, (_, index) => ({ email: `p${index}@x.io` }));
    const program = [list([dora(), ...many], event)];
    const { told } = await engine.preview(program);
    expect(told.join()).toContain('202 new');
    await engine.up(program);
    expect(service.events).toHaveLength(202);
  });

  it('a refusal of one contact is a warning in a refresh, and its state stays', async () => {
    for (const status of [400, 403]) {
      const { service, engine } = await startWith(list([ada({ firstName: 'A' }), { email: 'bob@x.io' }]));
      const before = engine.state.get('contacts all')?.outs;
      service.reply = (request) => (request.endsWith('/ada@x.io') ? [status, {}] : undefined);
      expect(await engine.refresh()).toMatchObject({ errors: [], codes: ['contacts.notCompared'] });
      expect(engine.state.get('contacts all')?.outs).toEqual(before);
    }
  });

  it('a secret number of a row stands in no message, also where the service repeats it', async () => {
    const { service, engine } = await startWith();
    service.fault = () => undefined;
    service.reply = (request) =>
      request.startsWith('PUT') ? [422, { message: 'seats 48151623 is too large' }] : undefined;
    const { errors } = await engine.up([list([ada({ properties: { seats: 48_151_623 } })])]);
    expect(errors.join()).toContain('seats … is too large');
    const wrong = await engine.up([list([ada({ properties: { plan: 48_151_623 } })])]);
    expect(wrong.errors.join()).not.toContain('48151623');
  });

  it('a service that ignores the key of an event is reported with a way out', async () => {
    const { service, engine } = await startWith(list([dora()], event));
    service.people.pop();
    engine.state.clear();
    const { errors } = await engine.up([list([dora()], event)]);
    expect(errors.join()).toContain("add 'again: 1'");
    const again = { createWithEvent: { eventName: 'joined', eventProperties: { again: 1 } } };
    expect((await engine.up([list([dora()], again)])).errors).toEqual([]);
  });

  it('who left is not added by the event that finds the contact after all', async () => {
    const { service, engine } = await startWith();
    Object.assign(service.people[1] ?? {}, { subscriptionGroups: { news: false } });
    let strays = 1;
    service.reply = (request) =>
      request === 'GET /v1/contacts/bob@x.io' && strays-- > 0 ? [404, {}] : undefined;
    const program = [list([{ email: 'bob@x.io', subscriptionGroups: { news: true } }], event)];
    await engine.up(program);
    expect(service.people[1]?.['subscriptionGroups']).toEqual({ news: false });
  });
});
