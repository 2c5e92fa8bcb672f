import { answer, forEachTest, type ScriptedServer } from '../../testing/scripted-server.js';
import {
  AudienceClient,
  UnexpectedResponseError,
  ValidationError,
  defineSchema,
  type Contact,
  type ContactUpdate,
} from '../index.js';

const schema = defineSchema({
  contacts: { teamSize: 'number', plan: 'string', isTrial: 'boolean', endsAt: 'date' },
  emails: { welcome: ['firstName', 'link'], plain: [] },
  events: { orderPlaced: { total: 'number', paidAt: 'date', lines: 'json' }, signedUp: {} },
});
type Contacts = (typeof schema)['contacts'];

let server: ScriptedServer;
let audience: AudienceClient<typeof schema>;

forEachTest((started) => {
  server = started;
  audience = new AudienceClient({ baseUrl: server.url, apiKey: 'key', schema });
});
afterEach(() => audience.close());

const sent = (): unknown => JSON.parse(server.received[0]?.body ?? 'null');

/** What a call is refused for, before anything is sent: path, code, what was expected and given, way out. */
async function refusal(call: Promise<unknown>): Promise<string[]> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  expect(server.received).toHaveLength(0);
  return error instanceof ValidationError ? error.issues.map(shown) : [String(error)];
}

const shown = ({ path, code, expected, given, wayOut }: ValidationError['issues'][number]) =>
  [path.join('.'), code, code === 'wrongType' ? expected : undefined, given, wayOut]
    .filter((part) => part !== undefined)
    .join(' ');

test.each<[string, unknown, string]>([
  [
    'a property with a space',
    { contacts: { 'First Name': 'string' } },
    'contacts.First Name notCamelCase First Name',
  ],
  ['a reserved name', { contacts: { email: 'string' } }, 'contacts.email reservedName email'],
  ['a built-in name', { contacts: { createdAt: 'date' } }, 'contacts.createdAt reservedName createdAt'],
  ['a type of a property', { contacts: { teamSize: 'integer' } }, 'contacts.teamSize notOneOf'],
  ['no schema', null, ' wrongType object null'],
  ['variables that are no list', { emails: { a: 'b' } }, 'emails.a wrongType array string'],
  ['an event without properties', { events: { paid: 'total' } }, 'events.paid wrongType object string'],
  ['an unknown type', { events: { paid: { total: 'float' } } }, 'events.paid.total notOneOf'],
  ['an unknown part', { contact: {} }, 'contact unknownField contacts'],
])('a schema with a fault is refused: %s', (_what, faulty, problem) => {
  let thrown: unknown;
  try {
    // @ts-expect-error: JavaScript hands over anything
    defineSchema(faulty);
  } catch (error) {
    thrown = error;
  }
  expect(thrown instanceof ValidationError ? thrown.issues.map(shown) : thrown).toEqual([problem]);
});

