import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { described, KNOWN, readFile, readSource } from '../../testing/read-file.js';
import type { Code } from '../messages/index.js';
import { inputProblem, type Inputs } from '../resources/contacts/inputs.js';

const csvOf = (rows: readonly string[], header = 'email,seats'): string =>
  `${[header, ...rows].join('\n')}\n`;
const people = (count: number, seats: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => `person-${index}@x.io,${seats(index)}`);
const [ADA, BOB, EVE] = ['ada@x.io', 'bob@x.io', 'eve@x.io'];

/** The declared rows of a file; its problems where it is refused. */
async function read(content: string, options: Inputs = {}): Promise<readonly string[]> {
  const { rows, problems } = await readFile(content, options);
  return problems.length > 0 ? problems : rows.map(described);
}

describe('a column about consent', () => {
  test.each<[string, string, string, string]>([
    ['yes for those who are out', 'EMAIL_BLACKLISTED', 'Yes', 'No'],
    ['yes for those who are in', 'Accepts Email Marketing', 'no', 'yes'],
    ['states', 'Email Marketing Consent', 'UNSUBSCRIBED', 'SUBSCRIBED'],
    ['a header that says nothing, and a cell that says no', 'type', 'unsubscribed', 'regular'],
  ])('is asked about: %s', async (_title, header, out, fine) => {
    const content = csvOf([`${ADA},${out}`, `${BOB},${fine}`], `email,${header}`);
    const asked = `consent.question ${header} ''${out}', '${fine}''`;
    expect(await read(content)).toContain(asked);
    // Neither leaving it out nor mapping it to a property is an answer.
    expect(await read(content, { columns: { email: 'email' } })).toEqual([asked]);
    const columns = { email: 'email', [header]: 'planName' };
    expect(await read(content, { columns })).toEqual([asked]);
    expect(await read(content, { unsubscribed: { [header]: [out] } })).toEqual([`! ${ADA}`, BOB]);
    expect(await read(content, { columns: { email: 'email', [header]: null } })).toEqual([ADA, BOB]);
    expect(await read(content, { columns, unsubscribed: { [header]: [] } })).toEqual([
      `${ADA} planName=${out}`,
      `${BOB} planName=${fine}`,
    ]);
  });

  test('is asked about by its header, though its cells are names or map to one', async () => {
    const header = 'Unsubscribe Campaign Name';
    const content = csvOf([`${ADA},March`], `email,${header}`);
    const asked = `consent.question ${header} ''March''`;
    expect(await read(content)).toContain(asked);
    expect(await read(content, { columns: { email: 'email' } })).toEqual([asked]);
    expect(await read(content, { columns: { email: 'email', [header]: 'lastName' } })).toEqual([asked]);
    expect((await readFile(content)).error).not.toContain('Copy these inputs');
    const people = csvOf([`${ADA},unsubscribed`], 'email,firstName');
    expect(await read(people)).toEqual([`${ADA} firstName=unsubscribed`]);
  });

  test('maps to subscribed where yes means subscribed', async () => {
    const columns = { email: 'email', 'Accepts Marketing': 'subscribed' };
    const content = csvOf([`${ADA},no`, `${BOB},yes`], 'email,Accepts Marketing');
    expect(await read(content, { columns })).toEqual([`! ${ADA}`, BOB]);
  });

  test.each([
    ['a word of a state', 'cleaned', 'Status', 'unsubscribed'],
    ['a no in a column of consent', 'false', 'GDPR consent', 'no'],
    ['a date in a column of opt-outs', '2026-01-05', 'Opted out', 'yes'],
  ])('refuses a text that comes later: %s', async (_title, text, header, listed) => {
    const options = { unsubscribed: { [header]: [listed] } };
    expect(await read(csvOf([`${ADA},${text}`], `email,${header}`), options)).toEqual([
      `consent.unlisted ${header} ''${text}''`,
    ]);
  });

  test('of states of an account asks nothing: they do not say that somebody wants no mail', async () => {
    const states = ['inactive', 'disabled', 'cancelled'].map((state, index) => `p${index}@x.io,${state}`);
    expect(await read(csvOf(states, 'email,planName'))).toHaveLength(3);
  });

  test('has texts of any case, booleans and numbers as JSON writes them, and * for all', async () => {
    const cells = [true, false, ' TRUE ', null];
    const content = JSON.stringify(cells.map((out, index) => ({ email: `p${index}@x.io`, out })));
    const declared = ['! p0@x.io', 'p1@x.io', '! p2@x.io', 'p3@x.io'];
    expect(await read(content, { unsubscribed: { Out: ['true'] } })).toEqual(declared);
    const times = csvOf([`${ADA},2026-01-05`, `${BOB},`, `${EVE},1`], 'email,UNSUB_TIME');
    const out = [`! ${ADA}`, BOB, `! ${EVE}`];
    expect(await read(times, { unsubscribed: { 'unsub time': ['*'] } })).toEqual(out);
    const all = { columns: { email: 'email' }, unsubscribed: true };
    expect(await read(times, all)).toEqual([`! ${ADA}`, `! ${BOB}`, `! ${EVE}`]);
  });

  test('has to be there if the program names it', async () => {
    expect(await read(csvOf([`${ADA},1`]), { unsubscribed: { Status: ['cleaned'] } })).toEqual([
      'header.missing Status email, seats',
    ]);
  });

  test('shows no address in a message', async () => {
    const { error } = await readFile(csvOf([`${ADA},${BOB}`], 'email,Unsubscribed by'));
    expect(error).toContain('holds an address');
    expect(error).not.toContain(BOB);
    const unsubscribed = { 'Unsubscribed by': ['me'] };
    const later = await readFile(csvOf([`${ADA},${BOB}`], 'email,Unsubscribed by'), { unsubscribed });
    expect(later.problems).toEqual(["consent.unlisted Unsubscribed by 'an address'"]);
    expect(later.error).not.toContain(BOB);
  });

  test('is never mapped by a text to copy that has a word which only a person can judge', async () => {
    const { problems, error } = await readFile(csvOf([`${ADA},cleaned`, `${BOB},gone`], 'email,Status'));
    expect(problems).toContain("consent.question Status ''cleaned', 'gone''");
    expect(error).not.toContain('Copy these inputs');
  });
});

