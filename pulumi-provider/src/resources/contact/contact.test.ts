import type { Declared, Ended, FakeEngine } from '../../../testing/fake-engine.js';
import type { Code } from '../../messages/index.js';
import type { FakeService, Reply } from '../../../testing/fake-service.js';
import { start } from '../../../testing/start.js';

afterEach(() => jest.useRealTimers());

type Inputs = Readonly<Record<string, unknown>>;

const EMAIL = 'ada@example.com';
/** The address of the service of these tests. */
const HERE = 'https://api.example.com';
const ada = (inputs: Inputs, name = 'ada'): Declared => ({ type: 'contact', name, inputs });

/** A service with Ada, whose contact the program has. */
async function withAda(inputs: Inputs): Promise<ReturnType<typeof start>> {
  const { service, engine } = start({ email: EMAIL, userId: 'u1', lastName: 'Kept' });
  expect((await engine.up([ada(inputs)])).errors).toEqual([]);
  service.writes();
  return { service, engine };
}

describe('a contact that is new', () => {
  it('and exists: preview says what is set and what is overwritten, and no value', async () => {
    const { engine } = start({ email: EMAIL, firstName: 'Augusta', lastName: 'King' });
    const { told } = await engine.preview([
      ada({ email: EMAIL, firstName: 'Ada', lastName: 'King', source: 'web' }),
    ]);
    expect(told).toEqual([
      "Contact 'ada@example.com' exists already: 'pulumi up' sets firstName, source. The current value of firstName is overwritten.",
    ]);
  });

  it('and is in its group already: preview names no group that it joins', async () => {
    const { engine } = start({ email: EMAIL, subscriptionGroups: { news: true } });
    const inputs = { email: EMAIL, subscriptionGroups: { news: true } };
    expect((await engine.preview([ada(inputs)])).told).toEqual([
      "Contact 'ada@example.com' exists already: it has all declared values.",
    ]);
  });

  it('and does not exist: preview says which event is sent, and sends none', async () => {
    const { service, engine } = start();
    const createWithEvent = { eventName: 'invited' };
    const { codes } = await engine.preview([ada({ email: EMAIL, createWithEvent })]);
    expect(codes).toEqual(['contact.createdByEvent']);
    expect(service.writes()).toEqual([]);
  });

  it('and refused with 400 is no contact that does not exist: an error, and no event', async () => {
    const { service, engine } = start();
    service.reply = (request) => (request.includes('/contacts/ada') ? [400, {}] : undefined);
    const createWithEvent = { eventName: 'invited' };
    expect((await engine.up([ada({ email: EMAIL, createWithEvent })])).errors).toHaveLength(1);
    expect(service.events).toEqual([]);
  });

  it('is found by the next run after an event without a clear response, and gets one event', async () => {
    const { service, engine } = start();
    service.fault = (request) => (request.startsWith('POST') ? 'cut after' : undefined);
    const program = [ada({ email: EMAIL, firstName: 'Ada', createWithEvent: { eventName: 'x' } })];
    expect((await engine.up(program)).errors.join()).toContain('its event may have been sent');
    service.fault = () => undefined;
    expect((await engine.up(program)).errors).toEqual([]);
    expect(service.events).toHaveLength(1);
    expect(service.people).toEqual([expect.objectContaining({ email: EMAIL, firstName: 'Ada' })]);
  });

  it.each<[string, Declared[], Inputs, Code]>([
    ['it declares', [], { subscribed: false }, 'contact.optedOut'],
    [
      'an earlier list declares',
      [{ type: 'contacts', name: 'all', inputs: { contacts: [{ email: EMAIL, subscribed: false }] } }],
      {},
      'contact.refused',
    ],
  ])(
    'for which %s subscribed: false is announced no event, and sent none',
    async (_by, earlier, own, code) => {
      const { service, engine } = start();
      const program = [...earlier, ada({ email: EMAIL, ...own, createWithEvent: { eventName: 'x' } })];
      expect((await engine.preview(program)).codes.at(-1)).toBe(code);
      expect((await engine.up(program)).codes.at(-1)).toBe(code);
      expect(service.events).toEqual([]);
    },
  );

  it('whose service minds the case of addresses is found in lower case before an event is sent', async () => {
    const { service, engine } = start({ email: EMAIL });
    service.reply = (request) =>
      request.includes(' /v1/contacts/Ada@') ? [404, { success: false }] : undefined;
    const program = [
      ada({ email: 'Ada@Example.com', firstName: 'Ada', createWithEvent: { eventName: 'x' } }),
    ];
    expect((await engine.up(program)).errors).toEqual([]);
    expect([service.events, service.people[0]?.['firstName']]).toEqual([[], 'Ada']);
  });
});

