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
  it('and exists is adopted: what is set is said, and no value', async () => {
    const service = new FakeService();
    service.add({ email: EMAIL, firstName: 'Augusta', lastName: 'King' });
    const { told } = await new FakeEngine(service).preview([
      ada({ email: EMAIL, firstName: 'Ada', lastName: 'King', source: 'web' }),
    ]);
    expect(told).toEqual([
      "Contact 'ada@example.com' exists in the service and is adopted: sets firstName, source, of which it has other values in firstName.",
    ]);
  });

  it('and does not exist is told to be sent the event, before anything is', async () => {
    const service = new FakeService();
    const createWithEvent = { eventName: 'invited' };
    const { told } = await new FakeEngine(service).preview([ada({ email: EMAIL, createWithEvent })]);
    expect(told).toEqual([
      "Contact 'ada@example.com' does not exist: 'pulumi up' sends it the event 'invited', which creates the contact and triggers its automations.",
    ]);
    expect(service.writes()).toEqual([]);
  });

  it('costs one read, and none when nothing changed', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    service.received = [];
    await engine.preview([ada({ email: EMAIL, firstName: 'Ada' })]);
    expect(service.received).toEqual(['GET /v1/contacts/properties']);
  });

  it('is looked for after an event of which nobody knows whether it arrived', async () => {
    const service = new FakeService();
    let cuts = 6;
    service.fault = (request) => (request.startsWith('POST') && cuts-- > 0 ? 'cut after' : undefined);
    const program = [ada({ email: EMAIL, firstName: 'Ada', createWithEvent: { eventName: 'x' } })];
    expect((await new FakeEngine(service).up(program)).errors).toEqual([]);
    expect(service.people).toEqual([expect.objectContaining({ email: EMAIL, firstName: 'Ada' })]);
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
    [
      'both',
      { userId: 'u1', email: EMAIL },
      { userId: 'u2', email: 'new@x.io' },
      ['PUT /v1/contacts/u1 {"email":"new@x.io"}', 'PUT /v1/contacts/new@x.io {"userId":"u2"}'],
    ],
    [
      'a userId that is declared no more',
      { userId: 'u1', email: EMAIL },
      { email: EMAIL },
      ['PUT /v1/contacts/ada@example.com {"userId":null}'],
    ],
  ])('to %s', async (_name, before, after, writes) => {
    const { service, engine } = await withAda(before);
    expect((await engine.up([ada(after)])).errors).toEqual([]);
    expect(service.writes()).toEqual(writes);
    expect((await engine.up([ada(after)])).errors).toEqual([]);
    expect(service.writes()).toEqual([]);
  });

  it('says at preview that a userId which is declared no more is cleared', async () => {
    const { engine, service } = await withAda({ userId: 'u1', email: EMAIL });
    expect((await engine.preview([ada({ email: EMAIL })])).told.join()).toMatch(
      /its userId 'u1' is no longer declared, and is cleared in the service/,
    );
    await engine.up([ada({ email: EMAIL })]);
    expect(service.find(EMAIL)?.userId ?? undefined).toBeUndefined();
  });

  it.each([1, 2])('ends right where run %i of its two calls was cut after it arrived', async (cut) => {
    const { service, engine } = await withAda({ userId: 'u1', email: EMAIL });
    let writes = 0;
    service.fault = (request) => {
      if (request.startsWith('PUT')) writes += 1;
      return writes === cut ? 'cut after' : undefined;
    };
    const after = [ada({ userId: 'u2', email: 'new@x.io', firstName: 'Ada' })];
    await engine.up(after);
    service.fault = () => undefined;
    expect((await engine.up(after)).errors).toEqual([]);
    expect(service.people).toEqual([
      expect.objectContaining({ id: 'c1', email: 'new@x.io', userId: 'u2', firstName: 'Ada' }),
    ]);
  });

  it('to that of somebody else is refused, and nobody is changed', async () => {
    const { service, engine } = await withAda({ userId: 'u1', email: EMAIL });
    service.add({ email: 'bob@example.com' });
    const { errors } = await engine.up([ada({ userId: 'u1', email: 'bob@example.com' })]);
    expect(errors.join()).toMatch(
      /cannot be given the email 'bob@example.com': another contact of the service has it.*c2/,
    );
    expect(service.writes()).toEqual([]);
  });
});