describe('the header', () => {
  test('is found below a title', async () => {
    const content = `Customers of 2026\n\nMade by Bob; with love\n"E-Mail";Vorname;Extra\n${ADA};Ada;x\n`;
    expect(await read(content)).toEqual(["header.row 'E-Mail'", 'header.unknown Vorname, Extra']);
    const columns = { 'e mail': 'email', VORNAME: 'firstName' };
    expect(await read(content, { headerRow: 4, columns })).toEqual([`${ADA} firstName=Ada`]);
  });

  test('that headerRow looks for below the last line is missing, and the file is not empty', async () => {
    expect(await read(csvOf([`${ADA},1`]), { headerRow: 9 })).toEqual(['file.empty (line 9)']);
  });

  test.each([
    [{ 'First Name': 'firstName', EMAIL: 'email' }, 'email,First name'],
    [{ first_name: 'firstName', 'E-Mail': 'email' }, 'e_mail,FirstName'],
  ])('is compared without case, blanks, - and _: %j', async (columns, header) => {
    expect(await read(csvOf([`${ADA},Ada`], header), { columns })).toEqual([`${ADA} firstName=Ada`]);
  });

  test.each([
    ['createdAt,userId,x', { createdAt: 'createdAt' }, "columns.field createdAt 'createdAt'"],
    ['email,id', { email: 'email', id: 'id' }, "columns.field id 'id'"],
  ])('never maps to what the service sets by itself: %s', async (header, columns, problem) => {
    expect(await read(csvOf([], header), { columns })).toContain(problem);
    const types = new Map([...KNOWN.types, ['createdAt', 'date'] as const]);
    const { problems } = await readFile(csvOf([], 'email,createdAt'), {}, { ...KNOWN, types });
    expect(problems).toEqual(['header.unknown createdAt']);
  });

  test('with 50,000 columns is told in a short text', async () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `Column ${index}`);
    const { problems, error } = await readFile(
      csvOf([`${ADA}${','.repeat(50_000)}`], ['email', ...names].join()),
    );
    expect(problems[0]).toMatch(/^header.unknown Column 0, /);
    expect(error.length).toBeLessThan(1_000);
  });
});

