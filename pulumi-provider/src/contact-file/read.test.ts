import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { copied, described, KNOWN, readFile, readSource } from '../../testing/read-file.js';
import { fileText } from '../messages/files.js';
import type { Code } from '../messages/index.js';
import { inputProblem, inputsSchema, type Inputs } from '../resources/contacts/inputs.js';

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

describe('consent', () => {
  const event = { createWithEvent: { eventName: 'joined' } };
  const status = { Status: { active: 'mail', left: 'no mail', pending: 'skip' } } as const;
  const columns = { Status: '' };
  const content = csvOf([`${ADA},active`, `${BOB},LEFT `, `${EVE},Pending`], 'email,Status');

  test('is needed by a file that causes mail, and the message has its texts to answer', async () => {
    const asked = await readFile(content, { ...event, columns });
    expect(asked.problems).toEqual(['consent.needed']);
    expect(copied(asked.error)).toMatchObject({
      columns,
      consent: { Status: { active: '?', LEFT: '?', Pending: '?' } },
    });
    const group = { columns: { email: 'email', Status: 'subscriptionGroups.grp_news' } };
    expect(await read(csvOf([`${ADA},yes`], 'email,Status'), group)).toEqual(['consent.needed']);
    expect(await read(content, { ...event, columns, consent: {} })).toEqual(['consent.needed']);
    expect(await read(content, { columns })).toEqual([ADA, BOB, EVE]);
    expect((await readSource({ contacts: [{ email: ADA }], ...event })).problems).toEqual([]);
  });

  test('answers each text, without regard to case and blanks around it', async () => {
    const { rows, skipped } = await readFile(content, { columns, consent: status });
    expect(rows.map(described)).toEqual([ADA, `! ${BOB}`]);
    expect(skipped).toEqual([{ email: EVE, userId: undefined }]);
  });

  test.each<[Inputs['consent'], readonly string[]]>([
    ['mail', [ADA, BOB, EVE]],
    ['no mail', [`! ${ADA}`, `! ${BOB}`, `! ${EVE}`]],
    [{ status: { active: 'mail', '*': 'no mail' } }, [ADA, `! ${BOB}`, `! ${EVE}`]],
  ])('can be %j', async (consent, expected) => {
    expect(await read(content, { columns, consent })).toEqual(expected);
  });

  test.each<[string, string, Inputs, string]>([
    ['a new text', 'complained', {}, '"complained":1'],
    ['an empty cell', '', {}, '"":1'],
    ['a text of nullValues', 'none', { nullValues: ['none'] }, '"":1'],
    ['an empty cell beside *', '', { consent: { Status: { '*': 'no mail' } } }, '"":1'],
  ])('has to answer %s', async (_title, text, options, unanswered) => {
    const next = csvOf([`${ADA},active`, `${BOB},${text}`], 'email,Status');
    const { problems, error } = await readFile(next, { columns, consent: status, ...options });
    expect(problems).toEqual([`consent.unanswered Status ${unanswered}`]);
    expect(copied(error)).toMatchObject({ consent: { Status: { [text === 'none' ? '' : text]: '?' } } });
  });

  test.each([
    ['all texts', undefined],
    ['new texts', { Status: { out: 'no mail' } } as const],
  ])('asks once for texts that are compared as equal: %s', async (_title, consent) => {
    const rows = [`${ADA},Yes`, `${BOB},yes`, `${EVE},YES `, 'tom@x.io,out'];
    const { error } = await readFile(csvOf(rows, 'email,Status'), { ...event, columns, consent });
    const out = consent === undefined ? '?' : 'no mail';
    expect(copied(error)?.['consent']).toEqual({ Status: { Yes: '?', out } });
  });

  test('is printed as JSON that is TypeScript and YAML as well, whatever header and texts are', async () => {
    const [header, texts] = ['a: "b" #c\\d\'', ['null', '~', 'true', '0x1', '- x', '{y}', '\u2028', '*z']];
    const rows = texts.map((text, index) => `p${index}@x.io,"${text}"`);
    const content = csvOf(rows, `email,"${header.replaceAll('"', '""')}"`);
    const { error } = await readFile(content, { ...event, columns: { email: 'email' } });
    const blanks = Object.fromEntries(texts.map((text) => [text.trim(), '?']));
    expect(copied(error)?.['consent']).toEqual({ [header]: blanks });
  });

  test('shows at most twenty new texts, and stands for the others with *', async () => {
    const many = csvOf(
      people(30, (index) => `day ${index}`),
      'email,Left',
    );
    const { error } = await readFile(many, { columns, consent: { Left: { '': 'mail' } } });
    const printed = copied(error)?.['consent'];
    expect(printed).toMatchObject({ Left: { '': 'mail', 'day 0': '?', 'day 19': '?', '*': '?' } });
    expect(JSON.stringify(printed)).not.toContain('day 20');
  });

  test('of several columns: one no mail decides, then one skip', async () => {
    const consent = {
      A: { '0': 'mail', '1': 'mail', '2': 'skip' },
      B: { in: 'mail', out: 'no mail', held: 'skip' },
    } as const;
    const both = csvOf(
      ['a@x.io,1,in', 'b@x.io,0,out', 'c@x.io,1,out', 'd@x.io,2,in', 'e@x.io,2,out', 'f@x.io,1,held'],
      'email,A,B',
    );
    expect(await read(both, { consent })).toEqual(['a@x.io', '! b@x.io', '! c@x.io', '! e@x.io']);
  });

  test('has to name columns of the file', async () => {
    const { problems, error } = await readFile(content, { columns, consent: { State: { active: 'mail' } } });
    expect(problems).toEqual(['header.missing State email, Status']);
    expect(copied(error)?.['consent']).toEqual({ Status: { active: '?', LEFT: '?', Pending: '?' } });
  });

  test('keeps its answers where another column is missing, and asks for the others beside them', async () => {
    const next = csvOf([`${ADA},active,no`, `${BOB},,yes`], 'email,Status,Plan');
    const consent = { Status: { active: 'mail' }, 'Opt Out': { '': 'mail' } } as const;
    const { error } = await readFile(next, { columns: { Plan: '' }, consent });
    expect(copied(error)?.['consent']).toEqual({
      Status: { active: 'mail', '': '?' },
      Plan: { no: '?', yes: '?' },
    });
  });

  test('reads a column for consent and as a property', async () => {
    const both = { columns: { email: 'email', Status: 'planName' }, consent: status };
    expect(await read(content, both)).toEqual([`${ADA} planName=active`, `! ${BOB} planName=LEFT`]);
  });

  test('names no field: a column of names can say it', async () => {
    expect(
      await read(csvOf([`${ADA},out`], 'email,First Name'), {
        columns: { 'First Name': 'firstName' },
        consent: { 'First Name': { out: 'no mail' } },
      }),
    ).toEqual([`! ${ADA} firstName=out`]);
  });

  test('shows no address in a message, and offers the empty cell and all other texts', async () => {
    const by = csvOf([`${ADA},${BOB}`], 'email,Unsubscribed by');
    const { error } = await readFile(by, event);
    expect(error).not.toContain(BOB);
    expect(copied(error)).toMatchObject({
      columns: { 'Unsubscribed by': '' },
      consent: { 'Unsubscribed by': { '': '?', '*': '?' } },
    });
    const later = await readFile(by, { consent: { 'Unsubscribed by': { '': 'mail' } } });
    expect(later.problems).toEqual(['consent.unanswered Unsubscribed by "*":1']);
    expect(later.error).not.toContain(BOB);
  });

  test('offers the shortest columns where each has many texts', async () => {
    const rows = people(21, (index) => [1, 2, 3, 4].map((width) => `${index}`.repeat(width)).join());
    const { error } = await readFile(csvOf(rows, 'email,a,b,c,d'), event);
    const any = { '': '?', '*': '?' };
    expect(copied(error)?.['consent']).toEqual({ a: any, b: any, c: any });
  });

  test('asks for a column that is empty today, and keeps "no mail" for all beside a new column', async () => {
    const content = csvOf([`${ADA},in,`], 'email,Status,Left');
    const { error } = await readFile(content, event);
    expect(copied(error)?.['consent']).toEqual({ Status: { in: '?' }, Left: { '': '?' } });
    const all = await readFile(content, { ...event, columns, consent: 'no mail' });
    expect(all.problems).toEqual(['header.undecided Left']);
    expect(copied(all.error)).toMatchObject({ columns: { Left: '' }, consent: 'no mail' });
  });
});

