import writeWorkbook, { type SheetData } from 'write-excel-file/node';
import { textCell, workbookParts, zipOf } from '../../testing/raw-workbook.js';
import { described, readFile, type Read } from '../../testing/read-file.js';
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

describe('what a writer of workbooks may do', () => {
  const header = `<row r="1">${textCell('A1', 'email')}${textCell('B1', 'seats')}${textCell('C1', 'signedUp')}${textCell('D1', 'planName')}</row>`;
  const row = (cells: string, number = 2): string =>
    `<row r="${number}">${textCell(`A${number}`, 'ada@x.io')}${cells}</row>`;
  const at = (iso: string): string => `ada@x.io signedUp:${Date.parse(iso) / 1000}`;

  test.each<[string, string, string, { readonly below?: string; readonly settings?: string }?]>([
    ['a number without a type', row('<c r="B2"><v>3</v></c>'), 'ada@x.io seats:3'],
    [
      'cells and rows without places',
      '<row><c t="str"><v>ada@x.io</v></c><c><v>3</v></c></row>',
      'ada@x.io seats:3',
    ],
    ['names with a prefix', row('<x:c r="B2" t="n"><x:v>3</x:v></x:c>'), 'ada@x.io seats:3'],
    ['a percentage, which is a number', row('<c r="B2" s="3"><v>0.5</v></c>'), 'ada@x.io seats:0.5'],
    ['entities and escapes', row(textCell('D2', 'A &amp; B&#x42;_x000A_C')), 'ada@x.io planName=A & BB\nC'],
    [
      'runs, and a pronunciation',
      row('<c r="D2" t="inlineStr"><is><r><t>Pr</t></r><r><t>o</t></r><rPh sb="0"><t>x</t></rPh></is></c>'),
      'ada@x.io planName=Pro',
    ],
    ['a built-in format of dates', row('<c r="C2" s="1"><v>45296</v></c>'), at('2024-01-05T00:00Z')],
    [
      'a time that is not exact',
      row('<c r="C2" s="2"><v>45296.95833333332</v></c>'),
      at('2024-01-05T23:00Z'),
    ],
    ['a date of ISO 8601', row('<c r="C2" t="d"><v>2024-01-05T10:00:00</v></c>'), at('2024-01-05T10:00Z')],
    ...['1', 'true'].map((is): [string, string, string, { readonly settings: string }] => [
      `date1904="${is}"`,
      row('<c r="C2" s="1"><v>43834</v></c>'),
      at('2024-01-05T00:00Z'),
      { settings: `<workbookPr date1904="${is}"/>` },
    ]),
    ['a formula with its result', row('<c r="B2"><f>1+2</f><v>3</v></c>'), 'ada@x.io seats:3'],
    ['a formula with an empty text as result', row('<c r="D2" t="str"><f>A9</f><v></v></c>'), 'ada@x.io'],
    [
      'a blank and a value in a far column',
      row('<c r="B2"><v>3</v></c><c r="XFC2"/>' + textCell('XFD2', ' ')),
      'ada@x.io seats:3',
    ],
    [
      'merged cells above the header only',
      row('<c r="B2"><v>3</v></c>'),
      'ada@x.io seats:3',
      { below: '<mergeCells><mergeCell ref="A1:D1"/></mergeCells>' },
    ],
  ])('%s is read', async (_title, rows, expected, options = {}) => {
    const read = await readFile(zipOf(workbookParts(header + rows, options)));
    expect({ rows: read.rows.map(described), error: read.error }).toEqual({ rows: [expected], error: '' });
  });

  test.each<[string, string, string, { readonly below?: string; readonly settings?: string }?]>([
    ['an error', row('<c r="B2" t="e"><v>#N/A</v></c>'), "row.cell-error @ cell B2 seats '#N/A'"],
    [
      'an error in a text',
      row('<c r="D2" t="e"><f>X</f><v>#REF!</v></c>'),
      "row.cell-error @ cell D2 planName '#REF!'",
    ],
    ...['<v></v>', '<v/>', ''].map((value): [string, string, string] => [
      `a formula that stores ${value === '' ? 'nothing' : value}`,
      row(`<c r="B2"><f>1+2</f>${value}</c>`),
      'row.formula @ cell B2 seats',
    ]),
    [
      'a formula that Excel has to compute first',
      row('<c r="B2"><f>1+2</f><v>0</v></c>'),
      'row.formula @ cell B2 seats',
      { settings: '<calcPr fullCalcOnLoad="1"/>' },
    ],
    [
      'merged cells',
      row('') + row('', 3),
      "file.merged 'B2:B3'",
      { below: '<mergeCells><mergeCell ref="B2:B3"/></mergeCells>' },
    ],
  ])('%s is refused, with the place', async (_title, rows, problem, options = {}) => {
    expect((await readFile(zipOf(workbookParts(header + rows, options)))).problems).toEqual([problem]);
  });

  test('an error in a column that is not read is none; where it says who wants mail, no skipping helps', async () => {
    const book = zipOf(workbookParts(header + row('<c r="D2" t="e"><v>#N/A</v></c>')));
    const columns = { email: 'email' };
    expect((await readFile(book, { columns })).rows).toHaveLength(1);
    const planName = { '*': 'mail', '': 'mail' } as const;
    const consents: Inputs['consent'][] = [{ planName }, { seats: { '': 'skip' }, planName }];
    for (const consent of consents) {
      const { problems } = await readFile(book, { columns, consent, invalidRows: 'skip' });
      expect(problems).toEqual(["row.cell-error @ cell D2 planName '#N/A'"]);
    }
  });

  test.each<[string, () => Uint8Array, string]>([
    ['unpacks to more than 200 MB', () => zipOf(workbookParts(header), 60e6), 'file.bomb'],
    ['unpacks to more than 200 to 1', () => zipOf(workbookParts(header), 5e6), 'file.bomb'],
    ['unpacks to more than it says', () => zipOf(workbookParts('x'.repeat(20_000)), 300), 'file.workbook'],
    ['is cut off', () => zipOf(workbookParts(header)).subarray(0, 900), 'file.workbook'],
  ])('one that %s is refused at once', async (_title, bytes, code) => {
    expect((await readFile(bytes())).problems.join()).toMatch(code);
  });
});
