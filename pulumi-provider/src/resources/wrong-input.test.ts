import type { Declared, Ended } from '../../testing/fake-engine.js';
import { start } from '../../testing/start.js';
import type { Code } from '../messages/index.js';

/**
 * Every mistake that we could think of: found at preview, told in one sentence with a way out, with no stack trace,
 * and nothing written.
 */

const EMAIL = 'ada@example.com';

type Inputs = Readonly<Record<string, unknown>>;

const startWithTwo = (): ReturnType<typeof start> =>
  start({ email: EMAIL, firstName: 'Ada' }, { userId: 'bob', email: 'bob@example.com' });

async function previewOf(program: readonly Declared[], before: readonly Declared[] = []): Promise<Ended> {
  const { service, engine } = startWithTwo();
  if (before.length > 0) expect((await engine.up(before)).errors).toEqual([]);
  service.writes();
  const ended = await engine.preview(program);
  expect(service.writes()).toEqual([]);
  return ended;
}

/** @param says the subject of the one error. */
function assertOne({ errors, told, codes }: Ended, code: Code, says: string): void {
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(says);
  expect(codes.at(-1)).toBe(code);
  expect([...errors, ...told].join('\n')).not.toMatch(/\n\s+at |undefined|\[object|NaN/);
}

const property = (inputs: Inputs): Declared[] => [{ type: 'contactProperty', name: 'p', inputs }];
const contact = (inputs: Inputs): Declared[] => [{ type: 'contact', name: 'ada', inputs }];
const contacts = (inputs: Inputs): Declared[] => [{ type: 'contacts', name: 'all', inputs }];
const people = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}@x.io`);

describe('a contact property', () => {
  test.each<[Inputs, Code, string]>([
    [{ name: 'First Name', type: 'string' }, 'field.wrong', 'name:'],
    [{ name: '__proto__', type: 'string' }, 'field.wrong', 'name:'],
    [{ type: 'string' }, 'field.wrong', 'name:'],
    [{ name: 'email', type: 'string' }, 'field.wrong', 'name:'],
    [{ name: 'createdAt', type: 'date' }, 'field.wrong', 'name:'],
    [{ name: 'size', type: 'text' }, 'input.notOneOf', 'type:'],
    [{ name: 'size' }, 'input.notOneOf', 'type:'],
    [{ name: 'size', type: 'string', label: 'Size' }, 'input.unknown', "'label'"],
    [{ nme: 'size', name: 'size', type: 'string' }, 'input.unknown', "'nme'"],
    [{ name: 'seats', type: 'string' }, 'property.otherType', "'seats'"],
  ])('%j', async (inputs, code, says) => {
    assertOne(await previewOf(property(inputs)), code, says);
  });

  it('of another type than before', async () => {
    const before = property({ name: 'size', type: 'string' });
    const ended = await previewOf(property({ name: 'size', type: 'number' }), before);
    assertOne(ended, 'property.otherType', "'size'");
  });

  it('that is declared with two types; with one type it is no mistake', async () => {
    const twice = (type: string): Declared[] => [
      ...property({ name: 'size', type: 'string' }),
      { type: 'contactProperty', name: 'q', inputs: { name: 'size', type } },
    ];
    assertOne(
      await previewOf(twice('number')),
      'property.twoTypes',
      "by ContactProperty 'p' and by ContactProperty 'q'",
    );
    expect((await previewOf(twice('string'))).errors).toEqual([]);
  });
});

describe('a contact', () => {
  test.each<[Inputs, Code, string]>([
    [{}, 'identity.missing', "'email'"],
    [{ email: '' }, 'field.wrong', 'email:'],
    [{ email: ` ${EMAIL}` }, 'field.wrong', 'email:'],
    [{ email: 3 }, 'field.wrong', 'email:'],
    [{ userId: '' }, 'field.wrong', 'userId:'],
    [{ userId: '..' }, 'field.wrong', 'userId:'],
    [{ userId: '\uD800' }, 'field.wrong', 'userId:'],
    [{ email: EMAIL, firstName: 3 }, 'field.wrong', 'firstName:'],
    [{ email: EMAIL, subscribed: true }, 'field.wrong', 'subscribed:'],
    [{ email: EMAIL, first_name: 'Ada' }, 'input.unknown', "'first_name'"],
    [{ email: EMAIL, plan: 'Pro' }, 'input.unknown', "'plan'"],
    [{ email: EMAIL, subscribed: null }, 'field.wrong', 'subscribed:'],
    [{ email: EMAIL, subscriptionGroups: { news: null } }, 'field.wrong', "'subscriptionGroups.news'"],
    [{ email: EMAIL, clear: ['userId'] }, 'field.clearsFixed', 'clear:'],
    [{ email: EMAIL, clear: ['frstName'] }, 'input.noProperty', "'clear.frstName'"],
    [{ email: EMAIL, clear: 'firstName' }, 'field.clear', 'clear:'],
    [{ email: EMAIL, firstName: 'Ada', clear: ['firstName'] }, 'field.clearsGiven', 'clear:'],
    [{ email: EMAIL, properties: { seats: 2 ** 53 + 2 } }, 'field.wrong', "'properties.seats'"],
    [
      { email: EMAIL, createWithEvent: { eventName: 'x', eventProperties: { n: 2 ** 60 } } },
      'event.rounded',
      "'createWithEvent'",
    ],
    [{ email: EMAIL, createWithEvent: {} }, 'event.wrong', "'createWithEvent'"],
    [{ email: EMAIL, createWithEvent: { eventName: 'x', email: EMAIL } }, 'event.wrong', "'createWithEvent'"],
    [{ email: EMAIL, userId: 'u\u200b1' }, 'field.blank', 'userId:'],
    [{ email: EMAIL, properties: 3 }, 'field.noProperties', 'properties:'],
    [{ email: EMAIL, properties: { planNam: 'Pro' } }, 'input.noProperty', "'properties.planNam'"],
    [{ email: EMAIL, properties: { Plan: 'Pro' } }, 'field.wrong', "'Plan'"],
    [{ email: EMAIL, properties: { paln: 'Pro' } }, 'input.noProperty', "'properties.paln'"],
    [{ email: EMAIL, properties: { constructor: 'Pro' } }, 'input.noProperty', "'properties.constructor'"],
    [{ email: EMAIL, properties: { firstName: 'Ada' } }, 'field.isOwn', "'properties.firstName'"],
    [{ email: EMAIL, properties: { createdAt: 1 } }, 'field.wrong', "'createdAt'"],
    [{ email: EMAIL, properties: { seats: 'three' } }, 'field.wrong', "'properties.seats'"],
    [{ email: EMAIL, properties: { endsAt: '2027-02-30' } }, 'field.wrong', "'properties.endsAt'"],
    [{ email: EMAIL, subscriptionGroups: { news: 'yes' } }, 'field.wrong', "'subscriptionGroups.news'"],
    [{ email: EMAIL, subscriptionGroups: ['news'] }, 'field.wrong', 'subscriptionGroups:'],
    [{ email: EMAIL, subscriptionGroups: { nws: true } }, 'input.noGroup', "'subscriptionGroups.nws'"],
    [{ email: EMAIL, subscriptionGroups: { News: true } }, 'input.noGroup', "'subscriptionGroups.News'"],
    [{ email: 'ghost@example.com' }, 'contact.refused', "'ghost@example.com'"],
    [{ email: EMAIL, userId: 'bob' }, 'contact.refused', "'ada@example.com'"],
  ])('%j', async (inputs, code, says) => {
    assertOne(await previewOf(contact(inputs)), code, says);
  });

  it('with several faults reports each', async () => {
    const { errors } = await previewOf(
      contact({ email: 'ada', subscribed: true, properties: { seats: 'x' } }),
    );
    expect(errors).toHaveLength(3);
  });

  it('that gets another email without a userId', async () => {
    const ended = await previewOf(contact({ email: 'new@x.io' }), contact({ email: EMAIL }));
    assertOne(ended, 'identity.needsUserId', 'email:');
  });

  test.each<[string, Inputs, Inputs]>([
    ['by one email', { email: EMAIL, firstName: 'A' }, { email: EMAIL, firstName: 'B' }],
    [
      'by one email in two cases',
      { email: EMAIL, firstName: 'A' },
      { email: EMAIL.toUpperCase(), firstName: 'B' },
    ],
    ['by one userId', { userId: 'bob', subscribed: false }, { userId: 'bob', firstName: 'B' }],
  ])('that is declared twice %s: an error where a field has two values', async (_name, a, b) => {
    const program: Declared[] = [
      { type: 'contact', name: 'a', inputs: a },
      { type: 'contact', name: 'b', inputs: b },
    ];
    const ended = await previewOf(program);
    if (a['subscribed'] === false) expect(ended.errors).toEqual([]);
    else assertOne(ended, 'contact.twoValues', "'firstName', by Contact 'a' and by Contact 'b'");
  });

  it('that is declared in a list too, with another value', async () => {
    const program = [
      ...contact({ email: EMAIL, firstName: 'Ada' }),
      ...contacts({ contacts: [{ email: 'ADA@example.com', firstName: 'Augusta' }] }),
    ];
    assertOne(await previewOf(program), 'text', "the same contact as Contact 'ada'");
  });
});

describe('contacts', () => {
  test.each<[Inputs, Code, string]>([
    [{}, 'contacts.source', "'file'"],
    [{ file: 'a.csv', contacts: [] }, 'contacts.source', "'file'"],
    [{ file: '' }, 'text', "'file'"],
    [{ contacts: 'ada' }, 'text', "'contacts'"],
    [{ contacts: [EMAIL] }, 'text', "'contacts.0'"],
    [{ file: 'no-such.csv' }, 'text', "'no-such.csv': the file does not exist"],
    [{ file: 'a.csv', columns: { Mail: 3 } }, 'text', "'columns.Mail'"],
    [{ file: 'a.csv', consent: { Status: { left: '?' } } }, 'text', "'consent' must be 'mail' or 'no mail'"],
    [{ contacts: [{ email: EMAIL }], maxRemovals: -1 }, 'text', "'maxRemovals'"],
    [{ contacts: [{ email: EMAIL }], fil: 'a.csv' }, 'input.unknown', "'fil'"],
    [{ contacts: [{ email: EMAIL }], onRemove: 'clear' }, 'input.unknown', "'onRemove'"],
    [{ contacts: [{ email: EMAIL }], createWithEvent: {} }, 'event.wrong', "'createWithEvent'"],
    [{ contacts: [{}] }, 'text', 'contacts[0] has neither'],
    [{ contacts: [{ email: EMAIL, nickname: 'x' }] }, 'text', "'nickname'"],
    [{ contacts: [{ email: EMAIL, subscriptionGroups: { nws: true } }] }, 'text', "'subscriptionGroups.nws'"],
    [
      {
        contacts: [
          { email: EMAIL, firstName: 'A' },
          { email: 'ADA@example.com', firstName: 'B' },
        ],
      },
      'text',
      "contacts[0], with another value of 'firstName'",
    ],
    [
      {
        contacts: [
          { email: EMAIL, userId: 'u' },
          { email: EMAIL, userId: 'v' },
        ],
      },
      'text',
      "contacts[0], with another value of 'userId'",
    ],
    [
      { contacts: [{ email: EMAIL }, { userId: 'u' }, { email: EMAIL, userId: 'u' }] },
      'text',
      '(contacts[0] and contacts[1])',
    ],
  ])('%j', async (inputs, code, says) => {
    assertOne(await previewOf(contacts(inputs)), code, says);
  });

  it('that are declared in two lists, with two values', async () => {
    const program: Declared[] = [
      { type: 'contacts', name: 'a', inputs: { contacts: [{ email: EMAIL, firstName: 'A' }] } },
      { type: 'contacts', name: 'b', inputs: { contacts: [{ email: EMAIL, firstName: 'B' }] } },
    ];
    assertOne(
      await previewOf(program),
      'text',
      "contacts[0] of Contacts 'a', with another value of 'firstName'",
    );
  });

  it.each<[string, Inputs, Inputs]>([
    ['are unsubscribed', {}, { subscribed: false }],
    ['leave', { subscriptionGroups: { news: true } }, { subscriptionGroups: { news: false } }],
    ['lose firstName', { firstName: 'A' }, { firstName: null }],
  ])(
    'that takes something from many contacts in one run (%s) is refused at preview with both numbers',
    async (kind, has, loses) => {
      const rows = (count: number) =>
        people(40).map((email, index) => ({ email, ...(index < count ? loses : has) }));
      const { service, engine } = start(...people(40).map((email) => ({ email })));
      expect((await engine.up(contacts({ contacts: rows(0) }))).errors).toEqual([]);
      service.writes();
      const refused = await engine.up(contacts({ contacts: rows(15) }));
      expect(refused.errors.join()).toContain(`15 contacts would lose something (15 ${kind}`);
      expect(refused.errors.join()).toContain(
        'the limit is 10 per run. If you want this, set maxRemovals: 15',
      );
      expect(service.writes()).toEqual([]);
      expect((await engine.up(contacts({ contacts: rows(10) }))).errors).toEqual([]);
      expect(service.writes()).toHaveLength(10);
      expect((await engine.up(contacts({ contacts: rows(40), maxRemovals: 30 }))).errors).toEqual([]);
      expect(service.writes()).toHaveLength(30);
    },
  );

  it('of new rows: only those that a cell unsubscribes count, each number of the refusal the same', async () => {
    const rows = people(40).map((email, index) => ({
      email,
      subscriptionGroups: { news: false },
      ...(index < 20 && { subscribed: false }),
    }));
    const { errors } = await previewOf(contacts({ contacts: rows }));
    expect(errors.join()).toContain(
      '20 contacts would lose something (20 are unsubscribed); the limit is 10',
    );
  });
});

test('a wrong key is reported at preview, whatever is declared', async () => {
  for (const program of [contact({ email: EMAIL }), contacts({ contacts: [{ email: EMAIL }] })]) {
    const { service, engine } = startWithTwo();
    service.fault = () => 401;
    assertOne(await engine.preview(program), 'service.key', 'does not accept the API key (401)');
  }
});