test('no word has a meaning: a file in nonsense words gives the same writes', async () => {
  const answers = {
    Unsubscribed: 'no mail',
    'Consent missing': 'no mail',
    Active: 'mail',
    'Opted out': 'mail',
    no: 'skip',
  } as const;
  const nonsense = (text: string): string =>
    text.replaceAll(/[a-z]/gi, (letter) =>
      String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)),
    );
  for (const words of [String, nonsense]) {
    const header = words('Opt-out');
    const said = Object.entries(answers).map(([text, answer]) => [words(text), answer] as const);
    const rows = said.map(([text], index) => `p${index}@x.io,${text}`);
    const options: Inputs = {
      columns: { email: 'email' },
      consent: { [header]: Object.fromEntries(said) },
    };
    const expected = ['! p0@x.io', '! p1@x.io', 'p2@x.io', 'p3@x.io'];
    expect(await read(csvOf(rows, `email,${header}`), options)).toEqual(expected);
  }
});

describe('the header', () => {
  test.each([
    [{ 'First Name': 'firstName', EMAIL: 'email' }, 'email,First name'],
    [{ first_name: 'firstName', 'E-Mail': 'email' }, 'e_mail,FirstName'],
  ])('is compared without case, blanks, - and _: %j', async (columns, header) => {
    expect(await read(csvOf([`${ADA},Ada`], header), { columns })).toEqual([`${ADA} firstName=Ada`]);
  });

  test.each([
    ['createdAt,userId,x', { createdAt: 'createdAt' }, "columns.reserved createdAt 'createdAt'"],
    ['email,id', { email: 'email', id: 'id' }, "columns.reserved id 'id'"],
  ])('never maps to a built-in property that no call sets: %s', async (header, columns, problem) => {
    expect(await read(csvOf([], header), { columns })).toContain(problem);
    const types = new Map([...KNOWN.types, ['createdAt', 'date'] as const]);
    const { problems } = await readFile(csvOf([], 'email,createdAt'), {}, { ...KNOWN, types });
    expect(problems).toEqual(['header.undecided createdAt']);
  });

  test('with 900 columns gets a short message above the inputs', async () => {
    const names = Array.from({ length: 900 }, (_, index) => `Column ${index}`);
    const { problems, error } = await readFile(csvOf([ADA], ['email', ...names].join()));
    expect(problems[0]).toMatch(/^header.undecided Column 0, /);
    expect(error.slice(0, error.indexOf('{')).length).toBeLessThan(1_000);
  });

  test('is copied whole: fields that are certain, and an empty text or a blank for the others', async () => {
    const header = 'E-Mail,first_name,Plan Name,Seats,seats!,Notes';
    const columns = { 'E-Mail': 'email', first_name: 'firstName', 'Plan Name': 'planName' };
    const { problems, error } = await readFile(csvOf([`${ADA},Ada,Pro,1,2,x`], header), {});
    expect(problems).toEqual([`header.no-identifier ${header.replaceAll(',', ', ')}`]);
    const printed = { ...columns, Seats: 'seats', 'seats!': '', Notes: 'notes' };
    expect(copied(error)?.['columns']).toEqual(printed);
    const unknown = await readFile(csvOf([`${ADA},Ada`], 'Mail,First Name'));
    expect(copied(unknown.error)?.['columns']).toEqual({ Mail: '?', 'First Name': 'firstName' });
    const two = await readFile(csvOf([`${ADA},${BOB},x`], 'Email Address,E-Mail,Rest'));
    expect(copied(two.error)?.['columns']).toEqual({ 'Email Address': '?', 'E-Mail': '?', Rest: '' });
  });

  test('keeps what the program says, but not what is refused', async () => {
    const columns = { Mail: 'email', Plan: 'plan', Born: 'createdAt', Old: '' };
    const { error } = await readFile(csvOf([`${ADA},Pro,1,x`], 'Mail,Plan,Born,New'), { columns });
    expect(copied(error)?.['columns']).toEqual({ Mail: 'email', Plan: '', Born: '', New: '' });
  });
});

