import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FakeEngine } from '../../testing/fake-engine.js';
import type { Declared, Ended } from '../../testing/fake-engine.js';
import { FakeService } from '../../testing/fake-service.js';

/**
 * Every mistake that we could think of: found at preview, told in one sentence with a way out, with no stack trace,
 * and nothing written.
 */

const EMAIL = 'ada@example.com';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'audience-wrong-input-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

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
    [{ name: 'first_name', type: 'string' }, /'first_name' is not camelCase/],
    [{ name: 'first-name', type: 'string' }, /'first-name' is not camelCase/],
    [{ name: 'Plan', type: 'string' }, /'Plan' is not camelCase.*such as 'plan'/],
    [{ name: '1plan', type: 'string' }, /'1plan' is not camelCase/],
    [{ name: '', type: 'string' }, /'' is not camelCase/],
    [{ name: ' plan', type: 'string' }, /' plan' is not camelCase/],
    [{ name: 'größe', type: 'string' }, /'größe' is not camelCase/],
    [{ name: '__proto__', type: 'string' }, /'__proto__' is not camelCase/],
    [{ name: 'plan.name', type: 'string' }, /is not camelCase/],
    [{ type: 'string' }, /name: must be text, such as teamSize/],
    [{ name: 3, type: 'string' }, /name: must be text/],
    [{ name: ['plan'], type: 'string' }, /name: must be text/],
    [{ name: {}, type: 'string' }, /name: must be text/],
    [{ name: true, type: 'string' }, /name: must be text/],
    [{ name: 'email', type: 'string' }, /'email' is reserved.*choose another name/],
    [{ name: 'userId', type: 'string' }, /'userId' is reserved.*choose another name/],
    [{ name: 'firstName', type: 'string' }, /'firstName' is reserved/],
    [{ name: 'lastName', type: 'string' }, /'lastName' is reserved/],
    [{ name: 'source', type: 'string' }, /'source' is reserved/],
    [{ name: 'subscribed', type: 'boolean' }, /'subscribed' is reserved/],
    [{ name: 'subscriptionGroups', type: 'string' }, /'subscriptionGroups' is reserved/],
    [{ name: 'createdAt', type: 'date' }, /'createdAt' is built in.*choose another name/],
    [{ name: 'id', type: 'string' }, /'id' is built in/],
    [{ name: 'size', type: 'text' }, /type: must be one of string, number, boolean, date/],
    [{ name: 'size', type: 'Number' }, /type: must be one of/],
    [{ name: 'size', type: 'int' }, /type: must be one of/],
    [{ name: 'size', type: '' }, /type: must be one of/],
    [{ name: 'size', type: 3 }, /type: must be one of/],
    [{ name: 'size', type: ['string'] }, /type: must be one of/],
    [{ name: 'size' }, /type: must be one of/],
    [{ name: 'size', type: 'string', adopt: 'yes' }, /adopt: must be true or false/],
    [{ name: 'size', type: 'string', adopt: 1 }, /adopt: must be true or false/],
    [{ name: 'size', type: 'string', label: 'Size' }, /'label' is not an input of a contact property/],
    [{ name: 'seats', type: 'number' }, /'seats' exists in the service already.*Set adopt: true/],
    [{ name: 'seats', type: 'string' }, /'seats' exists .* as a number, not as a string.*Declare it as/],
    [{ name: 'seats', type: 'date', adopt: true }, /'seats' exists .* as a number, not as a date/],
  ])('%j', async (inputs, says) => {
    assertOne(await previewOf(property(inputs)), says);
  });

  it('of another type than before', async () => {
    const before = property({ name: 'size', type: 'string' });
    const ended = await previewOf(property({ name: 'size', type: 'number' }), before);
    assertOne(ended, /'size' is a string and cannot become a number.*Keep string, or declare a new/);
  });

  it('that is declared twice, with one type or two', async () => {
    for (const type of ['string', 'number']) {
      const [first] = property({ name: 'size', type: 'string' });
      const second: Declared = { type: 'contactProperty', name: 'q', inputs: { name: 'size', type } };
      const ended = await previewOf([...(first ? [first] : []), second]);
      assertOne(ended, /'size' is declared twice, by ContactProperty 'p' and by ContactProperty 'q'/);
    }
  });
});