describe('a contact whose address leads to somebody else by now', () => {
  const meanwhile = (service: FakeService): void => {
    const [person] = service.people;
    if (person !== undefined) person.email = 'elsewhere@example.com';
    service.add({ email: EMAIL, firstName: 'Somebody' });
  };

  it('is not taken for that person by refresh', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    meanwhile(service);
    const { told } = await engine.refresh();
    expect(told.join()).toMatch(/is another person by now: its address leads to contact c2.*no longer to c1/);
    expect(engine.state.size).toBe(0);
  });

  it('is not updated', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada' });
    meanwhile(service);
    const { errors } = await engine.up([ada({ email: EMAIL, firstName: 'Countess' })]);
    expect(errors.join()).toMatch(/is another person by now.*Nobody was changed/);
    expect(service.writes()).toEqual([]);
  });

  it('is not unsubscribed, and the person is told', async () => {
    const { service, engine } = await withAda({ email: EMAIL, onDelete: 'unsubscribe' });
    meanwhile(service);
    const { told } = await engine.destroy();
    expect(told.join()).toMatch(
      /was not unsubscribed: another contact \(id c2\) has that address by now, and is left alone/,
    );
    expect(service.writes()).toEqual([]);
  });

  it('is found by its userId: updated and unsubscribed where it is', async () => {
    const { service, engine } = await withAda({ email: EMAIL, userId: 'u1', onDelete: 'unsubscribe' });
    meanwhile(service);
    expect((await engine.destroy()).errors).toEqual([]);
    expect(service.writes()).toEqual(['PUT /v1/contacts/elsewhere@example.com {"subscribed":false}']);
  });
});