describe('contacts', () => {
  test('dates are sent as Unix seconds and read as dates', async () => {
    await audience.contacts.update('u', {
      teamSize: 4,
      endsAt: new Date('2026-01-02T03:04:05.999Z'),
      plan: null,
    });
    expect(sent()).toEqual({ teamSize: 4, endsAt: 1767323045, plan: null });
    server.script(answer(200, { id: 'c', teamSize: 4, endsAt: 1767323045, plan: null, other: 1 }));
    const endsAt = new Date('2026-01-02T03:04:05Z');
    expect(await audience.contacts.get('u')).toEqual({ id: 'c', teamSize: 4, endsAt, plan: null, other: 1 });
    server.script(answer(200, { id: 'c', endsAt: null }));
    expect((await audience.contacts.get('u')).endsAt).toBeNull();
  });

  test.each([
    ['teamSize', '12', 'wrongType'],
    ['endsAt', 'tomorrow', 'wrongType'],
    ['endsAt', 1_700_000_000_000, 'milliseconds'],
  ])('a %s that is read as %j is refused: %s', async (name, value, code) => {
    server.script(answer(200, { id: 'c', [name]: value }));
    const reading = audience.contacts.get('u');
    await expect(reading).rejects.toThrow(UnexpectedResponseError);
    await expect(reading).rejects.toMatchObject({ issue: { path: [name], code } });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ teamSize: '4' }, 'teamSize wrongType number string'],
    [{ teamSize: Number.NaN }, 'teamSize wrongType number notFinite'],
    [{ plan: ['a'] }, 'plan wrongType string list'],
    [{ plan: new Date(0) }, 'plan wrongType string date'],
    [{ isTrial: 1 }, 'isTrial wrongType boolean int'],
    [{ endsAt: '2026-01-01' }, 'endsAt wrongType date string'],
    [{ endsAt: 1e17 }, 'endsAt milliseconds'],
    [{ endsAt: 20270131 }, 'endsAt dayNumber'],
    [{ endsAt: new Date(Number.NaN) }, 'endsAt wrongType date invalidDate'],
    [{ teamsize: 4 }, 'teamsize notInSchema teamSize'],
  ])('%j is not sent', async (changes, problem) => {
    expect(await refusal(audience.contacts.update('u', changes))).toEqual([problem]);
  });

  test('without a schema a Date is sent, and an invalid Date is refused', async () => {
    const untyped = new AudienceClient({ baseUrl: server.url, apiKey: 'key' });
    expect(await refusal(untyped.contacts.update('u', { endsAt: new Date(Number.NaN) }))).toEqual([
      'endsAt wrongType propertyValue invalidDate',
    ]);
    await untyped.contacts.update('u', { endsAt: new Date(1_000), subscriptionGroups: { g: true } });
    expect(sent()).toEqual({ endsAt: 1, subscriptionGroups: { g: true } });
    untyped.close();
  });

  test('the compiler refuses a property that the schema lacks', () => {
    const update: ContactUpdate<Contacts> = { teamSize: 3 };
    // @ts-expect-error: a number, not text
    update.teamSize = '3';
    // @ts-expect-error: there is no such property
    const other: unknown = update.nothing;
    // @ts-expect-error: only false
    update.subscribed = true;
    const contact: Contact<Contacts> = { id: 'c' };
    // @ts-expect-error: a Date, not a number
    contact.endsAt = 5;
    expect(other).toBeUndefined();
  });
});

const to = { email: 'ada@example.com' };

test('emails and events of the schema are sent; undefined is left out', async () => {
  await audience.events.send({
    ...to,
    userId: undefined,
    isTrial: false,
    eventName: 'orderPlaced',
    eventProperties: { total: 42.5, paidAt: new Date(7_000), lines: [{ price: 42.5 }] },
  });
  expect(sent()).toEqual({
    ...to,
    isTrial: false,
    eventName: 'orderPlaced',
    eventProperties: { total: 42.5, paidAt: 7, lines: [{ price: 42.5 }] },
  });
  await audience.events.send({ ...to, eventName: 'signedUp' });
  const dataVariables = { firstName: '', link: null };
  await audience.transactional.send({ ...to, transactionalId: 'welcome', dataVariables });
  await audience.transactional.send({ ...to, transactionalId: 'plain' });
  expect(server.received).toHaveLength(4);
});

test('what the schema lacks is red in the editor and is not sent', async () => {
  const calls = [
    // @ts-expect-error: the compiler sees it too
    audience.transactional.send({ ...to, transactionalId: 'welcome', dataVariables: { fristName: 'Ada' } }),
    audience.transactional.send({
      ...to,
      transactionalId: 'welcome',
      // @ts-expect-error: as above
      dataVariables: { firstName: 'Ada', link: undefined },
    }),
    // @ts-expect-error: as above
    audience.transactional.send({ ...to, transactionalId: 'welcome' }),
    // @ts-expect-error: as above
    audience.transactional.send({ ...to, transactionalId: 'wellcome' }),
    // @ts-expect-error: as above
    audience.events.send({ ...to, eventName: 'orderPlacd' }),
    // @ts-expect-error: as above
    audience.events.send({ ...to, eventName: 'orderPlaced', eventProperties: { totl: 42.5 } }),
    // @ts-expect-error: as above
    audience.events.send({ ...to, eventName: 'orderPlaced', eventProperties: { total: '42.5' } }),
  ];
  expect((await Promise.all(calls.map(refusal))).flat()).toEqual([
    ...['dataVariables.firstName missing', 'dataVariables.link missing'],
    'dataVariables.fristName notInSchema firstName',
    'dataVariables.link missing',
    ...['dataVariables.firstName missing', 'dataVariables.link missing'],
    'transactionalId notInSchema welcome',
    'eventName notInSchema orderPlaced',
    'eventProperties.totl notInSchema total',
    'eventProperties.total wrongType number string',
  ]);
});
