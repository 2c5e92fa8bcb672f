import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseValue } from 'audience-core/internal';
import { encodeFields } from '../contact/fields.js';
import { readRecords } from './records.js';
import type { ContactRecord, RecordSource } from './records.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'audience-records-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = async (name: string, text: string): Promise<string> => {
  const whole = path.join(folder, name);
  await writeFile(whole, text);
  return whole;
};

async function allRecords(source: RecordSource): Promise<ContactRecord[]> {
  const records: ContactRecord[] = [];
  for await (const record of readRecords(source)) records.push(record);
  return records;
}

const TYPES = new Map([
  ['seats', 'number'],
  ['onTrial', 'boolean'],
  ['endsAt', 'date'],
  ['plan', 'string'],
] as const);

describe('a CSV file of contacts', () => {
  it('gives typed fields, with the line of each; empty cells and lines declare nothing', async () => {
    const text =
      '\uFEFFemail,firstName,subscribed,subscriptionGroups.news,seats,onTrial,endsAt,plan\r\n' +
      'a@example.com,"Ann, A.",false,TRUE,-1.5e3,true,2027-01-31T12:00:00+02:00,007\r\n' +
      '\r\n' +
      'b@example.com,"Two\nlines",,,,,1700000000,\r\n';
    const records = await allRecords({ file: await file('a.csv', text) });
    expect(records.map(({ location }) => location)).toEqual(['line 2', 'line 5']);
    expect(records.map(({ fields }) => encodeFields(fields, TYPES, parseValue).fields)).toEqual([
      {
        email: 'a@example.com',
        firstName: 'Ann, A.',
        subscribed: false,
        subscriptionGroups: { news: true },
        properties: { seats: -1500, onTrial: true, endsAt: 1801389600, plan: '007' },
      },
      { email: 'b@example.com', firstName: 'Two\nlines', properties: { endsAt: 1700000000 } },
    ]);
  });

  it.each([
    ['\r\n', '\n'],
    ['\n', '\r\n'],
    ['\r', '\r'],
  ])('ends each line in its own way: %j and %j', async (first, other) => {
    const text = `userId${first}u1${other}u2${first}"u${other}3"${other}`;
    const records = await allRecords({ file: await file('a.csv', text) });
    expect(records.map(({ fields }) => fields['userId'])).toEqual(['u1', 'u2', `u${other}3`]);
    expect(records.map(({ location }) => location)).toEqual(['line 2', 'line 3', 'line 5']);
  });

  it('of JSON Lines may have a name in two of its objects', async () => {
    const text =
      '{"email":"a@x.io", "properties":{"a":"\\":{\\"a\\":1","b":[]}, "subscriptionGroups" : {"a":true}}';
    expect(await allRecords({ file: await file('a.jsonl', text) })).toHaveLength(1);
  });

  it.each([
    [
      'a.jsonl',
      '{}\n{"email":"a@x.io","properties":{"plan":1,"plan":null}}',
      /line 2 has the name 'plan' twice/,
    ],
    [
      'a.jsonl',
      '{"email":"a@x.io","properties":{"no":9007199254740993}}',
      /line 1 has the number 9007199254740993, which/,
    ],
    ['a.jsonl', '{"email":"a@x.io", "\\u0065mail" : "b@x.io"}', /line 1 has the name 'email' twice/],
    ['a.csv', 'email,firstName\na@example.com\n', /a\.csv' is not a CSV file from line 2 on/],
    ['a.csv', 'email\n"a@example.com\n', /a\.csv' is not a CSV file/],
    ['a.csv', 'email\na@x.io\n"b@x.io\nc@x.io\n', /a\.csv' is not a CSV file from line 3 on \(CSV_QUOTE/],
    ['a.csv', 'email\na@x.io\n\n\n"b@x.io\n', /from line 5 on \(CSV_QUOTE/],
    ['a.csv', '"email\na@x.io\n', /from line 1 on \(CSV_QUOTE/],
    ['a.csv', 'email\na@x.io\n\0\nc@x.io\n', /line 3 holds a NUL character/],
    ['a.jsonl', '{"email":"a@example.com"}\n{oops\n', /line 2 is not JSON/],
    ['a.jsonl', '["a@example.com"]\n', /line 1 is not a JSON object/],
    ['a.txt', 'email\n', /Name it \.csv or \.jsonl, or set format/],
  ])('in a wrong form is refused with its line: %s %j', async (name, text, says) => {
    await expect(allRecords({ file: await file(name, text) })).rejects.toThrow(says);
  });

  it('of JSON Lines may hold line separators of Unicode in its texts, and lines that end as on Windows', async () => {
    const text = '\uFEFF{"email":"a@example.com","firstName":"A\u2028B"}\r\n\r\n{"userId":"u"}';
    expect(await allRecords({ file: await file('a.jsonl', text) })).toEqual([
      { location: 'line 1', fields: { email: 'a@example.com', firstName: 'A\u2028B' } },
      { location: 'line 3', fields: { userId: 'u' } },
    ]);
  });

  it('larger than what is read at once comes through whole', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `{"email":"ä-${index}@example.com"}`);
    const records = await allRecords({ file: await file('a.jsonl', lines.join('\n')) });
    expect(records.map(({ fields }) => JSON.stringify(fields))).toEqual(lines);
  });

  it('that is a folder is refused', async () => {
    await expect(allRecords({ file: folder, format: 'csv' })).rejects.toThrow(/it is no file/);
  });

  it('that is not there is refused with a way out', async () => {
    await expect(allRecords({ file: path.join(folder, 'no.csv') })).rejects.toThrow(
      /there is no such file.*Give its path/,
    );
  });
});
