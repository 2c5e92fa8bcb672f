import { answer, startScriptedServer } from '../../testing/scripted-server.js';
import type { ScriptedServer } from '../../testing/scripted-server.js';
import { AudienceClient, UnexpectedResponseError, ValidationError, defineContactSchema } from '../index.js';
import type { Contact, ContactSchema, ContactUpdate } from '../index.js';

const schema = defineContactSchema({
  teamSize: 'number',
  plan: 'string',
  isTrial: 'boolean',
  endsAt: 'date',
});

let server: ScriptedServer;
let audience: AudienceClient<typeof schema>;

beforeAll(async () => {
  server = await startScriptedServer();
  audience = new AudienceClient({ baseUrl: server.url, apiKey: 'key', contactSchema: schema });
});
beforeEach(() => {
  server.received.length = 0;
  server.script(answer(200, { success: true }));
});
afterAll(async () => {
  audience.close();
  await server.close();
});

const sent = (): unknown => JSON.parse(server.received[0]?.body ?? 'null');

describe('defineContactSchema', () => {
  test('returns the given schema', () => {
    expect(schema).toEqual({ teamSize: 'number', plan: 'string', isTrial: 'boolean', endsAt: 'date' });
  });

  test('names every wrong property', () => {
    const define = () => defineContactSchema({ 'First Name': 'string', email: 'string', createdAt: 'date' });
    expect(define).toThrow(ValidationError);
    expect(define).toThrow(/'First Name' is not camelCase.*'email' is reserved.*'createdAt' is built in/);
    const wrongType: Record<string, string> = { teamSize: 'integer' };
    // @ts-expect-error: the compiler knows the types
    expect(() => defineContactSchema(wrongType)).toThrow(
      "'teamSize' must be one of string, number, boolean, date",
    );
    // @ts-expect-error: as above
    expect(() => defineContactSchema(null)).toThrow(ValidationError);
  });
});

describe('typed values', () => {
  test('dates are sent as Unix seconds and read as dates', async () => {
    await audience.contacts.update('u', {
      teamSize: 4,
      endsAt: new Date('2026-01-02T03:04:05.999Z'),
      plan: null,
    });
    expect(sent()).toEqual({ teamSize: 4, endsAt: 1767323045, plan: null });
    server.script(answer(200, { id: 'c', teamSize: 4, endsAt: 1767323045, plan: null, other: 1 }));
    const contact = await audience.contacts.get('u');
    const endsAt: Date | null | undefined = contact.endsAt;
    const teamSize: number | null | undefined = contact.teamSize;
    expect(endsAt).toEqual(new Date('2026-01-02T03:04:05Z'));
    expect([teamSize, contact.plan, contact['other']]).toEqual([4, null, 1]);
  });

  test('a null date stays null', async () => {
    server.script(answer(200, { id: 'c', endsAt: null }));
    expect((await audience.contacts.get('u')).endsAt).toBeNull();
  });

  test.each([
    ['teamSize', '12', 'must be a number'],
    ['plan', 5, 'must be text'],
    ['endsAt', 'tomorrow', 'must be a date'],
    ['endsAt', 1_700_000_000_000, 'looks like milliseconds'],
  ])('a %s that is %j is refused: it %s', async (name, value, expected) => {
    server.script(answer(200, { id: 'c', [name]: value }));
    const reading = audience.contacts.get('u');
    await expect(reading).rejects.toThrow(UnexpectedResponseError);
    await expect(reading).rejects.toThrow(`'${name}' ${expected}`);
  });

  test('undefined is left out; eventProperties may hold dates', async () => {
    await audience.events.send({
      email: 'a@b.c',
      userId: undefined,
      eventName: 'paid',
      isTrial: false,
      eventProperties: { at: new Date(7_000), amount: 9.5, note: 'x' },
    });
    expect(sent()).toEqual({
      email: 'a@b.c',
      eventName: 'paid',
      isTrial: false,
      eventProperties: { at: 7, amount: 9.5, note: 'x' },
    });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ teamSize: '4' }, "'teamSize' must be a number, not text"],
    [{ teamSize: Number.NaN }, "'teamSize' must be a number, not NaN"],
    [{ plan: 4 }, "'plan' must be text, not a number"],
    [{ plan: ['a'] }, "'plan' must be text, not a list"],
    [{ plan: {} }, "'plan' must be text, not an object"],
    [{ plan: new Date(0) }, "'plan' must be text, not a date"],
    [{ isTrial: 'true' }, "'isTrial' must be true or false, not text"],
    [{ isTrial: 1 }, "'isTrial' must be true or false, not a number"],
    [{ endsAt: '2026-01-01' }, "'endsAt' must be a date (a Date or whole Unix seconds), not text"],
    [{ endsAt: 1.5 }, "'endsAt' must be a date (a Date or whole Unix seconds), not a decimal number"],
    [{ endsAt: true }, "'endsAt' must be a date (a Date or whole Unix seconds), not true or false"],
    [{ endsAt: 1e17 }, "'endsAt' looks like milliseconds"],
    [{ endsAt: 1_790_000_000_000 }, "'endsAt' looks like milliseconds"],
    [
      { endsAt: 20270131 },
      "'endsAt' must be a date with dashes (did you mean '2027-01-31'?), or Unix time in seconds",
    ],
    [
      { endsAt: new Date(Number.NaN) },
      "'endsAt' must be a date (a Date or whole Unix seconds), not an invalid date",
    ],
    [
      { teamsize: 4 },
      "'teamsize' is not in the contact schema. Add it there, or use one of its properties: teamSize, plan, isTrial, endsAt",
    ],
  ])('%j is refused with the field and the type', async (changes, words) => {
    const run = audience.contacts.update('u', changes);
    await expect(run).rejects.toThrow(ValidationError);
    await expect(run).rejects.toThrow(`Could not update contact 'u': ${words}`);
    expect(server.received).toHaveLength(0);
  });

  test('without a schema a Date is sent, and an invalid Date is refused', async () => {
    const untyped = new AudienceClient({ baseUrl: server.url, apiKey: 'key' });
    await untyped.contacts.update('u', { endsAt: new Date(1_000), subscriptionGroups: { g: true } });
    expect(sent()).toEqual({ endsAt: 1, subscriptionGroups: { g: true } });
    await expect(untyped.contacts.update('u', { endsAt: new Date(Number.NaN) })).rejects.toThrow(
      "'endsAt' must be text, a number, true or false, or a date, not an invalid date",
    );
    untyped.close();
  });

  test('the compiler refuses a property that the schema lacks', () => {
    const update: ContactUpdate<typeof schema> = { teamSize: 3 };
    // @ts-expect-error: a number, not text
    update.teamSize = '3';
    // @ts-expect-error: there is no such property
    const other: unknown = update.nothing;
    // @ts-expect-error: only false
    update.subscribed = true;
    const contact: Contact<typeof schema> = { id: 'c' };
    // @ts-expect-error: a Date, not a number
    contact.endsAt = 5;
    expect(other).toBeUndefined();
  });
});

describe('the schema of an account', () => {
  test('is read from the service, without built-in properties', async () => {
    server.script(
      answer(200, [
        { key: 'teamSize', label: 'Team size', type: 'number' },
        { key: 'email', label: 'Email', type: 'string' },
        { key: 'endsAt', label: null, type: 'date' },
        { key: 'createdAt', label: 'Created', type: 'date' },
      ]),
    );
    const read: ContactSchema = await audience.contactSchema();
    expect(read).toEqual({ endsAt: 'date', teamSize: 'number' });
    expect(server.received[0]?.url).toBe('/v1/contacts/properties?list=custom');
  });
});