describe('rows', () => {
  const skip = { invalidRows: 'skip' } as const;

  test('of one cause are one problem with a count, and the message has the way out', async () => {
    const { problems, error } = await readFile(csvOf(people(40, () => 'x')));
    expect(problems).toEqual(["reason @ line 2 +39 seats 'x'"]);
    expect(error).toMatch(/in line 3, line 4, .* line 11 and 30 more\.\n.*invalidRows: 'skip'.*--rejects/);
  });

  test('are numbered by lines, with line breaks in quotes, empty lines and sep=', async () => {
    const { problems, locations } = await readFile(
      'sep=,\r\nemail,notes,seats\r\n\r\na@x.io,"x\r\ny",1\r\nb@x.io,"x\ny",2\r\nc@x.io,,x\r\n',
    );
    expect(locations).toEqual(['line 5', 'line 7']);
    expect(problems[0]).toContain('@ line 8 seats');
  });

  test('are not needed to tell a faulty header, even where a later line is no CSV', async () => {
    expect(await read(`email,Plan\n${ADA},y\n${BOB},"x\n`)).toEqual(['header.unknown Plan']);
  });

  test('without an identifier are left out and counted, however many', async () => {
    const content = csvOf([`${ADA},1`, ',2', ',3', ',4']);
    const { error } = await readFile(content);
    expect(error).toContain('Copy these inputs, and check each line of them:\n  invalidRows: "skip",');
    const { rows, reading } = await readFile(content, skip);
    expect([rows.length, reading.withoutIdentifier, reading.skipped.length]).toEqual([1, 3, 0]);
    expect(reading.notes()).toHaveLength(2);
  });

  test('that are bad are skipped up to 5 %', async () => {
    const bad = (count: number): string => csvOf(people(100, (index) => (index < count ? 'x' : '1')));
    const { rows, reading } = await readFile(bad(5), skip);
    expect(rows).toHaveLength(95);
    expect(reading.skipped[0]).toEqual({ email: 'person-0@x.io' });
    expect(reading.notes()[1]).toBe('5 rows of 100 skipped:');
    expect((await readFile(bad(6), skip)).problems[0]).toBe('rows.invalid (100 rows)');
  });

  test.each([
    [
      'unknown columns',
      csvOf(
        people(40, () => '1'),
        'email,seatz',
      ),
    ],
    ['an open quote', csvOf([...people(40, () => '1'), `${ADA},"1`])],
  ])('are not skipped for %s', async (_title, content) => {
    expect((await readFile(content, skip)).error).not.toBe('');
  });

  test('have one identity in all forms of Unicode', async () => {
    const content = csvOf(['jose\u0301@x.io,Zoe\u0308'], 'email,firstName');
    expect(await read(content)).toEqual(['jos\u00E9@x.io firstName=Zo\u00EB']);
  });

  test.each([
    ['firstName', '#N/A'],
    ['planName', 'NULL'],
    ['seats', 'NaN'],
    ['signedUp', String.raw`\N`],
  ])('of which %s is %s are refused until it is listed', async (field, text) => {
    const content = csvOf([`${ADA},${text}`], `email,${field}`);
    const { problems, error } = await readFile(content);
    expect(problems).toEqual([`row.no-value @ line 2 ${field} '${text}'`]);
    expect(error).toContain('nullValues: [');
    expect(await read(content, { nullValues: [text] })).toEqual([ADA]);
  });
});

test('a long reading says how far it is every 30 seconds', async () => {
  const now = jest.spyOn(Date, 'now');
  let tens = 0;
  now.mockImplementation(() => (tens += 1) * 10_000);
  const told: number[] = [];
  await readFile(csvOf(people(10, () => '1')), {}, KNOWN, { onProgress: (rows) => told.push(rows) });
  now.mockRestore();
  expect(told).toEqual([3, 6, 9]);
});

test.each([
  [`email\n${ADA}`, false],
  [`email\r\n${ADA}\r\n`, true],
  [`{"email":"${ADA}"}`, false],
  [`[{"email":"${ADA}"}]`, undefined],
])('the line end at the end of %j is noted', async (content, expected) => {
  const { reading, error } = await readFile(content);
  expect({ error, end: reading.endsInLineEnd }).toEqual({ error: '', end: expected });
});

test('names that cannot be looked up are no fault, and their values are not judged', async () => {
  const known = { types: KNOWN.types, isComplete: false };
  const { rows, error } = await readFile(csvOf([`${ADA},x`], 'email,later'), {}, known);
  expect({ rows, error }).toEqual({ rows: [{ email: ADA, later: 'x' }], error: '' });
  const columns = { email: 'email', A: 'later', B: 'subscriptionGroups.later' };
  const options = { columns, dateFormat: { later: 'dd/MM/yyyy' } };
  expect((await readFile(csvOf([`${ADA},x,1`], 'email,A,B'), options, known)).error).toBe('');
});

