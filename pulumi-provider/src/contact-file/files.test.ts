import { copied, described, readFile } from '../../testing/read-file.js';
import { inputsSchema, type Inputs } from '../resources/contacts/inputs.js';

/** Short addresses of the tables, written out. */
const full = (text: string): string => text.replaceAll(/(ada|bob|eve|boss)@(?![a-z])/g, '$1@example.com');
const written = (content: string | Uint8Array): string | Uint8Array =>
  typeof content === 'string' ? full(content) : content;

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${full(text)}`, 'utf16le');
const latin1 = (text: string): Buffer => Buffer.from(full(text), 'latin1');
const NAMED = 'ada@ firstName=Ada';
const ZOE = 'ada@ firstName=Zoë';
const WINDOWS = { encoding: 'windows-1252' };
const dated = (iso: string): string => `ada@ signedUp:${Date.parse(iso) / 1000}`;
const inForm = (signedUp: string): Inputs => ({ dateFormat: { signedUp } });
const mapped = (columns: Record<string, string>): Inputs => ({ columns });

describe('read without a question', () => {
  test.each<[string, string | Uint8Array, string, Inputs?]>([
    ['comma and LF', 'email,firstName\nada@,Ada\n', NAMED],
    ['no line end at the end', 'email,firstName\nada@,Ada', NAMED],
    ['CRLF', 'email,firstName\r\nada@,Ada\r\n', NAMED],
    ['CR', 'email,firstName\rada@,Ada\r', NAMED],
    ['CRLF, then LF', 'email\r\nada@\nbob@\r\n', 'ada@ | bob@'],
    ['LF, then CRLF', 'email\nada@\r\nbob@\n', 'ada@ | bob@'],
    ['bar', 'email|firstName\nada@|Ada\n', NAMED],
    ['sep=;', 'sep=;\r\nemail;firstName\r\nada@;Ada\r\n', NAMED],
    ['SEP=, behind a BOM', '\uFEFFSEP=,\nemail,firstName\nada@,Ada\n', NAMED],
    ['one column', 'email\nada@\n', 'ada@'],
    ['UTF-16 BE', utf16('email,firstName\nada@,Zoë\n').swap16(), ZOE],
    ['windows-1252', latin1('email,firstName\nada@,Zo\u00eb\n'), ZOE, WINDOWS],
    ['a BOM where another encoding is set', '\uFEFFemail,firstName\nada@,Zoë\n', ZOE, WINDOWS],
    ['a delimiter in a header', 'email;"a,b,c,d"\nada@;x\n', 'ada@', mapped({ 'a,b,c,d': '' })],
    [
      'commas in the names of a semicolon file',
      'E-Mail;Name, first;Name, last;City, ZIP\nada@;Ada;L;x\n',
      NAMED,
      mapped({ 'E-Mail': 'email', 'Name, first': 'firstName', 'Name, last': '', 'City, ZIP': '' }),
    ],
    ['CRLF in a long text', 'email,notes\r\nada@,"one\r\ntwo"\r\n', 'ada@ notes=one\ntwo'],
    ['blanks around values', 'email , firstName\n ada@ ,  Ada \n', NAMED],
    ['NBSP around values', 'email,firstName\n\u00A0ada@\u00A0,\u00A0Ada\u00A0\n', NAMED],
    ['blanks around quotes', 'email,firstName\n "ada@" , "Ada" \n', NAMED],
    ['a blank inside the quotes of an email', 'email\n" ada@ "\n', 'ada@'],
    ['NBSP inside the quotes of a userId', 'userId\n"\u00A0u-1 "\n', 'u-1'],
    ['blanks inside the quotes of a text', 'email,notes\nada@," x "\n', 'ada@ notes= x '],
    ['empty lines', '\n\nemail\n\nada@\n  \n\n', 'ada@'],
    ['rows of delimiters', 'email,firstName\n,\nada@,Ada\n"",""\n', NAMED],
    ['rows of delimiters above the header', ';;\n;;\nemail;firstName;\nada@;Ada;\n', NAMED],
    ['empty nameless columns', 'email,,firstName,,\nada@,,Ada,,\n', NAMED],
    ['empty cells behind the header', 'email,firstName\nada@,Ada,,\n', NAMED],
    ['only a header', 'email,firstName\n', ''],
    ['a short row', 'email,firstName,planName\nada@,Ada\n', NAMED],
    ['an empty cell', 'email,firstName,planName\nada@,,Pro\n', 'ada@ planName=Pro'],
    ['nullValues', 'email,firstName,planName\nada@,NULL,\\N\n', 'ada@', { nullValues: ['NULL', '\\N'] }],
    ['nullValues in an identifier', 'email,userId\nada@,N/A\n', 'ada@', { nullValues: ['N/A'] }],
    [
      'a column under the name of another field',
      'Mail,firstName,seats\nada@,Pro,3\n',
      'ada@ planName=Pro seats:3',
      mapped({ Mail: 'email', firstName: 'planName' }),
    ],
    ['a nameless column that is not read', ',email,seats\n0,ada@,3\n', 'ada@ seats:3', mapped({ '': '' })],
    [
      'a mapped group',
      'email,News\nada@,0\n',
      'ada@ subscriptionGroups.grp_news:false',
      { ...mapped({ News: 'subscriptionGroups.grp_news' }), consent: 'mail' },
    ],
    ['a userId of digits', 'userId\n0012345678901234567890\n', '0012345678901234567890'],
    ['a userId with a blank in it', 'userId\nAda 1\n', 'Ada 1'],
    ['a userId with an @ beside an email', 'email,userId\nada@,ada@crm\n', 'ada@ userId=ada@crm'],
  ])('%s', async (_title, content, expected, options = {}) => {
    const { rows, error } = await readFile(written(content), options);
    expect({ rows: rows.map(described).join(' | '), error }).toEqual({ rows: full(expected), error: '' });
  });
});

test.each<[string, string, string, Inputs?]>([
  ['subscriptionGroups.grp_news', 'yes', 'ada@ subscriptionGroups.grp_news:true', { consent: 'mail' }],
  ...['TRUE', 'Yes', '1'].map((word): [string, string, string] => ['onTrial', word, 'ada@ onTrial:true']),
  ...['false', 'no', '0'].map((word): [string, string, string] => ['onTrial', word, 'ada@ onTrial:false']),
  ['signedUp', '2024-01-05', dated('2024-01-05')],
  ['signedUp', '2024-01-05 10:22', dated('2024-01-05T10:22Z')],
  ['signedUp', '2024-01-05 10:22:33 UTC', dated('2024-01-05T10:22:33Z')],
  ['signedUp', '2024-01-05T10:22:33+01:00', dated('2024-01-05T09:22:33Z')],
  ['signedUp', '2024-01-05 10:22:33.123+00', dated('2024-01-05T10:22:33Z')],
  ['signedUp', '1704448953', 'ada@ signedUp:1704448953'],
  ['signedUp', '05/01/2024', dated('2024-01-05'), inForm('dd/MM/yyyy')],
  ['signedUp', '"Jan 5, 2024 1:05 PM"', dated('2024-01-05T13:05Z'), inForm('MMM d, yyyy h:mm a')],
  ['signedUp', '05.01.2024 10:00 +0200', dated('2024-01-05T08:00Z'), inForm('dd.MM.yyyy HH:mm ZZZ')],
  ['seats', '-3.50', 'ada@ seats:-3.5'],
  ['seats', '3.0', 'ada@ seats:3'],
  ['planName', '007', 'ada@ planName=007'],
])('a cell of %s can be %s', async (field, cell, expected, options = {}) => {
  const { rows, error } = await readFile(full(`email,${field}\nada@,${cell}\n`), options);
  expect({ rows: rows.map(described), error }).toEqual({ rows: [full(expected)], error: '' });
});

const TOO_MANY = `email\n${'ada@\n'.repeat(200_001)}`;

describe('refused with line, reason and way out', () => {
  test.each<[string, string | Uint8Array, string, Inputs?]>([
    ['an empty file', '', 'file.empty'],
    ['only a comma', ',\n', 'file.empty'],
    ['more rows than a list has', TOO_MANY, 'file.many'],
    ['a file of blanks', '\n \n', 'file.empty'],
    ['a workbook', Buffer.from('PK\x03\x04\x14\0\x06\0xl/workbook.xml'), 'file.encoding @ line 1 (utf-8)'],
    ['a PDF', Buffer.from('%PDF-1.7\n%\u00e2\u00e3', 'latin1'), 'file.encoding @ line 2 (utf-8)'],
    [
      'another encoding',
      latin1('email,firstName\nbob@,Bob\nada@,Zo\u00eb\n'),
      'file.encoding @ line 3 (utf-8)',
    ],
    ['UTF-16 without a BOM', Buffer.from('email\nada@\n', 'utf16le'), 'file.encoding @ line 1 (utf-8)'],
    ['no header', 'ada@,Ada\nbob@,Bob\n', 'header.values'],
    ['no identifier', 'Name,Owner\nAda,boss@\n', 'header.no-identifier Name, Owner'],
    ['a table name above the header', 'Table 1\nemail\nada@\n', 'header.no-identifier Table 1'],
    ['undecided columns', 'email,Plan,Seats\nada@,Pro,3\n', 'header.undecided Plan, Seats'],
    ['Subscribed is no field of a file', 'email,Subscribed\nada@,false\n', 'header.undecided Subscribed'],
    ['subscribed is none, either', 'email,subscribed\nada@,false\n', 'header.undecided subscribed'],
    ['another spelling of a field', 'email,First Name\nada@,Ada\n', 'header.undecided First Name'],
    ['User ID is not userId unless mapped', 'email,User ID\nada@,7\n', 'header.undecided User ID'],
    ['a value in a nameless column', ',email\n,ada@\n1,bob@\n', 'header.undecided'],
    [
      'a column mapped to subscribed',
      'Mail,Out\nada@,false\n',
      'columns.subscribed Out',
      mapped({ Mail: 'email', Out: 'subscribed' }),
    ],
    [
      'a blank that was left',
      'Mail\nada@\n',
      'columns.blank Mail\nheader.no-identifier Mail',
      mapped({ Mail: '?' }),
    ],
    [
      'a header twice',
      'email,planName,Plan_Name\nada@,a,b\n',
      'header.equal planName, Plan_Name',
      mapped({ plan_name: '' }),
    ],
    [
      'an answered column that is not there',
      'email,Email Status\nada@,cleaned\n',
      'header.missing Email Statuss email, Email Status',
      { ...mapped({ 'Email Status': '' }), consent: { 'Email Statuss': { cleaned: 'no mail' } } },
    ],
    [
      'a mapped column that is not there',
      'Mail,Plans\nada@,x\n',
      'header.missing Plan Mail, Plans',
      mapped({ Mail: 'email', Plan: 'planName', Plans: '' }),
    ],
    [
      'two columns mapped to one field',
      'A,B\nada@,bob@\n',
      'header.twice A, B',
      mapped({ A: 'email', B: 'email' }),
    ],
    [
      'a column mapped to nothing',
      'Mail,Plan\nada@,x\n',
      "columns.field Plan 'plan'",
      mapped({ Mail: 'email', Plan: 'plan' }),
    ],
    [
      'dateFormat of no date',
      'email,seats\nada@,1\n',
      'dateFormat.field seats',
      { dateFormat: { seats: 'dd/MM/yyyy' } },
    ],
    ['a long row', 'email,firstName\nada@,L, Ada\n', 'row.long @ line 2 (3 values, the header has 2)'],
    ['an open quote', 'email,firstName\nbob@,Bob\nada@,"Ada\neve@,Eve\n', 'file.quote-open @ line 3'],
    ['an open quote in the header', '"email\nada@\n', 'file.quote-open @ line 1'],
    ['a quote in an unquoted value', 'email,firstName\nada@,Ada "A" L\n', 'file.quote @ line 2'],
    ['text behind a quote', 'email,firstName\nada@,"Ada" L\n', 'file.quote @ line 2'],
    ['quotes that swallow rows', 'email,firstName\nada@,"Ada\nbob@,"Bob\n', 'file.quote @ line 3'],
    ['a formula', 'userId\n="001"\n', 'file.quote @ line 2'],
    ['a line break in a name', 'email,firstName\nada@,"Ada\nL"\n', 'row.line-break @ line 3 firstName'],
    ['a line break in an email', 'email\n"ada@\nbob@"\n', 'row.line-break @ line 3 email'],
    ['swallowed rows', 'email,notes\nada@,"hello\nbob@,x\neve@,"\n', 'row.line-break @ line 4 notes'],
    ['a quoted formula', 'userId\n"=""001"""\n', `row.spreadsheet @ line 2 userId '="001"'`],
    ["a spreadsheet's number", 'userId\n4.2E+11\n', "row.spreadsheet @ line 2 userId '4.2E+11'"],
    ['one in German', 'userId;seats\n"4,2E+11";1\n', "row.spreadsheet @ line 2 userId '4,2E+11'"],
    ["pandas' number", 'userId\n42.0\n', "row.spreadsheet @ line 2 userId '42.0'"],
    ["Shopify's apostrophe", "userId\n'6123456789012\n", "row.quotes @ line 2 userId ''6123456789012'"],
    ...['N/A', '-', '#REF!'].map((text): [string, string, string] => [
      text,
      `userId\n${text}\n`,
      `row.placeholder @ line 2 userId '${text}'`,
    ]),
    ['a zero-width character', 'email\nada\u200B@example.com\n', 'row.invisible @ line 2 email'],
    ['NBSP in a userId', 'userId\nu\u00A01\n', "row.invisible @ line 2 userId 'u\u00A01'"],
    ['a smart quote around an email', 'email\n“ada@”, \n', 'row.quotes @ line 2 email'],
    ['a name with an address', 'email\nAda <ada@>\n', `row.value @ line 2 email`],
    ['a totals row', 'email,seats\nada@,3\nTotal,3\n', `row.value @ line 3 email 'Total'`],
    ['a userId that is an address', 'userId\nada@\n', 'row.address @ line 2 userId'],
    ['a userId that is a path', 'userId\nproperties\n', "row.value @ line 2 userId 'properties'"],
    [
      'a date with an unclear order of day and month',
      'email,signedUp\nada@,05/01/2024\n',
      "row.date @ line 2 signedUp '05/01/2024'",
    ],
    [
      'a date in milliseconds',
      'email,signedUp\nada@,1704448953000\n',
      "row.date @ line 2 signedUp '1704448953000'",
    ],
    ['a day number', 'email,signedUp\nada@,45296\n', "row.date @ line 2 signedUp '45296'"],
    ...['13/13/2024', '2024-01-05'].map((text): [string, string, string, Inputs] => [
      `${text} where dateFormat has another form`,
      `email,signedUp\nada@,${text}\n`,
      `row.date-format @ line 2 signedUp '${text}' (dd/MM/yyyy)`,
      inForm('dd/MM/yyyy'),
    ]),
    [
      'an address in another column, which no message shows',
      'email,seats\nada@,bob@\n',
      'row.value @ line 2 seats',
    ],
    ['a decimal comma', 'email;seats\nada@;1,5\n', "row.two-ways @ line 2 seats '1,5'"],
    ['a dot beside semicolons', 'email;seats\nada@;1.234\n', "row.two-ways @ line 2 seats '1.234'"],
    [
      'a number beyond 2^53',
      'email,seats\nada@,9007199254740993\n',
      "row.value @ line 2 seats '9007199254740993'",
    ],
    ['WAHR', 'email,onTrial\nada@,WAHR\n', "row.value @ line 2 onTrial 'WAHR'"],
  ])('%s', async (_title, content, expected, options = {}) => {
    const first = await readFile(written(content), options);
    expect(first.problems.join('\n')).toBe(full(expected));
    const block = copied(first.error);
    if (block === undefined || JSON.stringify(block).includes('"?"')) return;
    const { file: _, ...printed } = inputsSchema.parse(block);
    const again = await readFile(written(content), { ...options, ...printed });
    expect(again.problems).not.toContain(first.problems[0]);
  });
});