describe('rows', () => {
  test('of one cause are one problem with a count, and the first lines', async () => {
    const { problems, error } = await readFile(csvOf(people(40, () => 'x')));
    expect(problems).toEqual(["row.value @ line 2 +39 seats 'x'"]);
    expect(error).toMatch(/in line 3, line 4, .* line 11 and 30 more\.$/);
  });

  test('are numbered by lines, with line breaks in quotes, empty lines and sep=', async () => {
    const { problems, locations } = await readFile(
      'sep=,\r\nemail,notes,seats\r\n\r\na@x.io,"x\r\ny",1\r\nb@x.io,"x\ny",2\r\nc@x.io,,x\r\n',
    );
    expect(locations).toEqual(['line 5', 'line 7']);
    expect(problems[0]).toContain('@ line 8 seats');
  });

  test('are CSV to their end: else only that is said', async () => {
    expect(await read(`email,Plan\n${ADA},y\n${BOB},"x\n`)).toEqual(['file.quote-open @ line 3']);
  });

  test('without an identifier are left out and counted, however many', async () => {
    const content = csvOf([`${ADA},1`, ',2', ',3', ',4']);
    const { rows, reading } = await readFile(content);
    expect(rows).toHaveLength(1);
    expect(reading.notes.map(({ code, count }) => [code, count])).toEqual([
      ['note.read', 1],
      ['note.no-identifier', 3],
      ['note.no-consent', undefined],
    ]);
  });

  test('have one identity in all forms of Unicode', async () => {
    const content = csvOf(['jose\u0301@x.io,Zoe\u0308'], 'email,firstName');
    expect(await read(content)).toEqual(['jos\u00E9@x.io firstName=Zo\u00EB']);
  });
});

