import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copied } from '../../testing/read-file.js';
import { endOf, main } from './check.js';

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

/** A file of zeros, which takes no room on the disk. */
function largeFile(bytes: number): string {
  const large = file('large.csv', '');
  truncateSync(large, bytes);
  return large;
}

function file(name: string, text: string): string {
  const whole = path.join(folder, name);
  writeFileSync(whole, text);
  return whole;
}

/** What the command prints, with names of files and no folders. */
async function check(...args: string[]): Promise<string> {
  const status = await main(['check', ...args]).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'ResourceError') throw error;
    return error.message;
  });
  return [...printed, status === 0 ? '' : String(status)].join('').replaceAll(`${folder}/`, '');
}

describe('check', () => {
  test('says what is read; without the service, types of properties are not judged', async () => {
    const people = file('people.csv', 'Email Address,seats\nada@example.com,many\n');
    const options = '{ "columns": { "Email Address": "email", "seats": "seats" } }';
    expect(await check(people, '--options', options)).toBe(
      `'people.csv': 1 row read, with email ('Email Address'), seats.
Consent is not needed: without createWithEvent and without a group, the list causes no mail.
Properties and types are not checked: set AUDIENCE_BASE_URL and AUDIENCE_API_KEY.
`,
    );
  });

  test('fails where the service is set and cannot be asked', async () => {
    const server = createServer((_, response) => response.writeHead(404).end('<html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    process.env['AUDIENCE_BASE_URL'] = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    process.env['AUDIENCE_API_KEY'] = 'key';
    const output = await check(file('people.csv', 'email,Plan\nada@example.com,Pro\n'));
    server.close();
    expect(output).toMatch(/^Names and types of contact properties could not be checked: /);
    expect(output).not.toContain('read');
  });

  test('takes the options of Contacts, as JSON or from a file', async () => {
    const people = file('people.csv', 'Mail;Rest\nada@example.com;x\n');
    const options = '{"columns": {"Mail": "email", "Rest": ""}, "maxRemovals": 3}';
    for (const given of [options, file('options.json', options)]) {
      printed = [];
      expect(await check(people, '--options', given)).toContain("1 row read, with email ('Mail').\n");
    }
  });

  test('says what is wrong', async () => {
    const people = file('people.csv', 'email\nada@example\u200B.com\n');
    expect(await check(people)).toContain("'people.csv', line 2: email ");
  });

  test('refuses what up would refuse of consent', async () => {
    const people = file('people.csv', 'email,Status\nada@example.com,left\n');
    const options = '{"createWithEvent": {"eventName": "joined"}}';
    const output = await check(people, '--options', options);
    expect(copied(output)).toMatchObject({
      columns: { email: 'email', Status: '' },
      consent: { Status: { left: '?' } },
    });
  });

  test('reads a pipe', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', `printf 'email\nada@example.com\n' > '${pipe}'`]);
    expect(await check(pipe)).toContain('1 row read');
    expect(writer.exitCode ?? 0).toBe(0);
  });

  test.each([
    ['a folder', () => folder, 'the file cannot be read (EISDIR)'],
    ['a file of 1 GB without a line end', () => largeFile(1_000_000_000), 'the file is larger than 100 MB'],
    ['a workbook', () => file('people.xlsx', 'PK\0'), "Save the file, or the workbook, as 'CSV UTF-8'"],
  ])('says in one sentence what it does not read: %s', async (_title, made, sentence) => {
    const output = await check(made());
    expect(output).toContain(sentence);
    expect(output.split('\n')).toHaveLength(1);
  });

  test.each([
    [
      new RangeError('Invalid string length\nat x'),
      'The file could not be checked: Invalid string length.',
      1,
    ],
    [Object.assign(new TypeError("Unknown option '--x'"), { code: 'ERR' }), "Unknown option '--x'", 2],
  ])('ends with one sentence for %s', (error, text, status) => {
    expect(endOf(error)).toEqual({ text, status });
  });

  test('refuses two rows that give one contact two values, as pulumi up does', async () => {
    const people = file('people.csv', 'email,firstName\nada@example.com,Ada\nADA@example.com,Augusta\n');
    expect(await check(people)).toBe(
      "'people.csv', line 3 is the same contact as line 2, with another value of 'firstName'. Keep one of them.",
    );
  });

  test.each([
    ['{"column": {}}', "'column'"],
    ['{"encoding": "klingon"}', "'encoding' must be an encoding: 'utf-8', or a label such as 'windows-1252'"],
    ['nobody.json', "'nobody.json' is neither JSON nor a file with it."],
  ])('refuses the options %s', async (options, message) => {
    const output = await check('people.csv', '--options', options);
    expect(output).toMatch(/^--options: /);
    expect(output).toContain(message);
  });

  test('shows how it is used where no file is given', async () => {
    expect(await check()).toMatch(/^Usage: pulumi-audience check FILE[^]*2$/);
  });
});