describe('a contact that leaves', () => {
  it('but is declared under another name is left as it is, and that is said', async () => {
    for (const onDelete of ['unsubscribe', 'clear']) {
      const inputs = { email: EMAIL, firstName: 'Ada', onDelete };
      const { service, engine } = await withAda(inputs);
      const { errors, told } = await engine.up([ada(inputs, 'countess')]);
      expect(errors).toEqual([]);
      expect(told.join()).toMatch(
        /'ada@example.com' is left as it is, as Contact 'countess' declares it now/,
      );
      expect(service.people[0]).toMatchObject({ subscribed: true, firstName: 'Ada' });
    }
  });

  it('but is declared by its other identifier is left as it is', async () => {
    const { service, engine } = await withAda({ email: EMAIL, onDelete: 'unsubscribe' });
    await engine.up([ada({ userId: 'u1' }, 'countess')]);
    expect(service.people[0]).toMatchObject({ subscribed: true });
  });

  it('is retained, unsubscribed or cleared as it says', async () => {
    for (const [onDelete, writes] of [
      ['retain', []],
      ['unsubscribe', ['PUT /v1/contacts/ada@example.com {"subscribed":false}']],
      ['clear', ['PUT /v1/contacts/ada@example.com {"firstName":null,"plan":null}']],
    ] as const) {
      const { service, engine } = await withAda({
        email: EMAIL,
        firstName: 'Ada',
        properties: { plan: 'P' },
        onDelete,
      });
      const { told } = await engine.up([]);
      expect(service.writes()).toEqual(writes);
      if (onDelete === 'retain') expect(told.join()).toMatch(/has left Pulumi's state only.*Set onDelete/);
    }
  });
});

test('refresh keeps what is declared, with the values of the service', async () => {
  const { service, engine } = await withAda({
    email: 'ADA@example.com',
    firstName: 'Ada',
    properties: { seats: 3 },
  });
  Object.assign(service.people[0] ?? {}, { firstName: 'Other', seats: null });
  await engine.refresh();
  expect([...engine.state.values()].map(({ outs }) => outs)).toEqual([
    { email: 'ADA@example.com', firstName: 'Other', properties: {}, setByOthers: ['firstName', 'seats'] },
  ]);
});

describe('an update that failed', () => {
  it('before it was carried out takes nothing from others when it is taken back', async () => {
    const { service, engine } = await withAda({ email: EMAIL });
    service.fault = (request) => (request.startsWith('PUT') ? 503 : undefined);
    expect((await engine.up([ada({ email: EMAIL, lastName: 'Smith' })])).errors).not.toEqual([]);
    service.fault = () => undefined;
    const { told } = await engine.up([ada({ email: EMAIL })]);
    expect(service.find(EMAIL)).toMatchObject({ lastName: 'Kept' });
    expect(told.join()).toMatch(/an earlier run may have set lastName.*keeps lastName/);
  });

  it('after it was carried out is set back when it is taken back, also after a refresh', async () => {
    for (const isRefreshed of [false, true]) {
      const { service, engine } = await withAda({ email: EMAIL });
      service.fault = (request) => (request.startsWith('PUT') ? 'cut after' : undefined);
      expect((await engine.up([ada({ email: EMAIL, lastName: 'Smith' })])).errors).not.toEqual([]);
      service.fault = () => undefined;
      if (isRefreshed) await engine.refresh();
      await engine.up([ada({ email: EMAIL })]);
      expect(service.find(EMAIL)).toMatchObject({ lastName: null });
    }
  });

  it('leads to the contact by each address that it may have got', async () => {
    const { service, engine } = await withAda({ email: EMAIL, userId: 'u1' });
    const declared = (name: string): Declared => ada({ email: `${name}@x.io`, userId: name });
    service.fault = (request) => (request.startsWith('PUT /v1/contacts/one@x.io') ? 'cut after' : undefined);
    expect((await engine.up([declared('one')])).errors).not.toEqual([]);
    service.fault = (request) => (request.startsWith('PUT') ? 503 : undefined);
    expect((await engine.up([declared('two')])).errors).not.toEqual([]);
    service.fault = () => undefined;
    expect((await engine.up([ada({ email: EMAIL, userId: 'u1' })])).errors).toEqual([]);
    expect(service.people).toEqual([expect.objectContaining({ email: EMAIL, userId: 'u1' })]);
  });

  it('twice is set back, whichever of the two was carried out', async () => {
    const { service, engine } = await withAda({ email: EMAIL });
    for (const [lastName, fault] of [
      ['B', 'cut after'],
      ['C', 503],
    ] as const) {
      service.fault = (request) => (request.startsWith('PUT') ? fault : undefined);
      expect((await engine.up([ada({ email: EMAIL, lastName })])).errors).not.toEqual([]);
    }
    service.fault = () => undefined;
    await engine.up([ada({ email: EMAIL })]);
    expect(service.find(EMAIL)).toMatchObject({ lastName: null });
  });

  it('is taken out of the contact when it leaves the program, and what others have set is not', async () => {
    const { service, engine } = await withAda({ email: EMAIL, firstName: 'Ada', onDelete: 'clear' });
    service.fault = (request) => (request.startsWith('PUT') ? 'cut after' : undefined);
    const more = { email: EMAIL, firstName: 'Ada', lastName: 'Smith', onDelete: 'clear' };
    expect((await engine.up([ada(more)])).errors).not.toEqual([]);
    service.fault = () => undefined;
    Object.assign(service.find(EMAIL) ?? {}, { plan: 'theirs' });
    await engine.up([]);
    expect(service.find(EMAIL)).toMatchObject({ firstName: null, lastName: null, plan: 'theirs' });
  });

  it('that may have unsubscribed somebody says so when it is taken back, and takes a new userId back', async () => {
    const service = new FakeService();
    service.add({ email: EMAIL });
    const engine = new FakeEngine(service);
    await engine.up([ada({ email: EMAIL })]);
    service.fault = (request) => (request.startsWith('PUT') ? 'cut after' : undefined);
    await engine.up([ada({ email: EMAIL, userId: 'u7', subscribed: false })]);
    service.fault = () => undefined;
    const { told } = await engine.up([ada({ email: EMAIL })]);
    expect(told.join()).toMatch(/stays unsubscribed: only the contact can subscribe again/);
    expect(service.find(EMAIL)?.userId).toBeUndefined();
  });

  test.each([
    [401, false],
    [401, true],
    ['cut before', false],
    ['cut after', false],
    ['cut after', true],
  ] as const)(
    'in the second of its two calls (%s) is told, and set back when it is taken back, refreshed: %s',
    async (fault, isRefreshed) => {
      const { service, engine } = await withAda({ email: EMAIL, userId: 'u1' });
      service.fault = (request) => (request.startsWith('PUT /v1/contacts/new@x.io') ? fault : undefined);
      const { errors } = await engine.up([ada({ email: 'new@x.io', userId: 'u2' })]);
      expect(errors.join()).toMatch(/takes? two calls: the first may have been carried out/);
      expect(service.people[0]).toMatchObject({ email: 'new@x.io' });
      service.fault = () => undefined;
      if (isRefreshed) await engine.refresh();
      const { errors: none, told } = await engine.up([ada({ email: EMAIL, userId: 'u1' })]);
      expect(none).toEqual([]);
      expect(told.join()).not.toMatch(/keeps/);
      expect(service.people[0]).toMatchObject({ email: EMAIL, userId: 'u1', lastName: 'Kept' });
    },
  );
});