test('where the properties are not known, a header is asked about, and a name in columns is not judged', async () => {
  const known = { types: new Map(), isComplete: false };
  const content = csvOf([`${ADA},x,1`], 'email,A,B');
  const { problems, error } = await readFile(content, {}, known);
  expect(problems).toEqual(['header.undecided A, B']);
  expect(copied(error)?.['columns']).toEqual({ email: 'email', A: '', B: '' });
  const columns = { A: 'later', B: 'subscriptionGroups.later' };
  const options = { columns, dateFormat: { later: 'dd/MM/yyyy' }, consent: 'mail' } as const;
  expect((await readFile(content, options, known)).error).toBe('');
  const { rows } = await readSource({ contacts: [{ email: ADA, later: 'x' }] }, known);
  expect(rows).toEqual([{ email: ADA, later: 'x' }]);
});

test('texts of emails that are no address are offered as nullValues, which leave their rows out', async () => {
  const content = csvOf([`${ADA},1`, 'Total,5', 'n/a,2']);
  const { problems, error } = await readFile(content);
  expect(problems).toEqual(["row.value @ line 3 email 'Total'", "row.placeholder @ line 4 email 'n/a'"]);
  const { nullValues } = inputsSchema.parse(copied(error));
  expect(nullValues).toEqual(['Total', 'n/a']);
  expect(await read(content, { nullValues })).toEqual([`${ADA} seats:1`]);
  const many = people(21, () => '1').map((row) => row.replace('@', ' at '));
  expect(copied((await readFile(csvOf(many))).error)).toBeUndefined();
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
      { email: BOB, onTrial: 'yes', signedUp: new Date('2024-01-05') },
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
    [{ clear: ['seats'], properties: { seats: 3 } }, 'row.twice @ contacts[0] seats'],
    [{ seats: 'hidden' }, 'row.value @ contacts[0] seats'],
    [{ userId: 42 }, 'row.value @ contacts[0] userId'],
    [{ email: undefined, firstName: 'Ada' }, 'row.no-identifier @ contacts[0]'],
    [{ plan: 'Pro' }, 'array.unknown plan'],
    [{ createdAt: 1 }, 'array.unknown createdAt'],
  ])('refuses %j and shows no value, as it may be a secret', async (fields, problem) => {
    const { problems } = await readSource({ contacts: [{ email: ADA, ...fields }] });
    expect(problems).toEqual([problem]);
  });

  test('can say in a name who wants mail', async () => {
    const contacts = ['in', 'out', undefined].map((Mail, index) => ({ email: `p${index}@x.io`, Mail }));
    const consent = { Mail: { in: 'mail', out: 'no mail', '': 'skip' } } as const;
    const { rows, skipped, problems } = await readSource({ contacts, consent });
    expect(problems).toEqual([]);
    expect(rows.map(described)).toEqual(['p0@x.io', '! p1@x.io']);
    expect(skipped).toEqual([{ email: 'p2@x.io', userId: undefined }]);
  });

  test('reads a property called constructor', async () => {
    const known = { types: new Map([['constructor', 'string' as const]]), isComplete: true };
    const { rows } = await readSource({ contacts: [{ email: ADA, constructor: 'x' }] }, known);
    expect(rows).toEqual([{ email: ADA, constructor: 'x' }]);
  });
});

