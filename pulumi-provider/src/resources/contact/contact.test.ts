import { FakeEngine } from '../../../testing/fake-engine.js';
import type { Declared } from '../../../testing/fake-engine.js';
import { FakeService } from '../../../testing/fake-service.js';

type Inputs = Readonly<Record<string, unknown>>;

const EMAIL = 'ada@example.com';
const ada = (inputs: Inputs, name = 'ada'): Declared => ({ type: 'contact', name, inputs });

/** A service with Ada, whose contact the program has. */
async function withAda(inputs: Inputs): Promise<{ service: FakeService; engine: FakeEngine }> {
  const service = new FakeService();
  service.add({ email: EMAIL, userId: 'u1', lastName: 'Kept' });
  const engine = new FakeEngine(service);
  expect((await engine.up([ada(inputs)])).errors).toEqual([]);
  service.writes();
  return { service, engine };
}

describe('a contact that is new', () => {
  it('and exists: preview says what is set and what is overwritten, and no value', async () => {
    const service = new FakeService();
    service.add({ email: EMAIL, firstName: 'Augusta', lastName: 'King' });
    const { told } = await new FakeEngine(service).preview([
      ada({ email: EMAIL, firstName: 'Ada', lastName: 'King', source: 'web' }),
    ]);
    expect(told).toEqual([
      "Contact 'ada@example.com' exists already: 'pulumi up' sets firstName, source. The current value of firstName will be overwritten.",
    ]);
  });

  it('and does not exist: preview says which event is sent, and sends none', async () => {
    const service = new FakeService();
    const createWithEvent = { eventName: 'invited' };
    const { told } = await new FakeEngine(service).preview([ada({ email: EMAIL, createWithEvent })]);
    expect(told).toEqual([
      "Contact 'ada@example.com' does not exist. 'pulumi up' sends the event 'invited', which creates the contact and starts its automations.",
    ]);
    expect(service.writes()).toEqual([]);
  });

  it('costs one read, and none when nothing changed', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    service.received = [];
    await engine.preview([ada({ email: EMAIL, firstName: 'Ada' })]);
    expect(service.received).toEqual(['GET /v1/contacts/properties']);
  });

  it('is looked for after an event without a clear response', async () => {
    const service = new FakeService();
    let cuts = 6;
    service.fault = (request) => (request.startsWith('POST') && cuts-- > 0 ? 'cut after' : undefined);
    const program = [ada({ email: EMAIL, firstName: 'Ada', createWithEvent: { eventName: 'x' } })];
    expect((await new FakeEngine(service).up(program)).errors).toEqual([]);
    expect(service.people).toEqual([expect.objectContaining({ email: EMAIL, firstName: 'Ada' })]);
  });

  it('with subscribed: false is sent no event', async () => {
    const service = new FakeService();
    const createWithEvent = { eventName: 'x' };
    const { errors } = await new FakeEngine(service).up([
      ada({ email: EMAIL, subscribed: false, createWithEvent }),
    ]);
    expect(errors.join()).toMatch(
      /does not exist.*no event creates one that is declared 'subscribed: false'/,
    );
    expect(service.events).toEqual([]);
  });

  it('that a list has declared subscribed: false is sent no event', async () => {
    const service = new FakeService();
    const list: Declared = {
      type: 'contacts',
      name: 'all',
      inputs: { contacts: [{ email: EMAIL, subscribed: false }] },
    };
    const { errors } = await new FakeEngine(service).up([
      list,
      ada({ email: EMAIL, createWithEvent: { eventName: 'x' } }),
    ]);
    expect(errors.join()).toMatch(/does not exist/);
    expect(service.events).toEqual([]);
  });

  it('whose service minds the case of addresses is found in lower case before an event is sent', async () => {
    const service = new FakeService();
    service.add({ email: EMAIL });
    service.reply = (request) =>
      request.includes(' /v1/contacts/Ada@') ? [404, { success: false }] : undefined;
    const program = [
      ada({ email: 'Ada@Example.com', firstName: 'Ada', createWithEvent: { eventName: 'x' } }),
    ];
    expect((await new FakeEngine(service).up(program)).errors).toEqual([]);
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
    const { errors, told } = await engine.up([ada({ email: EMAIL })]);
    expect(errors).toEqual([]);
    expect(told).toEqual([
      "Contact 'ada@example.com': userId: no longer managed, value kept; firstName: no longer managed, value kept; subscribed: no longer managed, value kept; plan: no longer managed, value kept.",
    ]);
    expect(service.received).toEqual(['GET /v1/contacts/properties']);
    expect(engine.state.get('contact ada')?.outs).toEqual({ email: EMAIL });
    expect(await engine.up([ada({ email: EMAIL })])).toEqual({ errors: [], told: [] });
  });

  it('is not cleared by an import of a contact that has more than the program declares', async () => {
    const service = new FakeService();
    service.add({
      email: EMAIL,
      userId: 'u1',
      firstName: 'Ada',
      source: 'web',
      plan: 'Pro',
      endsAt: 1801353600,
    });
    const engine = new FakeEngine(service);
    const program = [ada({ email: EMAIL, firstName: 'Ada' })];
    for (const resource of program) await engine.import(resource, 'u1');
    expect((await engine.up(program)).errors).toEqual([]);
    expect(service.writes()).toEqual([]);
    expect(engine.state.get('contact ada')?.outs).toEqual({ email: EMAIL, firstName: 'Ada' });
  });

  it('stays when the resource leaves the program', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    const { told } = await engine.up([]);
    expect(told).toEqual([
      "warning: Contact 'ada@example.com' was removed from Pulumi's state only: it stays in the service as it is.",
    ]);
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

describe('a name to clear that is no field and no property', () => {
  it('is refused before anything is written', async () => {
    const { service, engine } = await withAda({ email: EMAIL });
    service.received = [];
    const { errors } = await engine.up([ada({ email: EMAIL, clear: ['frstName', 'plann'] })]);
    expect(errors.join(' ')).toContain("'clear.frstName'");
    expect(errors.join(' ')).toContain("'clear.plann'");
    expect(service.writes()).toEqual([]);
  });
});

describe('a group', () => {
  it('that is declared true is joined once: who leaves it is not brought back', async () => {
    const inputs = { email: EMAIL, subscriptionGroups: { news: true } };
    const { service, engine } = await withAda(inputs);
    Object.assign(service.people[0] ?? {}, { subscriptionGroups: { news: false } });
    await engine.refresh();
    await engine.up([ada(inputs)]);
    await engine.up([ada({ ...inputs, firstName: 'Ada' })]);
    expect(service.writes()).toEqual(['PUT /v1/contacts/ada@example.com {"firstName":"Ada"}']);
  });

  it('that is declared false is left again', async () => {
    const inputs = { email: EMAIL, subscriptionGroups: { news: false } };
    const { service, engine } = await withAda(inputs);
    Object.assign(service.people[0] ?? {}, { subscriptionGroups: { news: true } });
    await engine.refresh();
    await engine.up([ada(inputs)]);
    expect(service.writes().join()).toContain('{"subscriptionGroups":{"news":false}}');
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
    const service = new FakeService();
    service.add({ email: EMAIL });
    const engine = new FakeEngine(service);
    await engine.up([ada({ email: EMAIL })]);
    service.writes();
    expect((await engine.up([ada({ email: EMAIL, userId: 'u9' })])).errors).toEqual([]);
    expect(service.writes()).toEqual(['PUT /v1/contacts/ada@example.com {"userId":"u9"}']);
  });

  it.each<[string, Inputs, RegExp]>([
    [
      'an email of somebody else',
      { userId: 'u1', email: 'bob@example.com' },
      /its email still belongs to another/,
    ],
    ['another userId', { userId: 'u2', email: EMAIL }, /another userId.*In the service its userId is 'u1'/],
    ['both', { userId: 'u2', email: 'new@x.io' }, /another userId|no longer exists/],
  ])('to %s is refused, and nobody is changed', async (_name, after, says) => {
    const { service, engine } = await withAda({ userId: 'u1', email: EMAIL });
    service.add({ email: 'bob@example.com' });
    const { errors } = await engine.up([ada(after)]);
    expect(errors.join()).toMatch(says);
    expect(service.writes()).toEqual([]);
  });

  it('in a chain is done by the next up, once the address is free', async () => {
    const service = new FakeService();
    service.add({ email: 'a@x.io', userId: 'u1' });
    service.add({ email: 'b@x.io', userId: 'u2' });
    const engine = new FakeEngine(service);
    const program = (first: string, second: string): Declared[] => [
      {
        type: 'contacts',
        name: 'all',
        inputs: {
          contacts: [
            { email: first, userId: 'u1' },
            { email: second, userId: 'u2' },
          ],
        },
      },
    ];
    await engine.up(program('a@x.io', 'b@x.io'));
    const once = await engine.up(program('b@x.io', 'c@x.io'));
    expect(once.errors.join()).toMatch(
      /contacts\[0\]: its email still belongs to another contact. The next 'pulumi up'/,
    );
    expect((await engine.up(program('b@x.io', 'c@x.io'))).errors).toEqual([]);
    expect(service.people.map(({ email }) => email)).toEqual(['b@x.io', 'c@x.io']);
  });
});

describe('a contact whose address now leads to somebody else', () => {
  const meanwhile = (service: FakeService): void => {
    const [person] = service.people;
    if (person !== undefined) person.email = 'elsewhere@example.com';
    service.add({ email: EMAIL, firstName: 'Somebody' });
  };

  it('is not taken for that person by refresh', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    meanwhile(service);
    const { told } = await engine.refresh();
    expect(told.join()).toMatch(/is now another contact \(id c2, not c1\)/);
    expect(engine.state.size).toBe(0);
  });

  it('is not updated', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    meanwhile(service);
    const { errors } = await engine.up([ada({ email: EMAIL, firstName: 'Countess' })]);
    expect(errors.join()).toMatch(/is now another contact.*No contact was changed/);
    expect(service.writes()).toEqual([]);
  });

  it('is found by its userId', async () => {
    const { service, engine } = await withAda({ email: EMAIL, userId: 'u1', firstName: 'Ada' });
    meanwhile(service);
    expect((await engine.up([ada({ email: EMAIL, userId: 'u1', firstName: 'Countess' })])).errors).toEqual(
      [],
    );
    expect(service.writes()).toEqual(['PUT /v1/contacts/elsewhere@example.com {"firstName":"Countess"}']);
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
    });
  });

  it('calls nobody gone because of a wrong path: state stays, and the error is told', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    service.reply = () => [404, { message: 'no such page' }];
    const { errors } = await engine.refresh();
    expect(errors).toHaveLength(1);
    expect(engine.state.size).toBe(1);
    service.reply = () => undefined;
    service.people.pop();
    expect((await engine.refresh()).told.join()).toMatch(
      /no longer exists in the service. It was removed from Pulumi's state/,
    );
    expect(engine.state.size).toBe(0);
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
      expect(engine.state.get('contact ada')?.outs).toEqual({ email: EMAIL, source: 'web' });
      service.fault = () => undefined;
      // Taken back, the value is written again; what others have is not asked.
      expect((await engine.up([ada({ email: EMAIL, firstName: 'Ada', source: 'web' })])).errors).toEqual([]);
      expect(service.people[0]?.['firstName']).toBe('Ada');
    },
  );
});

describe('a secret value', () => {
  it('is in no message', async () => {
    const service = new FakeService();
    service.add({ email: EMAIL, userId: 'u1' });
    const engine = new FakeEngine(service);
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
    expect(texts).toHaveLength(6);
    for (const text of texts) {
      expect(text).toContain('[secret]');
      expect(text).not.toMatch(/ada@|ada%40|ghost@|u2/i);
    }
  });
});