describe('what is declared no more', () => {
  it('keeps its value: the plan says so, and the update makes no call', async () => {
    const before = {
      email: EMAIL,
      userId: 'u1',
      firstName: 'Ada',
      properties: { plan: 'Pro' },
      subscribed: false,
    };
    const { service, engine } = await withAda(before);
    service.received = [];
    expect(await engine.up([ada({ email: EMAIL })])).toMatchObject({
      errors: [],
      codes: ['contact.dropped'],
    });
    expect(service.received).toEqual(['GET /v1/contacts/properties']);
    expect(engine.state.get('contact ada')?.outs).toEqual({ email: EMAIL, address: HERE });
    expect(await engine.up([ada({ email: EMAIL })])).toEqual({ errors: [], told: [], codes: [] });
  });

  it('is not cleared by an import of a contact that has more than the program declares', async () => {
    const { service, engine } = start({
      email: EMAIL,
      userId: 'u1',
      firstName: 'Ada',
      source: 'web',
      plan: 'Pro',
      endsAt: 1801353600,
    });
    const program = [ada({ email: EMAIL, firstName: 'Ada' })];
    for (const resource of program) await engine.import(resource, 'u1');
    expect((await engine.up(program)).errors).toEqual([]);
    expect(service.writes()).toEqual([]);
    expect(engine.state.get('contact ada')?.outs).toEqual({ email: EMAIL, firstName: 'Ada', address: HERE });
  });

  it('is no group that an imported contact is not in', async () => {
    const { engine } = start({ email: EMAIL, subscriptionGroups: { news: false, tips: true } });
    await engine.import(ada({}), EMAIL);
    expect(engine.state.get('contact ada')?.inputs['subscriptionGroups']).toEqual({ tips: true });
  });

  it('stays when the resource leaves the program', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    expect((await engine.up([])).codes).toEqual(['state.only']);
    expect(service.writes()).toEqual([]);
  });
});

describe('a value to clear', () => {
  it.each<[string, Inputs]>([
    ['null', { firstName: null, properties: { plan: null } }],
    ['clear', { clear: ['firstName', 'plan'] }],
  ])('is cleared by %s, and again whenever others have set it', async (_name, inputs) => {
    const { service, engine } = await withAda({ email: EMAIL });
    const program = [ada({ email: EMAIL, ...inputs })];
    expect((await engine.up(program)).errors).toEqual([]);
    expect(service.writes()).toEqual(['PUT /v1/contacts/ada@example.com {"firstName":null,"plan":null}']);
    await engine.up(program);
    expect(service.writes()).toEqual([]);
    Object.assign(service.people[0] ?? {}, { firstName: 'Others' });
    await engine.refresh();
    await engine.up(program);
    expect(service.writes()).toEqual(['PUT /v1/contacts/ada@example.com {"firstName":null}']);
  });
});

