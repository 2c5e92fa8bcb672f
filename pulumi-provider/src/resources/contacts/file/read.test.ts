import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { KNOWN, readFile, readSource } from '../../../../testing/read-file.js';
import { optionProblem } from './options.js';

const csvOf = (rows: readonly string[], header = 'email,seats'): string =>
  `${[header, ...rows].join('\n')}\n`;
const people = (count: number, seats: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => `person-${index}@example.com,${seats(index)}`);

describe('one message for one cause', () => {
  test('a wrong value is told at its line, at most five times, then counted', async () => {
    const { error } = await readFile(csvOf(people(9, () => 'x')));
    expect(error).toBe(
      "'FILE', line 2: seats 'x' must be a number, such as 42 or -3.5. The same in lines 3, 4, 5, 6 and 4 more.",
    );
  });

  test('faults of the same kind in two columns are two messages', async () => {
    const { error } = await readFile(csvOf(['ada@example.com,x,y'], 'email,seats,onTrial'));
    expect(error.split('\n')).toHaveLength(2);
  });

  test('at most five kinds of faults are told', async () => {
    const header = ['email', ...Array.from({ length: 8 }, (_, index) => `n${index}`)];
    const types = new Map(header.slice(1).map((name) => [name, 'number' as const]));
    const row = ['ada@example.com', ...header.slice(1).map(() => 'x')];
    const { error } = await readFile(csvOf([row.join()], header.join()), {}, { types, isComplete: true });
    expect(error.split('\n')).toHaveLength(6);
    expect(error).toContain("'FILE': 3 more kinds of faults.");
  });

  test('the number of a line counts line breaks in quotes, empty lines and sep=', async () => {
    const { error, locations } = await readFile(
      'sep=,\r\nemail,notes,seats\r\n\r\na@example.com,"x\r\ny",1\r\nb@example.com,"x\ny",2\r\nc@example.com,,x\r\n',
    );
    expect(locations).toEqual(['line 5', 'line 7']);
    expect(error).toContain('line 8: seats');
  });

  test('a faulty header is told even where a later line is no CSV', async () => {
    const { error } = await readFile('email,Plan\nada@example.com,y\nbob@example.com,"x\n');
    expect(error).toContain("'Plan' (near 'planName')");
  });

  test('a long value is cut in a message', async () => {
    const { error } = await readFile(csvOf([`ada@example.com,${'x'.repeat(100)}`]));
    expect(error).toContain(`seats '${'x'.repeat(40)}' must be`);
  });
});

describe('invalidRows: skip', () => {
  const source = { invalidRows: 'skip' } as const;

  test('skips up to 5 % of the rows, and says which and why', async () => {
    const { rows, error, reading } = await readFile(
      csvOf(people(100, (index) => (index < 5 ? 'x' : '1'))),
      source,
    );
    expect(error).toBe('');
    expect(rows).toHaveLength(95);
    expect(reading.skipped[0]).toEqual({ location: 'line 2', email: 'person-0@example.com' });
    expect(reading.notes().slice(1).join('\n')).toMatch(
      /^5 of 100 rows are skipped:\n.*line 2: seats 'x' must be a number.*in lines 3, 4, 5, 6\.$/,
    );
  });

  test('refuses more than 5 %', async () => {
    const { error } = await readFile(csvOf(people(100, (index) => (index < 6 ? 'x' : '1'))), source);
    expect(error).toMatch(/^'FILE': 6 of 100 rows are invalid, and 5 % may be\./);
    expect(error).toContain("line 2: seats 'x' must be");
  });

  test.each([
    ['unknown columns', `email,seatz\n${people(40, () => '1').join('\n')}`],
    ['an open quote', csvOf([...people(40, () => '1'), 'ada@example.com,"1'])],
  ])('does not skip %s', async (_title, content) => {
    expect((await readFile(content, source)).error).not.toBe('');
  });
});

describe('the line end at the end of a file', () => {
  test.each([
    ['email\nada@example.com', false],
    ['email\nada@example.com\n', true],
    ['email\r\nada@example.com\r\n', true],
    ['{"email":"ada@example.com"}', false],
    ['[{"email":"ada@example.com"}]', undefined],
  ])('is noted of %p', async (content, expected) => {
    const { reading, error } = await readFile(content);
    expect({ error, end: reading.endsInLineEnd }).toEqual({ error: '', end: expected });
  });
});

describe('names that cannot be looked up', () => {
  const known = { types: KNOWN.types, isComplete: false };

  test('a column of such a name is a text, and is not refused', async () => {
    const { rows, error } = await readFile(csvOf(['ada@example.com,x'], 'email,later'), {}, known);
    expect({ rows, error }).toEqual({ rows: [{ email: 'ada@example.com', later: 'x' }], error: '' });
  });

  test('a field of columns, a group and a dateFormat are not refused either', async () => {
    const { error } = await readFile(
      csvOf(['ada@example.com,x,1'], 'email,A,B'),
      {
        columns: { email: 'email', A: 'later', B: 'subscriptionGroups.later' },
        dateFormat: { later: 'dd/MM/yyyy' },
      },
      known,
    );
    expect(error).toBe('');
  });
});

