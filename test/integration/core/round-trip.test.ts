import { AudienceClient, defineSchema } from 'audience-core';
import { startSandbox } from 'audience-sandbox';
import type { RunningSandbox, Seed } from 'audience-sandbox';
import fc from 'fast-check';

jest.setTimeout(120_000);

const contacts = { note: 'string', score: 'number', active: 'boolean', renewsAt: 'date' } as const;
const schema = defineSchema({ contacts });

const SEED: Seed = {
  properties: Object.entries(contacts).map(([name, type]) => ({ name, type })),
  subscriptionGroups: [
    { id: 'g1', name: 'One' },
    { id: 'g/2', name: 'Two' },
  ],
  contacts: [{ email: 'ada@example.com', userId: 'user-1' }],
};

let sandbox: RunningSandbox;
let audience: AudienceClient<typeof schema>;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: SEED });
  audience = new AudienceClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, schema });
});
afterAll(async () => {
  audience.close();
  await sandbox.close();
});

const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const clearable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const dates = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

const updates = fc.record(
  {
    firstName: clearable(text),
    lastName: clearable(text),
    source: clearable(text),
    note: clearable(text),
    score: clearable(fc.double({ noNaN: true, min: 1 - 2 ** 53, max: 2 ** 53 - 1 })),
    active: clearable(fc.boolean()),
    renewsAt: clearable(dates),
    subscriptionGroups: fc.dictionary(fc.constantFrom('g1', 'g/2'), fc.boolean()),
  },
  { requiredKeys: [] },
);

test('every valid update is read unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(updates, async (changes) => {
      sandbox.reset();
      await audience.contacts.update('user-1', changes);
      const contact = await audience.contacts.get('ada@example.com');
      for (const [name, value] of Object.entries(changes)) {
        const read = contact[name];
        if (name === 'subscriptionGroups') expect(read).toMatchObject(Object(value));
        else if (value === null) expect(read ?? null).toBeNull();
        else if (value instanceof Date)
          expect(read).toEqual(new Date(Math.floor(value.getTime() / 1000) * 1000));
        // JSON knows no negative zero.
        else expect(read).toEqual(value === 0 ? 0 : value);
      }
    }),
    { numRuns: 300 },
  );
});

const identifiers = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.stringMatching(/^[/%+ .?#&=@:;\\a-zäß✓-]{1,30}$/),
  fc.constantFrom(
    'a/b',
    '100%',
    '%2e%2e',
    '%2F',
    'a+b@example.com',
    'a b',
    'ünï©ode',
    '/',
    '?',
    '#',
    'v1',
    '...',
  ),
);

test('any email or userId can be used in the path', async () => {
  await fc.assert(
    fc.asyncProperty(identifiers, async (userId) => {
      fc.pre(userId.isWellFormed() && !['.', '..', 'properties'].includes(userId));
      sandbox.load({ contacts: [{ email: 'somebody@example.com', userId }] });
      expect((await audience.contacts.get(userId)).userId).toBe(userId);
      await audience.contacts.update(userId, { source: 'found' });
      expect(sandbox.contacts()).toMatchObject([{ userId, source: 'found' }]);
    }),
    { numRuns: 300 },
  );
  sandbox.load(SEED);
});