describe('what a contact decides for itself', () => {
  const inputs = { email: EMAIL, subscriptionGroups: { news: true } };
  const leave = (service: FakeService): void => {
    Object.assign(service.people[0] ?? {}, { subscriptionGroups: { news: false } });
  };

  it('is no drift: who left a group, joined another or signed up again stays so', async () => {
    const declared = { email: EMAIL, subscribed: false, subscriptionGroups: { news: true, offers: false } };
    const { service, engine } = start({ email: EMAIL });
    service.groups.push({ id: 'offers', name: 'Offers', description: null });
    await engine.up([ada(declared)]);
    service.writes();
    const others = { subscribed: true, subscriptionGroups: { news: false, offers: true } };
    Object.assign(service.people[0] ?? {}, others);
    await engine.refresh();
    expect((await engine.up([ada(declared)], { refresh: true })).errors).toEqual([]);
    expect(service.writes()).toEqual([]);
  });

  it.each<[string, (engine: FakeEngine) => Promise<Ended>]>([
    ['renamed', (engine) => engine.up([ada(inputs, 'renamed')])],
    ['replaced', (engine) => (engine.state.clear(), engine.up([ada(inputs)]))],
    [
      'without the group for a while',
      async (engine) => (await engine.up([ada({ email: EMAIL })]), engine.up([ada(inputs)])),
    ],
  ])('lasts where the resource is %s, and the run says so', async (_name, run) => {
    const { service, engine } = await withAda(inputs);
    leave(service);
    expect((await run(engine)).codes).toContain('contact.mayHaveLeft');
    const [name] = [...engine.state.keys()].at(-1)?.split(' ').slice(1) ?? ['ada'];
    expect(service.writes()).toEqual([]);
    expect(engine.state.get(`contact ${name}`)?.outs['left']).toEqual(['news']);
    expect(await engine.up([ada(inputs, name)])).toEqual({ errors: [], told: [], codes: [] });
    expect(service.writes()).toEqual([]);
  });

  it('is announced by a preview of a new resource, and of one that adds the group', async () => {
    const { service, engine } = await withAda({ email: EMAIL });
    leave(service);
    expect((await engine.preview([ada(inputs, 'other')])).codes).toEqual([
      'contact.exists',
      'contact.mayHaveLeft',
    ]);
    expect((await engine.preview([ada(inputs)])).codes).toEqual(['contact.mayHaveLeft']);
  });
});

describe('a contact that is gone', () => {
  const program = (firstName: string): Declared[] => [
    ada({ email: EMAIL, firstName, createWithEvent: { eventName: 'x' } }),
  ];

  it('stays in state without a diff, and is created again only by --replace', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    service.people.pop();
    expect(await engine.refresh()).toMatchObject({ errors: [], codes: ['contact.gone'] });
    expect(await engine.up(program('Ada'), { refresh: true })).toMatchObject({ errors: [] });
    const changed = await engine.up(program('Augusta'));
    expect(changed.codes).toEqual(['contact.gone', 'contact.goneChanged']);
    expect(service.writes()).toEqual([]);
    expect(changed.errors.join()).toContain("run 'pulumi up --replace URN'");
    engine.state.clear();
    expect((await engine.up(program('Augusta'))).errors).toEqual([]);
    expect(service.events).toHaveLength(1);
  });

  it('stays marked where a value is declared no more', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    service.people.pop();
    await engine.refresh();
    expect((await engine.up([ada({ email: EMAIL })])).errors).toEqual([]);
    expect(engine.state.get('contact ada')?.outs).toEqual({ email: EMAIL, address: HERE, gone: true });
  });

  it('was erased with no refresh since: an update fails, and sends no event', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    service.people.pop();
    expect((await engine.up(program('Augusta'))).errors).toHaveLength(1);
    expect(service.events).toEqual([]);
  });

  it('is no longer gone once the service finds it: a while of 404 changes nothing', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    const before = engine.state.get('contact ada')?.outs;
    service.reply = () => [404, {}];
    await engine.refresh();
    service.reply = () => undefined;
    await engine.refresh();
    expect(engine.state.get('contact ada')?.outs).toEqual(before);
  });

  it('is not one that the service answers with 400: refresh warns, and an update fails', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    service.reply = (request) => (request.includes('/contacts/ada') ? [400, {}] : undefined);
    expect(await engine.refresh()).toMatchObject({ errors: [], codes: ['contact.notRead'] });
    expect((await engine.up(program('A'))).errors).toHaveLength(1);
    expect(service.events).toEqual([]);
  });
});

