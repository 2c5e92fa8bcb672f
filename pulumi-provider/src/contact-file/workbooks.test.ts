import writeWorkbook, { type SheetData } from 'write-excel-file/node';
import { readFile, type Read } from '../../testing/read-file.js';
import type { Inputs } from '../resources/contacts/inputs.js';

const HEADER = ['E-Mail', 'Vorname', 'seats', 'onTrial', 'signedUp', 'Newsletter'];
const SIGNED_UP = new Date('2024-12-31T00:00:00Z');

async function readBook(data: SheetData, options: Inputs = {}): Promise<Read> {
  return readFile(await writeWorkbook(data).toBuffer(), options);
}

describe('the same list', () => {
  const options: Inputs = {
    columns: {
      'E-Mail': 'email',
      Vorname: 'firstName',
      seats: 'seats',
      onTrial: 'onTrial',
      signedUp: 'signedUp',
    },
    consent: { Newsletter: { yes: 'mail', true: 'mail', no: 'no mail', false: 'no mail' } },
  };
  const declared = [
    { email: 'ada@example.com', firstName: 'Zoë', seats: 1234.5, onTrial: true, signedUp: 1735603200 },
    { email: 'bob@example.com', firstName: 'Bob', subscribed: false },
  ];
  const germanOptions = { dateFormat: { signedUp: 'dd.MM.yyyy' }, ...options };
  const table = (delimiter: string, date: string): string =>
    [
      HEADER,
      ['ada@example.com', 'Zoë', '1234.5', 'true', date, 'yes'],
      ['bob@example.com', 'Bob', '', '', '', 'no'],
    ]
      .map((row) => `${row.join(delimiter)}\r\n`)
      .join('');

  const records = [
    { 'E-Mail': 'ada@example.com', Vorname: 'Zoë', seats: 1234.5, onTrial: true },
    { 'E-Mail': 'bob@example.com', Vorname: 'Bob', Newsletter: false },
  ].map((record, index) => (index === 0 ? { ...record, signedUp: '2024-12-31', Newsletter: true } : record));
  const book: SheetData = [
    HEADER,
    ['ada@example.com', 'Zoe\u0308', 1234.5, true, { value: SIGNED_UP, format: 'dd.mm.yyyy' }, true],
    [' bob@example.com ', 'Bob', null, null, null, false],
  ];

  test.each<[string, () => Uint8Array | string | Promise<Uint8Array>, Inputs]>([
    ['as CSV', () => table(',', '2024-12-31'), options],
    ['of Excel in Germany, as CSV', () => `\uFEFF${table(';', '31.12.2024')}`, germanOptions],
    ['as Unicode text', () => Buffer.from(`\uFEFF${table('\t', '2024-12-31')}`, 'utf16le'), options],
    ['as JSON', () => JSON.stringify(records), options],
    ['as a workbook', () => writeWorkbook(book).toBuffer(), options],
  ])('%s gives the same declarations', async (_title, write, given) => {
    const { rows, error } = await readFile(await write(), given);
    expect({ rows, error }).toEqual({ rows: declared, error: '' });
  });
});

describe('a workbook', () => {
  test('has rows, and a header below a title', async () => {
    const data = [
      ['Customers'],
      [null],
      ['Email', 'seats'],
      ['ada@example.com', 3],
      ['bob@example.com', 'many'],
    ];
    const first = await readBook(data);
    expect(first.problems).toEqual(["header.row 'Email'"]);
    const { rows, problems } = await readBook(data, { headerRow: 3 });
    expect(rows).toEqual([{ email: 'ada@example.com', seats: 3 }]);
    expect(problems).toEqual(["row.value @ row 5 seats 'many'"]);
  });

  test('has identifiers as texts, as a number shown as 00042 is 42 in the file', async () => {
    const { problems } = await readBook([
      ['userId', 'planName'],
      [{ value: 42, format: '00000' }, 'Pro'],
      ['00042', { value: SIGNED_UP, format: 'dd.mm.yyyy' }],
    ]);
    expect(problems).toEqual(['row.text-cell @ row 2 userId', 'row.value @ row 3 planName']);
  });

  test('with several sheets needs the name of one', async () => {
    const books = writeWorkbook([
      { data: [['email'], ['ada@example.com']], sheet: 'People' },
      { data: [['email'], ['bob@example.com']], sheet: 'Old' },
      { data: [], sheet: 'Empty' },
    ]);
    const bytes = await books.toBuffer();
    expect((await readFile(bytes)).problems).toEqual(['file.sheet People, Old']);
    expect((await readFile(bytes, { sheet: 'Old' })).rows).toEqual([{ email: 'bob@example.com' }]);
    expect((await readFile(bytes, { sheet: 'New' })).problems).toEqual(['file.sheet People, Old, Empty']);
  });
});