describe('an array of the program', () => {
  test('is read by the same rules, and null clears', async () => {
    const contacts = [
      {
        email: ` ${ADA} `,
        firstName: null,
        userId: null,
        clear: ['lastName'],
        properties: { seats: 3, planName: '' },
      },
      { 'Email Address': BOB, onTrial: 'yes', signedUp: new Date('2024-01-05') },
    ];
    const { rows, error, locations } = await readSource({ contacts });
    expect({ rows, error, locations }).toEqual({
      rows: [
        { email: ADA, firstName: null, lastName: null, seats: 3 },
        { email: BOB, onTrial: true, signedUp: 1704412800 },
      ],
      error: '',
      locations: ['contacts[0]', 'contacts[1]'],
    });
  });

  test.each([
    [{ subscribed: null }, 'row.not-clearable @ contacts[0] subscribed'],
    [{ clear: ['email'], email: undefined }, 'row.not-clearable @ contacts[0] email'],
    [{ clear: ['userId'] }, 'row.not-clearable @ contacts[0] userId'],
    [{ clear: ['seats'], properties: { seats: 3 } }, 'header.twice @ contacts[0] seats, seats'],
    [{ seats: 'hidden' }, 'reason @ contacts[0] seats'],
  ])('refuses %j and shows no value, as it may be a secret', async (fields, problem) => {
    const { problems } = await readSource({ contacts: [{ email: ADA, ...fields }] });
    expect(problems).toEqual([problem]);
  });

  test('asks nothing about consent, but does what the program says of it', async () => {
    const contacts = [
      { email: ADA, planName: 'Unsubscribed' },
      { email: BOB, planName: 'Pro' },
    ];
    expect((await readSource({ contacts })).rows).toEqual(contacts);
    const unsubscribed = { 'Plan Name': ['unsubscribed'] };
    const { rows } = await readSource({ contacts, unsubscribed });
    expect(rows).toEqual([{ ...contacts[0], subscribed: false }, contacts[1]]);
    const status = [{ email: ADA, Status: 'unsubscribed' }];
    const { rows: declared } = await readSource({
      contacts: status,
      unsubscribed: { Status: ['unsubscribed'] },
    });
    expect(declared).toEqual([{ email: ADA, subscribed: false }]);
    // A value of the program may be a secret.
    const later = await readSource({ contacts: status, unsubscribed: { Status: ['bounced'] } });
    expect(later.problems).toEqual(["consent.unlisted Status '1 other text'"]);
    expect(later.error).not.toContain("unsubscribed'");
  });

  test('reads a property called constructor', async () => {
    const known = { types: new Map([['constructor', 'string' as const]]), isComplete: true };
    const { rows } = await readSource({ contacts: [{ email: ADA, constructor: 'x' }] }, known);
    expect(rows).toEqual([{ email: ADA, constructor: 'x' }]);
  });
});

test('clear in a JSON file clears, as it does in a program', async () => {
  expect(await read(`{"email":"${ADA}","clear":["firstName"]}\n`)).toEqual([`${ADA} firstName:null`]);
});

test('the plan of a file says how many rows, from which columns, and which are left out', async () => {
  const columns = { Mail: 'email', Plan: 'planName' };
  const { reading } = await readFile(`Mail,Plan,Tags,Rating\n${ADA},Pro,x,5\n`, { columns });
  expect(reading.notes()).toEqual([
    "1 row read, with email ('Mail'), planName ('Plan').",
    "Columns that are not read: 'Tags', 'Rating'.",
  ]);
});

test('a file that cannot be opened is named', async () => {
  expect((await readSource({ file: 'nobody.csv' })).problems).toEqual(["file.missing 'ENOENT'"]);
  const folder = mkdtempSync(`${tmpdir()}/audience-`);
  expect((await readSource({ file: folder })).problems).toEqual(["file.unreadable 'EISDIR'"]);
  rmSync(folder, { recursive: true });
});

test.each<[Inputs, Code | undefined]>([
  [{ encoding: 'windows-1252' }, undefined],
  [{ columns: { A: null, B: null, C: '' } }, undefined],
  [{ dateFormat: { at: 'dd/MM/yyyy' } }, undefined],
  [{ dateFormat: { at: "d 'of' LLLL yy" } }, undefined],
  [{ columns: { 'Opt Out': 'subscribed' } }, 'contacts.noMail'],
  [{ encoding: 'latin-nine' }, 'text'],
  [{ dateFormat: { at: 'DD/MM/YYYY' } }, 'text'],
  [{ dateFormat: { at: 'dd/mm/yyyy' } }, 'text'],
  [{ dateFormat: { at: 'yyyy' } }, 'text'],
])('the options %j are judged: %s', (options, code) => {
  expect(inputProblem({ file: 'people.csv', ...options })?.code).toBe(code);
});