describe('a change of addresses', () => {
  test.each<[string, Inputs, Inputs, string[]]>([
    ['an email in another case', { email: EMAIL }, { email: 'Ada@Example.com' }, []],
    [
      'a new email',
      { userId: 'u1', email: EMAIL },
      { userId: 'u1', email: 'new@x.io' },
      ['PUT /v1/contacts/u1 {"email":"new@x.io"}'],
    ],
    ['no userId any more', { userId: 'u1', email: EMAIL }, { email: EMAIL }, []],
  ])('to %s', async (_name, before, after, writes) => {
    const { service, engine } = await withAda(before);
    expect((await engine.up([ada(after)])).errors).toEqual([]);
    expect(service.writes()).toEqual(writes);
    expect((await engine.up([ada(after)])).errors).toEqual([]);
    expect(service.writes()).toEqual([]);
  });

  it('gives a contact without a userId the declared one', async () => {
    const { service, engine } = start({ email: EMAIL });
    await engine.up([ada({ email: EMAIL })]);
    service.writes();
    expect((await engine.up([ada({ email: EMAIL, userId: 'u9' })])).errors).toEqual([]);
    expect(service.writes()).toEqual(['PUT /v1/contacts/ada@example.com {"userId":"u9"}']);
  });

  it.each<[string, Inputs, Code]>([
    ['an email of somebody else', { userId: 'u1', email: 'bob@example.com' }, 'contact.refused'],
    ['another userId', { userId: 'u2', email: EMAIL }, 'contact.refused'],
    ['both, which the preview says', { userId: 'u2', email: 'new@x.io' }, 'identity.needsUserId'],
  ])('to %s is refused, and nobody is changed', async (_name, after, code) => {
    const { service, engine } = await withAda({ userId: 'u1', email: EMAIL });
    service.add({ email: 'bob@example.com' });
    expect((await engine.up([ada(after)])).codes).toEqual([code]);
    expect(service.writes()).toEqual([]);
  });

  it('that others made is drift: the next up writes the declared email by the userId', async () => {
    const { service, engine } = await withAda({ userId: 'u1', email: EMAIL });
    Object.assign(service.people[0] ?? {}, { email: 'theirs@x.io' });
    await engine.refresh();
    expect(engine.state.get('contact ada')?.outs).toMatchObject({ email: 'theirs@x.io' });
    await engine.up([ada({ userId: 'u1', email: EMAIL })]);
    expect(service.writes()).toEqual([`PUT /v1/contacts/u1 {"email":"${EMAIL}"}`]);
  });
});

describe('a contact whose address now leads to somebody else', () => {
  const meanwhile = (service: FakeService): void => {
    const [person] = service.people;
    if (person !== undefined) person.email = 'elsewhere@example.com';
    service.add({ email: EMAIL, firstName: 'Somebody' });
  };

  it.each<Inputs>([{ email: EMAIL }, { email: EMAIL, userId: 'u1' }])(
    'is neither compared with that contact by a refresh, nor updated: %j',
    async (identity) => {
      const { service, engine } = await withAda({ ...identity, firstName: 'Ada' });
      meanwhile(service);
      const before = engine.state.get('contact ada')?.outs;
      expect(await engine.refresh()).toMatchObject({ errors: [], codes: ['contact.notRead'] });
      expect(engine.state.get('contact ada')?.outs).toEqual(before);
      const { codes } = await engine.up([ada({ ...identity, firstName: 'Countess' })]);
      expect(codes).toEqual(['contact.refused']);
      expect(service.writes()).toEqual([]);
    },
  );
});

describe('another address of the service', () => {
  it.each<[string, Declared]>([
    ['a contact', ada({ email: EMAIL, firstName: 'Ada' })],
    ['a list', { type: 'contacts', name: 'all', inputs: { contacts: [{ email: EMAIL, firstName: 'Ada' }] } }],
  ])('of %s is asked about, and noted without a call', async (_of, resource) => {
    const { service, engine } = start({ email: EMAIL });
    await engine.up([resource]);
    const movedFrom = service.baseUrl;
    service.baseUrl = 'https://new.example.com';
    service.writes();
    expect((await engine.preview([resource])).codes).toEqual(['service.otherAddress']);
    expect((await engine.refresh()).codes).toEqual(['service.otherAddress']);
    expect((await engine.up([resource], { movedFrom: 'https://else.example.com' })).errors).toHaveLength(1);
    expect((await engine.up([resource], { movedFrom })).errors).toEqual([]);
    expect(service.writes()).toEqual([]);
    expect(await engine.up([resource])).toEqual({ errors: [], told: [], codes: [] });
  });
});

describe('a preview of a service that cannot be read', () => {
  const people = Array.from({ length: 50 }, (_, n) => ada({ email: `p${n}@example.com` }, `p${n}`));
  const NOT_CHECKED: Code[] = ['service.notChecked', 'service.notChecked'];

  it.each<[string, Reply | 'down']>([
    ['is down', 'down'],
    ['refuses', [403, {}]],
    ['fails', [500, {}]],
    ['is a web page', [200, '<html></html>']],
  ])('says once what was not checked (%s)', async (_name, reply) => {
    const { service, engine } = start();
    if (reply === 'down') service.fault = () => 'cut before';
    else service.reply = () => reply;
    expect(await engine.preview(people)).toMatchObject({ errors: [], codes: NOT_CHECKED });
  });

  it('ends after 10 seconds where it hangs', async () => {
    jest.useFakeTimers();
    const { service, engine } = start();
    Object.assign(service, { transport: () => new Promise<never>(() => undefined) });
    const preview = engine.preview(people);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await preview).toMatchObject({ errors: [], codes: ['service.slow'] });
  });
});