test('a field that the service lists as a property is still suggested, and subscribed is not', async () => {
  const types = new Map([...KNOWN.types, ['firstName', 'string'], ['subscribed', 'boolean']] as const);
  const { error } = await readFile(
    csvOf(['ada@example.com,Ada,no'], 'email,firstNme,Unsubscribed'),
    {},
    { types, isComplete: true },
  );
  expect(error).toContain(
    "'firstNme' (near 'firstName'), 'Unsubscribed'. Declare properties with ContactProperty, or say which columns to read: columns: { 'email': 'email', 'firstNme': 'firstName' }.",
  );
});

describe('an array of the program', () => {
  test('is read by the same rules, and null clears', async () => {
    const contacts = [
      {
        email: ' ada@example.com ',
        firstName: null,
        userId: null,
        clear: ['lastName'],
        properties: { seats: 3, planName: '' },
      },
      { 'Email Address': 'bob@example.com', onTrial: 'yes', signedUp: new Date('2024-01-05') },
    ];
    const { rows, error, locations } = await readSource({ contacts });
    expect({ rows, error, locations }).toEqual({
      rows: [
        { email: 'ada@example.com', firstName: null, lastName: null, seats: 3 },
        { email: 'bob@example.com', onTrial: true, signedUp: 1704412800 },
      ],
      error: '',
      locations: ['contacts[0]', 'contacts[1]'],
    });
  });

  test.each([
    [{ subscribed: null }, 'subscribed cannot be cleared: remove it.'],
    [{ clear: ['email'] }, 'email cannot be cleared: remove it.'],
    [{ clear: ['userId'], userId: 'u-1' }, 'userId cannot be cleared: remove it.'],
    [{ clear: ['subscribed'] }, 'subscribed cannot be cleared: remove it.'],
    [{ clear: ['seats'], properties: { seats: 3 } }, 'seats is there twice.'],
  ])('refuses %j', async (fields, message) => {
    const { error } = await readSource({ contacts: [{ email: 'ada@example.com', ...fields }] });
    expect(error).toBe(`the array 'contacts', contacts[0]: ${message}`);
  });

  test('may be a secret, so no message shows a value of it', async () => {
    const { error } = await readSource({
      contacts: [{ email: 'a@example.com', seats: 'hidden' }, { userId: 'N/A' }],
    });
    expect(error).toBe(
      "the array 'contacts', contacts[0]: seats must be a number, such as 42 or -3.5.\nthe array 'contacts', contacts[1]: userId is a placeholder. Empty the cell, or add this text to nullValues.",
    );
  });

  test('a record without a prototype of its own names reads a property called constructor', async () => {
    const known = { types: new Map([['constructor', 'string' as const]]), isComplete: true };
    const { rows, error } = await readSource(
      { contacts: [{ email: 'a@example.com', constructor: 'x' }] },
      known,
    );
    expect({ rows, error }).toEqual({ rows: [{ email: 'a@example.com', constructor: 'x' }], error: '' });
  });
});

test('clear in a JSON file clears, as it does in a program', async () => {
  const { rows } = await readFile('{"email":"ada@example.com","clear":["firstName"]}\n');
  expect(rows).toEqual([{ email: 'ada@example.com', firstName: null }]);
});

describe('the plan of a file', () => {
  test('says how many rows, from which columns, and which are left out', async () => {
    const { reading } = await readFile('Mail,Plan,Tags,Rating\nada@example.com,Pro,x,5\n', {
      columns: { Mail: 'email', Plan: 'planName' },
    });
    expect(reading.notes()).toEqual([
      "1 row read, with email ('Mail'), planName ('Plan'). Columns that are not read: 'Tags', 'Rating'.",
    ]);
  });
});

describe('a file that cannot be opened', () => {
  test('is named', async () => {
    const { error } = await readSource({ file: 'nobody.csv' });
    expect(error).toBe(
      "'nobody.csv' does not exist. Give its path from the folder of the program, or an absolute path.",
    );
  });

  test('may be a folder', async () => {
    const folder = mkdtempSync(`${tmpdir()}/audience-`);
    const { error } = await readSource({ file: folder });
    rmSync(folder, { recursive: true });
    expect(error).toBe(`'${folder}' is a folder. Give the path of a file.`);
  });
});

describe('options', () => {
  test.each([
    [{}, undefined],
    [{ encoding: 'windows-1252' }, undefined],
    [
      { encoding: 'latin-nine' },
      "encoding: 'latin-nine' is not an encoding. Write 'utf-8', or a label such as 'windows-1252'",
    ],
    [{ columns: { A: 'email', B: 'email' } }, "columns: 'A' and 'B' are both 'email'. Keep one of them"],
    [{ dateFormat: { at: 'dd/MM/yyyy' } }, undefined],
    [{ dateFormat: { at: "d 'of' LLLL yy" } }, undefined],
    [
      { dateFormat: { at: 'DD/MM/YYYY' } },
      "dateFormat: 'DD/MM/YYYY' of 'at' must have a day (dd), a month (MM) and a year (yyyy). Did you mean 'dd/MM/yyyy'?",
    ],
    [
      { dateFormat: { at: 'dd/mm/yyyy' } },
      "dateFormat: 'dd/mm/yyyy' of 'at' must have a day (dd), a month (MM) and a year (yyyy). Did you mean 'dd/MM/yyyy'?",
    ],
    [
      { dateFormat: { at: 'yyyy' } },
      "dateFormat: 'yyyy' of 'at' must have a day (dd), a month (MM) and a year (yyyy)",
    ],
  ])('%p', (options, problem) => {
    expect(optionProblem(options)).toBe(problem);
  });
});
