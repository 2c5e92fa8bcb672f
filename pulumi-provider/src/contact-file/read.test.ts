import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { copied, described, KNOWN, readFile, readSource } from '../../testing/read-file.js';
import { fileText } from '../messages/files.js';
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

describe('consent', () => {
  const event = { createWithEvent: { eventName: 'joined' } };
  const status = { Status: { active: 'mail', left: 'no mail', pending: 'skip' } } as const;
  const columns = { email: 'email' };
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

  test('is printed once for headers that are equal but for case, with the texts of both', async () => {
    const rows = csvOf([`${ADA},in,`, `${BOB},,out`, `${EVE},-,in`], 'email,Status,STATUS');
    const options: Inputs = { ...event, columns, nullValues: ['-'] };
    const printed = copied((await readFile(rows, options)).error)?.['consent'];
    expect(printed).toEqual({ Status: { '': '?', in: '?', out: '?' } });
    const answers = { '': 'mail', in: 'mail', out: 'no mail' } as const;
    expect(await read(rows, { ...options, consent: { Status: answers } })).toEqual([ADA, `! ${BOB}`, EVE]);
  });

  test('shows at most twelve new texts, and stands for the others with *', async () => {
    const many = csvOf(
      people(20, (index) => `day ${index}`),
      'email,Left',
    );
    const { error } = await readFile(many, { columns, consent: { Left: { '': 'mail' } } });
    const printed = copied(error)?.['consent'];
    expect(printed).toMatchObject({ Left: { '': 'mail', 'day 0': '?', 'day 11': '?', '*': '?' } });
    expect(JSON.stringify(printed)).not.toContain('day 12');
  });

  test('of several columns: one no mail decides, then one skip', async () => {
    const both = csvOf(
      ['a@x.io,1,in', 'b@x.io,0,out', 'c@x.io,1,out', 'd@x.io,2,in', 'e@x.io,2,out'],
      'email,A,B',
    );
    const consent = {
      A: { '0': 'mail', '1': 'mail', '2': 'skip' },
      B: { in: 'mail', out: 'no mail' },
    } as const;
    expect(await read(both, { columns, consent })).toEqual(['a@x.io', '! b@x.io', '! c@x.io', '! e@x.io']);
  });

  test('has to name columns of the file', async () => {
    const { problems, error } = await readFile(content, { columns, consent: { State: { active: 'mail' } } });
    expect(problems).toEqual(['header.missing State email, Status']);
    expect(copied(error)?.['consent']).toEqual({ Status: { active: '?', LEFT: '?', Pending: '?' } });
  });

  test.each([
    ['Plan', { Status: { active: 'mail', '': '?' }, Plan: { no: '?', yes: '?' } }],
    ['Mail', '?'],
  ])(
    'keeps its answers where another column is missing, and asks for %s beside them',
    async (name, printed) => {
      const next = csvOf(
        [`${ADA},active,no`, `${BOB},,${name === 'Plan' ? 'yes' : EVE}`],
        `email,Status,${name}`,
      );
      const consent = { Status: { active: 'mail' }, 'Opt Out': { '': 'mail' } } as const;
      expect(copied((await readFile(next, { columns, consent })).error)?.['consent']).toEqual(printed);
    },
  );

  test('reads a column for consent and as a property', async () => {
    const both = { columns: { email: 'email', Status: 'planName' }, consent: status };
    expect(await read(content, both)).toEqual([`${ADA} planName=active`, `! ${BOB} planName=LEFT`]);
  });

  test('names no field: a column of names can say it', async () => {
    expect(
      await read(csvOf([`${ADA},out`], 'email,First Name'), {
        consent: { 'First Name': { out: 'no mail' } },
      }),
    ).toEqual([`! ${ADA} firstName=out`]);
  });

  test('shows no address in a message', async () => {
    const { error } = await readFile(csvOf([`${ADA},${BOB}`], 'email,Unsubscribed by'), {
      ...event,
      columns,
    });
    expect(error).not.toContain(BOB);
    expect(copied(error)?.['consent']).toBe('?');
    expect(error).toContain("'Unsubscribed by' has many texts.");
    const later = await readFile(csvOf([`${ADA},${BOB}`], 'email,By'), {
      columns,
      consent: { By: { '': 'mail' } },
    });
    expect(later.problems).toEqual(['consent.unanswered By "*":1']);
    expect(later.error).not.toContain(BOB);
  });

  test('is asked for with columns that have many texts, and nothing is proposed', async () => {
    const many = csvOf(
      people(13, (index) => `2026-01-${10 + index}`),
      'email,Left on',
    );
    const { error } = await readFile(many, { ...event, columns });
    expect(copied(error)?.['consent']).toBe('?');
    expect(error).toContain('"Left on": {"": "?", "*": "?"}');
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
    ['createdAt,userId,x', { createdAt: 'createdAt' }, "columns.field createdAt 'createdAt'"],
    ['email,id', { email: 'email', id: 'id' }, "columns.field id 'id'"],
  ])('never maps to a built-in property that no call sets: %s', async (header, columns, problem) => {
    expect(await read(csvOf([], header), { columns })).toContain(problem);
    const types = new Map([...KNOWN.types, ['createdAt', 'date'] as const]);
    const { problems } = await readFile(csvOf([], 'email,createdAt'), {}, { ...KNOWN, types });
    expect(problems).toEqual(['header.unknown createdAt']);
  });

  test('with 50,000 columns gets a short message', async () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `Column ${index}`);
    const { problems, error } = await readFile(
      csvOf([`${ADA}${','.repeat(50_000)}`], ['email', ...names].join()),
    );
    expect(problems[0]).toMatch(/^header.unknown Column 0, /);
    expect(error.length).toBeLessThan(1_000);
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
    ]);
  });

  test('have one identity in all forms of Unicode', async () => {
    const content = csvOf(['jose\u0301@x.io,Zoe\u0308'], 'email,firstName');
    expect(await read(content)).toEqual(['jos\u00E9@x.io firstName=Zo\u00EB']);
  });
});

test('names that cannot be looked up are no fault, and their values are not judged', async () => {
  const known = { types: KNOWN.types, isComplete: false };
  const { rows, error } = await readFile(csvOf([`${ADA},x`], 'email,later'), {}, known);
  expect({ rows, error }).toEqual({ rows: [{ email: ADA, later: 'x' }], error: '' });
  const columns = { email: 'email', A: 'later', B: 'subscriptionGroups.later' };
  const options = { columns, dateFormat: { later: 'dd/MM/yyyy' }, consent: 'mail' } as const;
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
    [{ seats: 'hidden' }, 'row.value @ contacts[0] seats'],
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
  const columns = { Mail: 'email', Plan: 'planName' };
  const rows = [`${ADA},Pro,${BOB},left`, `${BOB},Pro,,`, `${EVE},Pro,,left`];
  const { reading } = await readFile(csvOf(rows, 'Mail,Plan,Owner,Status'), { columns });
  expect(reading.notes.map(fileText)).toEqual([
    "3 rows read, with email ('Mail'), planName ('Plan').",
    "Columns that are not read: 'Owner', 'Status' ('left' (2), '' (1)).",
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
  [{ consent: { Status: { Yes: 'mail', No: 'no mail' } } }, undefined],
  [{ consent: { Status: { Yes: 'mail', 'yes ': 'mail', no: 'no mail' } } }, undefined],
  [{ consent: { Status: { Yes: 'mail', 'yes ': 'no mail' } } }, 'contacts.consentTwice'],
  [{ consent: { 'Opt-in': { yes: 'mail' }, opt_in: { yes: 'mail' } } }, 'contacts.consentTwice'],
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