describe('refresh', () => {
  it('keeps what is declared, with the values of the service', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada', properties: { seats: 3 } });
    Object.assign(service.people[0] ?? {}, { firstName: 'Others', lastName: 'Others', seats: 4 });
    await engine.refresh();
    expect(engine.state.get('contact ada')?.outs).toEqual({
      email: EMAIL,
      firstName: 'Others',
      properties: { seats: 4 },
      address: HERE,
    });
  });
});

describe('an update without a clear response', () => {
  it.each(['cut after', 'cut before'] as const)(
    'leaves state what it tried, so that the next run writes it (%s)',
    async (fault) => {
      const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada', source: 'web' });
      service.fault = (request) => (request.startsWith('PUT') ? fault : undefined);
      const after = [ada({ email: EMAIL, firstName: 'Countess', source: 'web' })];
      expect((await engine.up(after)).errors).toHaveLength(1);
      expect(engine.state.get('contact ada')?.outs).toEqual({ email: EMAIL, source: 'web', address: HERE });
      service.fault = () => undefined;
      // Taken back, the value is written again; what others have is not asked.
      expect((await engine.up([ada({ email: EMAIL, firstName: 'Ada', source: 'web' })])).errors).toEqual([]);
      expect(service.people[0]?.['firstName']).toBe('Ada');
    },
  );

  it.each(['cut after', 400] as const)('forgets what is no longer declared (%s)', async (fault) => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada', source: 'web' });
    service.fault = (request) => (request.startsWith('PUT') ? fault : undefined);
    await engine.up([ada({ email: EMAIL, source: 'app' })]);
    service.fault = () => undefined;
    Object.assign(service.people[0] ?? {}, { firstName: 'Others' });
    expect((await engine.up([ada({ email: EMAIL, firstName: 'Ada', source: 'app' })])).errors).toEqual([]);
    expect(service.people[0]?.['firstName']).toBe('Ada');
  });
});

describe('a secret value', () => {
  it('is in no message', async () => {
    const { engine } = start({ email: EMAIL, userId: 'u1' });
    const inputs = (more: Inputs): Inputs => ({ email: EMAIL, secretInputs: ['email', 'userId'], ...more });
    const ends = [
      await engine.preview([ada(inputs({}))]),
      await engine.up([ada(inputs({ userId: 'u2' }))]),
      await engine.up([ada(inputs({ firstName: 'Ada' }))]),
      await engine.up([ada(inputs({}))]),
      await engine.destroy(),
      await engine.up([ada({ email: 'ghost@example.com', secretInputs: ['email'] })]),
    ];
    const texts = ends.flatMap(({ errors, told }) => [...errors, ...told]);
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) expect(text).not.toMatch(/ada@|ada%40|ghost@|u2/i);
    expect(texts.filter((text) => text.includes('[secret]')).length).toBeGreaterThan(4);
  });

  it.each<[string, Inputs]>([
    ['a wrong number', { properties: { endsAt: 1_767_225_600_123 } }],
    ['an email in an error of the core', { firstName: 'Ada' }],
  ])('is in no reason of a failure: %s', async (_name, inputs) => {
    const { service, engine } = await withAda({ email: EMAIL });
    service.fault = (request) => (request.startsWith('PUT') ? 'cut after' : undefined);
    const { errors } = await engine.up([
      ada({ email: EMAIL, ...inputs, secretInputs: ['email', 'properties'] }),
    ]);
    expect(errors).toHaveLength(1);
    expect(errors.join()).not.toMatch(/ada@|ada%40|1767225600123|1,767/);
  });

  it('hides no text that only contains it', async () => {
    const { engine } = start({ email: EMAIL });
    const secret = ada({ email: EMAIL, firstName: 'Ada', secretInputs: ['firstName'] });
    expect((await engine.preview([secret])).told.join()).toContain("'ada@example.com'");
  });
});
