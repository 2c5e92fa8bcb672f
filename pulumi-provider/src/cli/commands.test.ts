import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { check } from './check.js';

let folder = '';
let printed: string[] = [];
const written = (text: string | Uint8Array): boolean => printed.push(String(text)) > 0;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'audience-'));
  printed = [];
  jest.spyOn(process.stdout, 'write').mockImplementation(written);
  jest.spyOn(process.stderr, 'write').mockImplementation(written);
  delete process.env['AUDIENCE_BASE_URL'];
  delete process.env['AUDIENCE_API_KEY'];
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const whole = path.join(folder, name);
  writeFileSync(whole, text);
  return whole;
}

/** What a command prints, with names of files and no folders. */
async function outputOf(command: Promise<number>): Promise<string> {
  const status = await command.catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'ResourceError') throw error;
    return error.message;
  });
  return [...printed, status === 0 ? '' : String(status)].join('').replaceAll(`${folder}/`, '');
}

describe('check', () => {
  test('says what is read, and prints the columns to copy', async () => {
    const people = file('people.csv', 'Email Address,First Name,Plan\nada@example.com,Ada,Pro\n');
    expect(await outputOf(check([people]))).toBe(
      `'people.csv': 1 row read, with email ('Email Address'), firstName ('First Name'), Plan.
Properties and types are not checked: set AUDIENCE_BASE_URL and AUDIENCE_API_KEY to compare them.
Until then, the columns to copy lack 'Plan'.
  columns: { 'Email Address': 'email', 'First Name': 'firstName' },
`,
    );
  });

  test('takes the options of Contacts, as JSON or from a file', async () => {
    const people = file('people.csv', 'Mail;Rest\nada@example.com;x\n');
    const options = '{"columns": {"Mail": "email"}}';
    for (const given of [options, file('options.json', options)]) {
      printed = [];
      const output = await outputOf(check([people, '--options', given]));
      expect(output).toContain("1 row read, with email ('Mail'). Columns that are not read: 'Rest'.");
      expect(output).toContain("columns: { 'Mail': 'email' }");
      expect(output).not.toContain('lack');
    }
  });

  test('says what is wrong', async () => {
    const people = file('people.csv', 'email\nada@example\u200B.com\n');
    expect(await outputOf(check([people]))).toContain(
      "'people.csv', line 2: email has the invisible character",
    );
  });

  test('does not judge the types of properties without the service', async () => {
    const people = file('people.json', '[{ "email": "ada@example.com", "seats": 3, "trial": true }]');
    expect(await outputOf(check([people]))).toContain('1 row read, with email, seats, trial.');
  });

  test('writes the invalid rows with their reasons', async () => {
    const people = file('people.csv', 'email,Notes\nada@example.com,"a, b"\nN/A,"c ""d"\n,\n,e\n');
    const options = '{"columns": {"email": "email"}}';
    const rejects = path.join(folder, 'rejects.csv');
    const output = await outputOf(check([people, '--options', options, '--rejects', rejects]));
    expect(output).toContain("2 invalid rows written to 'rejects.csv'.");
    const lines = readFileSync(rejects, 'utf8').split('\n');
    expect(lines[0]).toBe('reason,email,Notes');
    expect(lines[1]).toMatch(/^"line 3: email 'N\/A' is a placeholder\..*",N\/A,"c ""d"$/);
    expect(lines[2]).toMatch(/^line 5 has neither .*,,e$/);
    expect(lines).toHaveLength(4);
  });

  test('refuses two rows that give one contact two values, as pulumi up does', async () => {
    const people = file('people.csv', 'email,firstName\nada@example.com,Ada\nADA@example.com,Augusta\n');
    expect(await outputOf(check([people]))).toBe(
      "'people.csv', line 3 is the same contact as line 2, with another value of 'firstName'. Keep one of them.",
    );
  });

  test.each([
    ['{"column": {}}', "--options: unknown option 'column'. The options are columns, unsubscribed,"],
    ['{"emptyCells": "delete"}', "--options: emptyCells must be 'ignore' or 'clear'."],
    ['{"encoding": "klingon"}', "--options: encoding: 'klingon' is not an encoding."],
    ['nobody.json', "--options: 'nobody.json' is neither JSON nor a file with it."],
  ])('refuses the options %s', async (options, message) => {
    expect(await outputOf(check(['people.csv', '--options', options]))).toContain(message);
  });

  test('shows how it is used where no file is given', async () => {
    expect(await outputOf(check([]))).toMatch(/^Usage: pulumi-audience check FILE[^]*2$/);
  });
});
