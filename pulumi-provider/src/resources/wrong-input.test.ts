import { FakeEngine } from '../../testing/fake-engine.js';
import type { Declared, Ended } from '../../testing/fake-engine.js';
import { FakeService } from '../../testing/fake-service.js';

/**
 * Every mistake that we could think of: found at preview, told in one sentence with a way out, with no stack trace,
 * and nothing written.
 */

const EMAIL = 'ada@example.com';

type Inputs = Readonly<Record<string, unknown>>;

function service(): FakeService {
  const fake = new FakeService();
  fake.add({ email: EMAIL, firstName: 'Ada' });
  fake.add({ userId: 'bob', email: 'bob@example.com' });
  return fake;
}

async function previewOf(program: readonly Declared[], before: readonly Declared[] = []): Promise<Ended> {
  const fake = service();
  const engine = new FakeEngine(fake);
  if (before.length > 0) expect((await engine.up(before)).errors).toEqual([]);
  fake.writes();
  const ended = await engine.preview(program);
  expect(fake.writes()).toEqual([]);
  return ended;
}

function assertOne({ errors, told }: Ended, says: RegExp): void {
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(says);
  expect([...errors, ...told].join('\n')).not.toMatch(/\n\s+at |undefined|\[object|NaN/);
}

const property = (inputs: Inputs): Declared[] => [{ type: 'contactProperty', name: 'p', inputs }];
const contact = (inputs: Inputs): Declared[] => [{ type: 'contact', name: 'ada', inputs }];
const contacts = (inputs: Inputs): Declared[] => [{ type: 'contacts', name: 'all', inputs }];

describe('a contact property', () => {
  test.each<[Inputs, RegExp]>([
    [{ name: 'First Name', type: 'string' }, /'First Name' is not camelCase/],
    [{ name: 'Plan', type: 'string' }, /'Plan' is not camelCase.*such as 'plan'/],
    [{ name: '', type: 'string' }, /'' is not camelCase/],
    [{ name: '__proto__', type: 'string' }, /'__proto__' is not camelCase/],
    [{ type: 'string' }, /name: must be text/],
    [{ name: 3, type: 'string' }, /name: must be text/],
    [{ name: 'email', type: 'string' }, /'email' is reserved.*choose another name/],
    [{ name: 'createdAt', type: 'date' }, /'createdAt' is built in.*choose another name/],
    [{ name: 'size', type: 'text' }, /type: must be one of string, number, boolean, date/],
    [{ name: 'size', type: 3 }, /type: must be one of/],
    [{ name: 'size' }, /type: must be one of/],
    [{ name: 'size', type: 'string', label: 'Size' }, /Unknown input 'label'. The inputs are name, type/],
    [{ nme: 'size', name: 'size', type: 'string' }, /Unknown input 'nme'. Did you mean 'name'\?/],
    [{ name: 'seats', type: 'string' }, /'seats' exists with type number, not string.*Declare it as number/],
  ])('%j', async (inputs, says) => {
    assertOne(await previewOf(property(inputs)), says);
  });

  it('of another type than before', async () => {
    const before = property({ name: 'size', type: 'string' });
    const ended = await previewOf(property({ name: 'size', type: 'number' }), before);
    assertOne(ended, /'size' is a string and cannot become a number.*Keep string, or declare a new/);
  });

  it('that is declared with two types; with one type it is no mistake', async () => {
    const twice = (type: string): Declared[] => [
      ...property({ name: 'size', type: 'string' }),
      { type: 'contactProperty', name: 'q', inputs: { name: 'size', type } },
    ];
    assertOne(
      await previewOf(twice('number')),
      /'size' gets two types, by ContactProperty 'p' and by ContactProperty 'q'/,
    );
    expect((await previewOf(twice('string'))).errors).toEqual([]);
  });
});

describe('a contact', () => {
  test.each<[Inputs, RegExp]>([
    [{}, /a contact needs an 'email', a 'userId', or both/],
    [{ firstName: 'Ada' }, /a contact needs an 'email'/],
    [{ email: null }, /a contact needs an 'email'/],
    [{ email: '' }, /email: must be an email address|email: must not be empty/],
    [{ email: 'ada' }, /email: must be an email address, such as/],
    [{ email: ` ${EMAIL}` }, /email: must be an email address/],
    [{ email: 3 }, /email: must be text/],
    [{ userId: '' }, /userId: must not be empty/],
    [{ userId: 42 }, /userId: must be text/],
    [{ userId: '..' }, /'\.\.' has another meaning in a URL.*use the contact's email address/],
    [{ email: EMAIL, userId: '..' }, /'\.\.' has another meaning in a URL/],
    [{ userId: '\uD800' }, /must be well-formed/],
    [{ email: EMAIL, firstName: 3 }, /firstName: must be text/],
    [{ email: EMAIL, subscribed: true }, /subscribed: can only be set to false/],
    [{ email: EMAIL, first_name: 'Ada' }, /Unknown input 'first_name'. Did you mean 'firstName'\?/],
    [{ email: EMAIL, plan: 'Pro' }, /Unknown input 'plan'. The inputs are .*, properties, clear/],
    [{ email: EMAIL, subscribed: null }, /subscribed: cannot be cleared: remove it/],
    [{ email: EMAIL, subscriptionGroups: { news: null } }, /'subscriptionGroups.news' must be true or false/],
    [{ email: EMAIL, clear: ['userId'] }, /clear: has 'userId', which cannot be cleared/],
    [{ email: EMAIL, clear: 'firstName' }, /clear: must be a list of fields and properties/],
    [
      { email: EMAIL, firstName: 'Ada', clear: ['firstName'] },
      /clear: has 'firstName', which also has a value/,
    ],
    [{ email: EMAIL, properties: { seats: 2 ** 53 + 2 } }, /'properties.seats' is a number beyond 2\^53/],
    [
      { email: EMAIL, createWithEvent: { eventName: 'x', eventProperties: { n: 2 ** 60 } } },
      /'createWithEvent': 'eventProperties.n' must be a number of at most 15 digits/,
    ],
    [{ email: EMAIL, createWithEvent: {} }, /'createWithEvent' must be an object with an 'eventName'/],
    [{ email: EMAIL, createWithEvent: 'joined' }, /'createWithEvent' must be an object/],
    [
      { email: EMAIL, createWithEvent: { eventName: 'x', email: EMAIL } },
      /'createWithEvent' must be an object/,
    ],
    [{ userId: 'u1 ' }, /userId: has a blank at its edge/],
    [{ email: EMAIL, userId: 'u\u200b1' }, /userId: has a blank at its edge, or an invisible character/],
    [{ email: EMAIL, properties: 3 }, /properties: must be an object/],
    [
      { email: EMAIL, properties: { planNam: 'Pro' } },
      /'properties.planNam' is no contact property. Declare it with a ContactProperty, or correct the name/,
    ],
    [{ email: EMAIL, properties: { Plan: 'Pro' } }, /'Plan' is not camelCase/],
    [
      { email: EMAIL, properties: { paln: 'Pro' } },
      /'properties.paln' is no contact property. Did you mean 'plan'\?/,
    ],
    [{ email: EMAIL, properties: { constructor: 'Pro' } }, /'properties.constructor' is no contact property/],
    [{ email: EMAIL, properties: { firstName: 'Ada' } }, /'properties.firstName' is a built-in field/],
    [{ email: EMAIL, properties: { createdAt: 1 } }, /'createdAt' is built in/],
    [{ email: EMAIL, properties: { seats: 'three' } }, /'properties.seats' must be a number.*not text/],
    [{ email: EMAIL, properties: { plan: 3 } }, /'properties.plan' must be text, not a number/],
    [
      { email: EMAIL, properties: { onTrial: 'true' } },
      /'properties.onTrial' must be true or false, not text/,
    ],
    [{ email: EMAIL, properties: { endsAt: '2027-02-30' } }, /'properties.endsAt' must be a date/],
    [{ email: EMAIL, properties: { endsAt: 1.7e12 } }, /'properties.endsAt' looks like milliseconds/],
    [{ email: EMAIL, properties: { endsAt: 20270131 } }, /'properties.endsAt' must be a date with dashes/],
    [
      { email: EMAIL, subscriptionGroups: { news: 'yes' } },
      /'subscriptionGroups.news' must be true or false/,
    ],
    [{ email: EMAIL, subscriptionGroups: ['news'] }, /subscriptionGroups: must be an object/],
    [
      { email: EMAIL, subscriptionGroups: { nws: true } },
      /'subscriptionGroups.nws' is no subscription group. The service has 'news' \(News\)/,
    ],
    [
      { email: EMAIL, subscriptionGroups: { News: true } },
      /'subscriptionGroups.News' is the name of subscription group 'news'. Give its id/,
    ],
    [{ email: 'ghost@example.com' }, /'ghost@example.com': the contact does not exist.*Set createWithEvent/],
    [{ userId: 'ghost' }, /'ghost': the contact does not exist.*Set createWithEvent/],
    [
      { email: EMAIL, userId: 'bob' },
      /'ada@example.com' \(userId 'bob'\): its email and its userId belong to two contacts .*c2 and c1.*Correct one/,
    ],
  ])('%j', async (inputs, says) => {
    assertOne(await previewOf(contact(inputs)), says);
  });

  it('with several faults is told each', async () => {
    const { errors } = await previewOf(
      contact({ email: 'ada', subscribed: true, properties: { seats: 'x' } }),
    );
    expect(errors).toHaveLength(3);
  });

  test.each<[string, Inputs, Inputs, RegExp]>([
    [
      'another email without a userId',
      { email: EMAIL },
      { email: 'new@x.io' },
      /Declare the 'userId' with the old email first/,
    ],
  ])('that gets %s', async (_name, before, after, says) => {
    assertOne(await previewOf(contact(after), contact(before)), says);
  });

  test.each<[string, Inputs, Inputs]>([
    ['by one email', { email: EMAIL, firstName: 'A' }, { email: EMAIL, firstName: 'B' }],
    [
      'by one email in two cases',
      { email: EMAIL, firstName: 'A' },
      { email: EMAIL.toUpperCase(), firstName: 'B' },
    ],
    ['by one userId', { userId: 'bob', subscribed: false }, { userId: 'bob', firstName: 'B' }],
    [
      'by email and by userId',
      { email: 'bob@example.com', firstName: 'A' },
      { userId: 'bob', firstName: 'B' },
    ],
  ])('that is declared twice %s: an error where a field has two values', async (_name, a, b) => {
    const program: Declared[] = [
      { type: 'contact', name: 'a', inputs: a },
      { type: 'contact', name: 'b', inputs: b },
    ];
    const ended = await previewOf(program);
    if (a['subscribed'] === false) expect(ended.errors).toEqual([]);
    else assertOne(ended, /gets two values of 'firstName', by Contact 'a' and by Contact 'b'. Keep one/);
  });

  it('that is declared in a list too, with another value', async () => {
    const program = [
      ...contact({ email: EMAIL, firstName: 'Ada' }),
      ...contacts({ contacts: [{ email: 'ADA@example.com', firstName: 'Augusta' }] }),
    ];
    assertOne(
      await previewOf(program),
      /contacts\[0\] is the same contact as Contact 'ada', with another value/,
    );
  });
});

describe('contacts', () => {
  test.each<[Inputs, RegExp]>([
    [{}, /set either 'file' or 'contacts', and not both/],
    [{ file: 'a.csv', contacts: [] }, /set either 'file' or 'contacts', and not both/],
    [{ file: '' }, /'file' must be the path of a file/],
    [{ contacts: 'ada' }, /'contacts' must be a list of contacts/],
    [{ contacts: [EMAIL] }, /'contacts\[0\]' must be an object with the fields/],
    [{ file: 'no-such.csv' }, /'no-such.csv': the file does not exist. Give its path/],
    [{ file: 'a.csv', format: 'csv' }, /Unknown input 'format'/],
    [{ file: 'a.csv', columns: { Mail: 3 } }, /'columns' must be headers with their fields/],
    [{ file: 'a.csv', encoding: 'klingon' }, /'encoding' must be an encoding/],
    [{ file: 'a.csv', nullValues: 'NULL' }, /'nullValues' must be a list of texts/],
    [{ file: 'a.csv', emptyCells: true }, /'emptyCells' must be 'ignore' or 'clear'/],
    [{ file: 'a.csv', dateFormat: { at: 'DD.MM.YYYY' } }, /such as dd\/MM\/yyyy/],
    [{ file: 'a.csv', invalidRows: 'drop' }, /'invalidRows' must be 'fail' or 'skip'/],
    [{ contacts: [{ email: EMAIL }], maxRemovals: -1 }, /'maxRemovals' must be a whole number of 0 or/],
    [{ contacts: [{ email: EMAIL }], fil: 'a.csv' }, /Unknown input 'fil'. Did you mean 'file'\?/],
    [{ contacts: [{ email: EMAIL }], onRemove: 'clear' }, /Unknown input 'onRemove'. The inputs are file, /],
    [{ contacts: [{ email: EMAIL }], createWithEvent: {} }, /'createWithEvent' must be an object/],
    [{ contacts: [{}] }, /contacts\[0\] has neither an email nor a userId/],
    [{ contacts: [{ email: 'ada' }] }, /contacts\[0\]: email must be an email address/],
    [
      { contacts: [{ userId: 'properties' }] },
      /contacts\[0\]: userId 'properties' has another meaning in a URL/,
    ],
    [
      { contacts: [{ email: EMAIL, nickname: 'x' }] },
      /1 column is neither a field nor a contact property: 'nickname'/,
    ],
    [{ contacts: [{ email: EMAIL, subscribed: null }] }, /contacts\[0\]: subscribed cannot be cleared/],
    [
      { contacts: [{ email: EMAIL, properties: 'x' }] },
      /neither a field nor a contact property: 'properties'/,
    ],
    [
      { contacts: [{ email: EMAIL, properties: { seats: 'three' } }] },
      /contacts\[0\]: seats must be a number/,
    ],
    [
      { contacts: [{ email: EMAIL, properties: { planNam: 'x' } }] },
      /neither a field nor a contact property: 'planNam'/,
    ],
    [
      { contacts: [{ email: EMAIL, subscriptionGroups: { nws: true } }] },
      /'subscriptionGroups.nws' is no subscription group/,
    ],
    [
      {
        contacts: [
          { email: EMAIL, firstName: 'A' },
          { email: 'ADA@example.com', firstName: 'B' },
        ],
      },
      /contacts\[1\] is the same contact as contacts\[0\], with another value of 'firstName'/,
    ],
    [
      {
        contacts: [
          { email: EMAIL, userId: 'u' },
          { email: EMAIL, userId: 'v' },
        ],
      },
      /contacts\[1\] is the same contact as contacts\[0\], with another value of 'userId'/,
    ],
    [
      { contacts: [{ email: EMAIL }, { userId: 'u' }, { email: EMAIL, userId: 'u' }] },
      /contacts\[2\] has the identifiers of two rows \(contacts\[0\] and contacts\[1\]\)/,
    ],
  ])('%j', async (inputs, says) => {
    assertOne(await previewOf(contacts(inputs)), says);
  });

  it('that are declared in two lists, with two values', async () => {
    const program: Declared[] = [
      { type: 'contacts', name: 'a', inputs: { contacts: [{ email: EMAIL, firstName: 'A' }] } },
      { type: 'contacts', name: 'b', inputs: { contacts: [{ email: EMAIL, firstName: 'B' }] } },
    ];
    assertOne(
      await previewOf(program),
      /contacts\[0\] is the same contact as contacts\[0\] of Contacts 'a', with another value of 'firstName'/,
    );
  });

  it.each<[string, Inputs, Inputs]>([
    ['are unsubscribed', {}, { subscribed: false }],
    ['leave', { subscriptionGroups: { news: true } }, { subscriptionGroups: { news: false } }],
    ['lose firstName', { firstName: 'A' }, { firstName: null }],
  ])(
    'of which one run takes something from many (%s): refused at preview with both numbers',
    async (kind, has, loses) => {
      const people = Array.from({ length: 40 }, (_, index) => `p${index}@x.io`);
      const rows = (count: number) =>
        people.map((email, index) => ({ email, ...(index < count ? loses : has) }));
      const fake = service();
      for (const email of people) fake.add({ email });
      const engine = new FakeEngine(fake);
      expect((await engine.up(contacts({ contacts: rows(0) }))).errors).toEqual([]);
      fake.writes();
      const refused = await engine.up(contacts({ contacts: rows(15) }));
      expect(refused.errors.join()).toContain(`15 contacts would lose something (15 ${kind}`);
      expect(refused.errors.join()).toContain(
        'the limit is 10 per run. If this is meant, set maxRemovals: 15',
      );
      expect(fake.writes()).toEqual([]);
      expect((await engine.up(contacts({ contacts: rows(10) }))).errors).toEqual([]);
      expect(fake.writes()).toHaveLength(10);
      expect((await engine.up(contacts({ contacts: rows(40), maxRemovals: 30 }))).errors).toEqual([]);
      expect(fake.writes()).toHaveLength(30);
    },
  );
});

test('a wrong key is told at preview, whatever is declared', async () => {
  for (const program of [contact({ email: EMAIL }), contacts({ contacts: [{ email: EMAIL }] })]) {
    const fake = service();
    fake.fault = () => 401;
    assertOne(
      await new FakeEngine(fake).preview(program),
      /does not accept the API key \(401\).*Check that the key/,
    );
  }
});