describe('a contact', () => {
  test.each<[Inputs, RegExp]>([
    [{}, /a contact needs an 'email', a 'userId', or both/],
    [{ firstName: 'Ada' }, /a contact needs an 'email'/],
    [{ email: null }, /a contact needs an 'email'/],
    [{ email: '' }, /email: must be an email address|email: must not be empty/],
    [{ email: 'ada' }, /email: must be an email address, such as/],
    [{ email: 'ada@' }, /email: must be an email address/],
    [{ email: '@x.io' }, /email: must be an email address/],
    [{ email: 'a b@x.io' }, /email: must be an email address/],
    [{ email: 'a@b@x.io' }, /email: must be an email address/],
    [{ email: ` ${EMAIL}` }, /email: must be an email address/],
    [{ email: 3 }, /email: must be text/],
    [{ email: [EMAIL] }, /email: must be text/],
    [{ email: { is: EMAIL } }, /email: must be text/],
    [{ userId: '' }, /userId: must not be empty/],
    [{ userId: 42 }, /userId: must be text/],
    [{ userId: '.' }, /'\.' cannot be used in a path/],
    [{ userId: '..' }, /'\.\.' cannot be used in a path.*use the contact's other identifier/],
    [{ userId: 'properties' }, /'properties' cannot be used in a path/],
    [{ email: EMAIL, userId: '..' }, /'\.\.' cannot be used in a path/],
    [{ userId: '\uD800' }, /must be well-formed/],
    [{ email: EMAIL, firstName: 3 }, /firstName: must be text/],
    [{ email: EMAIL, firstName: {} }, /firstName: must be text/],
    [{ email: EMAIL, lastName: true }, /lastName: must be text/],
    [{ email: EMAIL, source: ['web'] }, /source: must be text/],
    [{ email: EMAIL, subscribed: true }, /subscribed: can only be set to false/],
    [{ email: EMAIL, subscribed: 'false' }, /subscribed: can only be set to false/],
    [{ email: EMAIL, subscribed: 0 }, /subscribed: can only be set to false/],
    [{ email: EMAIL, first_name: 'Ada' }, /'first_name' is not an input of a contact/],
    [
      { email: EMAIL, plan: 'Pro' },
      /'plan' is not an input of a contact; custom properties go into 'properties'/,
    ],
    [{ email: EMAIL, id: 'c1' }, /'id' is not an input of a contact/],
    [{ email: EMAIL, createdAt: 0 }, /'createdAt' is not an input of a contact/],
    [{ email: EMAIL, onDelete: 'delete' }, /onDelete: must be one of retain, unsubscribe, clear/],
    [{ email: EMAIL, onDelete: true }, /onDelete: must be one of/],
    [{ email: EMAIL, createWithEvent: {} }, /'createWithEvent' must be an object with an 'eventName'/],
    [{ email: EMAIL, createWithEvent: 'joined' }, /'createWithEvent' must be an object/],
    [{ email: EMAIL, createWithEvent: { eventName: '' } }, /'createWithEvent' must be an object/],
    [{ email: EMAIL, createWithEvent: { eventName: 3 } }, /'createWithEvent' must be an object/],
    [
      { email: EMAIL, createWithEvent: { eventName: 'x', email: EMAIL } },
      /'createWithEvent' must be an object/,
    ],
    [
      { email: EMAIL, createWithEvent: { eventName: 'x', eventProperties: { a: [] } } },
      /'createWithEvent' must be an object.*: 'eventProperties.a' /,
    ],
    [{ userId: 'u1 ' }, /userId: has a blank at its edge/],
    [
      { email: EMAIL, userId: 'u\u200b1' },
      /userId: has a blank at its edge, or a character that nobody sees/,
    ],
    [{ email: EMAIL, properties: 3 }, /'properties' must be an object/],
    [{ email: EMAIL, properties: ['Pro'] }, /'properties' must be an object/],
    [{ email: EMAIL, properties: 'plan' }, /'properties' must be an object/],
    [
      { email: EMAIL, properties: { planNam: 'Pro' } },
      /'properties.planNam' is no contact property.*is 'plan' meant|'properties.planNam' is no contact property/,
    ],
    [{ email: EMAIL, properties: { Plan: 'Pro' } }, /'Plan' is not camelCase/],
    [
      { email: EMAIL, properties: { paln: 'Pro' } },
      /'properties.paln' is no contact property of the service/,
    ],
    [{ email: EMAIL, properties: { constructor: 'Pro' } }, /'properties.constructor' is no contact property/],
    [{ email: EMAIL, properties: { toString: 'Pro' } }, /'properties.toString' is no contact property/],
    [{ email: EMAIL, properties: { 'Team Size': 1 } }, /'Team Size' is not camelCase/],
    [{ email: EMAIL, properties: { '': 1 } }, /'' is not camelCase/],
    [{ email: EMAIL, properties: { firstName: 'Ada' } }, /'properties.firstName' is a field of its own/],
    [{ email: EMAIL, properties: { email: EMAIL } }, /'properties.email' is a field of its own/],
    [{ email: EMAIL, properties: { createdAt: 1 } }, /'createdAt' is built in/],
    [{ email: EMAIL, properties: { seats: 'three' } }, /'properties.seats' must be a number.*not text/],
    [{ email: EMAIL, properties: { seats: '3' } }, /'properties.seats' must be a number.*not text/],
    [{ email: EMAIL, properties: { seats: true } }, /'properties.seats' must be a number/],
    [{ email: EMAIL, properties: { seats: [3] } }, /'properties.seats' must be a number.*not a list/],
    [{ email: EMAIL, properties: { seats: {} } }, /'properties.seats' must be a number.*not an object/],
    [{ email: EMAIL, properties: { plan: 3 } }, /'properties.plan' must be text, not a number/],
    [{ email: EMAIL, properties: { plan: false } }, /'properties.plan' must be text/],
    [
      { email: EMAIL, properties: { onTrial: 'true' } },
      /'properties.onTrial' must be true or false, not text/,
    ],
    [{ email: EMAIL, properties: { onTrial: 1 } }, /'properties.onTrial' must be true or false/],
    [{ email: EMAIL, properties: { endsAt: 'soon' } }, /'properties.endsAt' must be a date/],
    [{ email: EMAIL, properties: { endsAt: '2027-02-30' } }, /'properties.endsAt' must be a date/],
    [{ email: EMAIL, properties: { endsAt: '31.01.2027' } }, /'properties.endsAt' must be a date/],
    [{ email: EMAIL, properties: { endsAt: true } }, /'properties.endsAt' must be a date/],
    [{ email: EMAIL, properties: { endsAt: 1.5 } }, /'properties.endsAt' must be a date/],
    [{ email: EMAIL, properties: { endsAt: 1.7e12 } }, /'properties.endsAt' must be Unix time in seconds/],
    [{ email: EMAIL, properties: { endsAt: 20270131 } }, /'properties.endsAt' must be a date with dashes/],
    [{ email: EMAIL, properties: { endsAt: { 'pulumi-audience:date': null } } }, /not an invalid date/],
    [{ email: EMAIL, properties: { seats: { 'pulumi-audience:date': 0 } } }, /must be a number.*not a date/],
    [
      { email: EMAIL, subscriptionGroups: { news: 'yes' } },
      /'subscriptionGroups.news' must be true or false/,
    ],
    [{ email: EMAIL, subscriptionGroups: { news: 1 } }, /'subscriptionGroups.news' must be true or false/],
    [{ email: EMAIL, subscriptionGroups: ['news'] }, /subscriptionGroups: must be an object/],
    [{ email: EMAIL, subscriptionGroups: 'news' }, /subscriptionGroups: must be an object/],
    [
      { email: EMAIL, subscriptionGroups: { nws: true } },
      /'subscriptionGroups.nws' is no subscription group of the service, which has 'news' \(News\)/,
    ],
    [
      { email: EMAIL, subscriptionGroups: { News: true } },
      /'subscriptionGroups.News' is the name of subscription group 'news'; give its id/,
    ],
    [
      { email: 'ghost@example.com' },
      /'ghost@example.com' does not exist in the service.*Set createWithEvent/,
    ],
    [{ userId: 'ghost' }, /'ghost' does not exist in the service.*Set createWithEvent/],
    [
      { email: EMAIL, userId: 'bob' },
      /email 'ada@example.com' and userId 'bob' are two contacts.*Declare one/,
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
      /changes from.*Add the 'userId' first/,
    ],
  ])('that gets %s', async (_name, before, after, says) => {
    assertOne(await previewOf(contact(after), contact(before)), says);
  });

  test.each<[string, Inputs, Inputs, RegExp]>([
    ['by one email', { email: EMAIL }, { email: EMAIL }, /declared twice, by Contact 'a' and by Contact 'b'/],
    ['by one email in two cases', { email: EMAIL }, { email: EMAIL.toUpperCase() }, /declared twice/],
    ['by one userId', { userId: 'bob' }, { userId: 'bob' }, /declared twice, by Contact 'a' and/],
    ['by email and by userId', { email: 'bob@example.com' }, { userId: 'bob' }, /declared twice/],
  ])('that is declared twice %s', async (_name, a, b, says) => {
    const program: Declared[] = [
      { type: 'contact', name: 'a', inputs: a },
      { type: 'contact', name: 'b', inputs: b },
    ];
    assertOne(await previewOf(program), says);
  });

  it('that is declared in a file too', async () => {
    const program = [...contact({ email: EMAIL }), ...contacts({ contacts: [{ email: 'ADA@example.com' }] })];
    assertOne(await previewOf(program), /declared by Contact 'ada' as well.*Keep one of them/);
  });
});

describe('contacts', () => {
  test.each<[Inputs, RegExp]>([
    [{}, /declared by a 'file' or by an array 'contacts': give one of the two/],
    [{ file: 'a.csv', contacts: [] }, /give one of the two/],
    [{ file: '' }, /'file' must be the path of a file/],
    [{ file: 3 }, /'file' must be the path of a file/],
    [{ contacts: 'ada' }, /'contacts' must be a list of contacts/],
    [{ contacts: {} }, /'contacts' must be a list of contacts/],
    [{ contacts: [EMAIL] }, /'contacts\[0\]' must be an object, with fields/],
    [{ contacts: [] }, /holds no contact.*allowEmpty: true/],
    [{ file: 'no-such.csv' }, /'no-such.csv': there is no such file. Give its path/],
    [{ file: 'people.txt' }, /Name it .csv or .jsonl, or set format/],
    [{ file: 'a.csv', format: 'xlsx' }, /'format' must be one of csv, jsonl/],
    [{ file: 'a.csv', delimiter: 'tab' }, /'delimiter' must be one of/],
    [
      { contacts: [{ email: EMAIL }], onRemove: 'delete' },
      /'onRemove' must be one of retain, unsubscribe, clear/,
    ],
    [{ contacts: [{ email: EMAIL }], maxRemovals: -1 }, /'maxRemovals' must be a whole number of 0 or more/],
    [{ contacts: [{ email: EMAIL }], maxRemovals: 'all' }, /'maxRemovals' must be a whole number/],
    [{ contacts: [{ email: EMAIL }], allowEmpty: 'yes' }, /'allowEmpty' must be true or false/],
    [
      { contacts: [{ email: EMAIL }], propertyTypes: { plan: 'text' } },
      /'propertyTypes' must be property names with/,
    ],
    [{ contacts: [{ email: EMAIL }], onDelete: 'clear' }, /'onDelete' is not an input of contacts/],
    [{ contacts: [{ email: EMAIL }], createWithEvent: {} }, /'createWithEvent' must be an object/],
    [{ contacts: [{}] }, /contacts\[0\]: has neither an 'email' nor a 'userId'/],
    [{ contacts: [{ firstName: 'Nobody' }] }, /has neither an 'email' nor a 'userId'/],
    [{ contacts: [{ email: 'ada' }] }, /contacts\[0\]: 'email' must be an email address/],
    [{ contacts: [{ userId: '..' }] }, /'\.\.' cannot be used in a path/],
    [{ contacts: [{ email: EMAIL, nickname: 'x' }] }, /'nickname' is not a field of a contact/],
    [{ contacts: [{ email: EMAIL, subscribed: true }] }, /'subscribed' can only be set to false/],
    [{ contacts: [{ email: EMAIL, properties: 'x' }] }, /'properties' must be an object/],
    [{ contacts: [{ email: EMAIL, properties: { seats: '3' } }] }, /'properties.seats' must be a number/],
    [
      { contacts: [{ email: EMAIL, properties: { planNam: 'x' } }] },
      /contacts\[0\]: 'planNam' is no contact property/,
    ],
    [
      { contacts: [{ email: EMAIL, subscriptionGroups: { nws: true } }] },
      /'subscriptionGroups.nws' is no subscription group/,
    ],
    [
      { contacts: [{ email: EMAIL }, { email: 'ADA@example.com' }] },
      /contacts\[1\]: has the same email as contacts\[0\]/,
    ],
    [{ contacts: [{ userId: 'u' }, { email: EMAIL, userId: 'u' }] }, /has the same userId as contacts\[0\]/],
  ])('%j', async (inputs, says) => {
    assertOne(await previewOf(contacts(inputs)), says);
  });

  const latin1 = Buffer.from('email,firstName\nada@example.com,Ren\xe9e\n', 'latin1');
  test.each<[string, string | Buffer, RegExp]>([
    ['a.csv', '', /is empty. A list of nobody/],
    ['a.csv', '\n\n', /is empty. A list of nobody still has its first line/],
    ['a.csv', 'email,firstName\n', /holds no contact. If that is meant, set allowEmpty: true/],
    [
      'a.csv',
      `${EMAIL},Ada\n`,
      /begins with a line of values: its header is missing.*The first line names the columns: email, firstName, lastName/,
    ],
    ['a.csv', 'name,plan\nAda,Pro\n', /has no column 'email' or 'userId'.*custom properties by their names/],
    ['a.csv', 'Email,plan\nx@x.io,Pro\n', /has a column 'Email', but names are written just so: 'email'/],
    ['a.csv', 'E-Mail\nx@x.io\n', /has no column 'email'/],
    ['a.csv', 'email,email\nx@x.io,x@x.io\n', /has the column 'email' twice in its header/],
    ['a.csv', 'email,plan,plan\nx@x.io,a,b\n', /has the column 'plan' twice/],
    ['a.csv', 'email,,plan\nx@x.io,a,b\n', /has no name for column 2 in its header/],
    ['a.csv', 'email,planNam\nx@x.io,Pro\ny@x.io,Pro\n', /'planNam' is no contact property of the service/],
    [
      'a.csv',
      'email,subscriptionGroups.nws\nx@x.io,true\n',
      /'subscriptionGroups.nws' is no subscription group/,
    ],
    ['a.csv', 'email,subscriptionGroups\nx@x.io,true\n', /'subscriptionGroups'/],
    ['a.csv', 'email,Team Size\nx@x.io,3\n', /'Team Size'/],
    ['a.csv', 'email,createdAt\nx@x.io,2027-01-01\n', /'createdAt' is built in|'createdAt'/],
    ['a.csv', 'email,plan\nx@x.io\n', /is not a CSV file from line 2 on.*each line needs as many values/],
    ['a.csv', 'email,plan\nx@x.io,a,b\n', /is not a CSV file from line 2 on/],
    ['a.csv', 'email,plan\nx@x.io,"a\n', /is not a CSV file from line/],
    ['a.csv', 'email,plan\nx@x.io,a"b"c"\n', /is not a CSV file from line 2/],
    ['a.csv', latin1, /is not UTF-8 text: line 2 holds bytes that cannot be read as such. Save it as UTF-8/],
    ['a.csv', Buffer.from('\ufeffemail\nx@x.io\n', 'utf16le'), /is not UTF-8 text: line 1/],
    ['a.csv', Buffer.from('email\nx@x.io\n', 'utf16le'), /is not UTF-8 text: line 1/],
    ['a.csv', 'email,seats\nx@x.io,three\n', /line 2: 'properties.seats' must be a number/],
    ['a.csv', 'email,seats\nx@x.io,"1,5"\n', /line 2: 'properties.seats' must be a number/],
    ['a.csv', 'email,onTrial\nx@x.io,maybe\n', /line 2: 'properties.onTrial' must be true or false/],
    ['a.csv', 'email,endsAt\nx@x.io,30.01.2027\n', /line 2: 'properties.endsAt' must be a date/],
    ['a.csv', 'email,endsAt\nx@x.io,2027-02-30\n', /line 2: 'properties.endsAt' must be a date/],
    ['a.csv', 'email,endsAt\nx@x.io,2027-13-01\n', /line 2: 'properties.endsAt' must be a date/],
    [
      'a.csv',
      'email,endsAt\nx@x.io,1700000000000\n',
      /line 2: 'properties.endsAt' must be Unix time in seconds/,
    ],
    ['a.csv', 'email,endsAt\nx@x.io,01/02/2027\n', /line 2: 'properties.endsAt' must be a date/],
    ['a.csv', 'email,subscribed\nx@x.io,true\n', /line 2: 'subscribed' can only be set to false/],
    ['a.csv', 'email,subscribed\nx@x.io,no\n', /line 2: 'subscribed' can only be set to false/],
    [
      'a.csv',
      'email,subscriptionGroups.news\nx@x.io,maybe\n',
      /line 2: 'subscriptionGroups.news' must be true or false/,
    ],
    ['a.csv', 'email\nnot-an-address\n', /line 2: 'email' must be an email address/],
    ['a.csv', 'email,firstName\n,Ada\n', /line 2: has neither an 'email' nor a 'userId'/],
    ['a.csv', 'email\nx@x.io\n\nX@x.io\n', /line 4: has the same email as line 2/],
    ['a.csv', 'email,userId\nx@x.io,u\ny@x.io,u\n', /line 3: has the same userId as line 2/],
    ['a.jsonl', '', /holds no contact/],
    ['a.jsonl', '{oops\n', /line 1 is not JSON. Write one JSON object a line/],
    ['a.jsonl', '[{"email":"x@x.io"}]\n', /line 1 is not a JSON object/],
    ['a.jsonl', '"x@x.io"\n', /line 1 is not a JSON object/],
    ['a.jsonl', '{"email":"x@x.io"}\nnull\n', /line 2 is not a JSON object/],
    ['a.jsonl', '{"mail":"x@x.io","userId":"u"}\n', /line 1: 'mail' is not a field of a contact/],
    ['a.jsonl', '{"email":"x@x.io","properties":{"paln":"x"}}\n', /line 1: 'paln' is no contact property/],
    ['a.jsonl', '{"email":"x@x.io","firstName":3}\n', /line 1: 'firstName' must be text/],
    ['a.jsonl', '{"email":["x@x.io"]}\n', /line 1: 'email' must be text/],
    [
      'a.jsonl',
      Buffer.from('{"email":"x@x.io","firstName":"Ren\xe9e"}\n', 'latin1'),
      /is not UTF-8 text: line 1/,
    ],
  ])('in the file %s: %j', async (name, text, says) => {
    const file = path.join(folder, name);
    await writeFile(file, text);
    const ended = await previewOf(contacts({ file }));
    assertOne(ended, says);
    expect(ended.errors[0]).not.toMatch(/[xy]@x\.io|not-an-address/i);
  });

  it('that are declared in two files', async () => {
    const [a, b] = [path.join(folder, 'a.csv'), path.join(folder, 'b.csv')];
    await writeFile(a, 'email\nx@x.io\n');
    await writeFile(b, 'email\ny@x.io\nx@x.io\n');
    const program: Declared[] = [
      { type: 'contacts', name: 'a', inputs: { file: a } },
      { type: 'contacts', name: 'b', inputs: { file: b } },
    ];
    const ended = await previewOf(program);
    assertOne(ended, /line 3: the contact is declared by Contacts 'a' \(line 2 of '.*a\.csv'\) as well/);
  });

  it('of which the file is cut short or emptied', async () => {
    const file = path.join(folder, 'many.csv');
    const lines = Array.from({ length: 40 }, (_, index) => `p${index}@x.io`);
    const fake = new FakeService();
    for (const email of lines) fake.add({ email });
    const engine = new FakeEngine(fake);
    const program = (more: Inputs = {}) => contacts({ file, onRemove: 'unsubscribe', ...more });
    const save = (part: readonly string[]) => writeFile(file, ['email', ...part, ''].join('\n'));
    await save(lines);
    expect((await engine.up(program())).errors).toEqual([]);
    fake.writes();
    await save(lines.slice(0, 20));
    for (const run of [engine.preview(program()), engine.up(program())]) {
      assertOne(
        await run,
        /20 of the last run's 40 contacts left it and would be unsubscribed for good, and at most 10 may leave in one run. If that is meant, set maxRemovals: 20/,
      );
    }
    await save([]);
    assertOne(await engine.up(program({ maxRemovals: 40 })), /holds no contact/);
    expect(fake.writes()).toEqual([]);
    await save(lines.slice(0, 38));
    const { told } = await engine.preview(program());
    expect(told.join()).toMatch(
      /0 new, 0 changed, 38 unchanged, 2 leaving, who would be unsubscribed for good/,
    );
    const ended = await engine.up(program());
    expect([ended.errors, fake.writes()]).toEqual([
      [],
      ['PUT /v1/contacts/p38@x.io {"subscribed":false}', 'PUT /v1/contacts/p39@x.io {"subscribed":false}'],
    ]);
  });
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