test('the plan of a file says how many rows, from which columns, and which are left out', async () => {
  const options: Inputs = {
    columns: { Mail: 'email', Plan: 'planName' },
    consent: { Status: { left: 'no mail', '': 'mail', asked: 'skip' } },
  };
  const rows = [`${ADA},Pro,left`, `${BOB},Pro,`, `${EVE},Pro,asked`, ',Pro,'];
  const { reading } = await readFile(csvOf(rows, 'Mail,Plan,Status'), options);
  expect(reading.notes.map(fileText)).toEqual([
    "2 rows read, with email ('Mail'), planName ('Plan').",
    "1 row with 'no mail'.",
    "1 row left out by 'skip' in consent.",
    '1 row without an email and a userId left out.',
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
  [{ columns: { A: '', B: '' } }, undefined],
  [{ columns: { 'E-Mail': 'email', email: '' } }, 'contacts.equal'],
  [{ consent: { Status: { '*': 'mail' } } }, 'text'],
  [{ consent: { Status: { '*': 'skip' } } }, undefined],
  [{ dateFormat: { at: 'dd/MM/yyyy' } }, undefined],
  [{ dateFormat: { at: "d 'of' LLLL yy" } }, undefined],
  [{ consent: { Status: { Yes: 'mail', No: 'no mail' } } }, undefined],
  [{ consent: { Status: { Yes: 'mail', 'yes ': 'mail', no: 'no mail' } } }, 'contacts.equal'],
  [{ consent: { Status: { Yes: 'mail', 'yes ': 'no mail' } } }, 'contacts.equal'],
  [{ consent: { 'Opt-in': { yes: 'mail' }, opt_in: { yes: 'mail' } } }, 'contacts.equal'],
  [{ file: undefined, contacts: [], consent: 'mail' }, undefined],
  [{ encoding: 'latin-nine' }, 'text'],
  [{ dateFormat: { at: 'DD/MM/YYYY' } }, 'text'],
  [{ dateFormat: { at: 'dd/mm/yyyy' } }, 'text'],
  [{ dateFormat: { at: 'yyyy' } }, 'text'],
])('the options %j are judged: %s', (options, code) => {
  expect(inputProblem({ file: 'people.csv', ...options })?.code).toBe(code);
});

test.each([true, '?', 'skip', { Status: ['left'] }, { Status: { left: '?' } }, { Status: { left: true } }])(
  'consent %j is refused',
  (consent) => {
    expect(inputProblem({ file: 'people.csv', consent })?.code).toBe('text');
  },
);
