import { readFile } from '../../../../testing/read-file.js';
import type { FileOptions } from './options.js';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Short addresses of the tables, written out. */
const full = (text: string): string => text.replaceAll(/(ada|bob|eve|boss)@(?![a-z])/g, '$1@example.com');

const ADA = { email: full('ada@') };
const BOB = { email: full('bob@') };
const NAMED = [{ ...ADA, firstName: 'Ada' }];
const ZOE = [{ ...ADA, firstName: 'Zoë' }];
const NO_EMAIL = '(must be an email address, such as ada@, and nothing else)';
const AS_CSV = 'Export the list as CSV with the encoding UTF-8';
const seconds = (iso: string): number => Date.parse(iso) / 1000;
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${full(text)}`, 'utf16le');
const bigEndian = (text: string): Buffer => utf16(text).swap16();
const latin1 = (text: string): Buffer => Buffer.from(full(text), 'latin1');
const written = (content: string | Uint8Array): string | Uint8Array =>
  typeof content === 'string' ? full(content) : content;

describe('read without a question', () => {
  test.each<[string, string | Uint8Array, Rows, FileOptions?]>([
    ['comma and LF', 'email,firstName\nada@,Ada\n', NAMED],
    ['no line end at the end', 'email,firstName\nada@,Ada', NAMED],
    ['CRLF', 'email,firstName\r\nada@,Ada\r\n', NAMED],
    ['CR', 'email,firstName\rada@,Ada\r', NAMED],
    ['CRLF, then LF', 'email\r\nada@\nbob@\r\n', [ADA, BOB]],
    ['LF, then CRLF', 'email\nada@\r\nbob@\n', [ADA, BOB]],
    ['semicolon', 'email;firstName\nada@;Ada\n', NAMED],
    ['tab', 'email\tfirstName\nada@\tAda\n', NAMED],
    ['bar', 'email|firstName\nada@|Ada\n', NAMED],
    ['sep=;', 'sep=;\r\nemail;firstName\r\nada@;Ada\r\n', NAMED],
    ['SEP=, behind a BOM', '\uFEFFSEP=,\nemail,firstName\nada@,Ada\n', NAMED],
    ['one column', 'email\nada@\n', [ADA]],
    ['BOM', '\uFEFFemail\nada@\n', [ADA]],
    ['BOM before a quoted header', '\uFEFF"email","firstName"\n"ada@","Ada"\n', NAMED],
    ['UTF-16 LE with tabs', utf16('email\tfirstName\r\nada@\tZoë\r\n'), ZOE],
    ['UTF-16 BE', bigEndian('email,firstName\nada@,Zoë\n'), ZOE],
    ['windows-1252', latin1('email,firstName\nada@,Zo\u00eb\n'), ZOE, { encoding: 'windows-1252' }],
    [
      'a BOM where another encoding is set',
      '\uFEFFemail,firstName\nada@,Zoë\n',
      ZOE,
      { encoding: 'windows-1252' },
    ],
    ['quotes everywhere', '"email","firstName"\n"ada@","Ada"\n', NAMED],
    ['doubled quotes', 'email,firstName\nada@,"Ada ""A"" L"\n', [{ ...ADA, firstName: 'Ada "A" L' }]],
    ['a delimiter in quotes', 'email,firstName\nada@,"L, Ada"\n', [{ ...ADA, firstName: 'L, Ada' }]],
    [
      'a delimiter in a quoted header',
      'email;"Plan, old"\nada@;Pro\n',
      [{ ...ADA, planName: 'Pro' }],
      { columns: { email: 'email', 'Plan, old': 'planName' } },
    ],
    ['a line break in a long text', 'email,notes\nada@,"one\ntwo"\n', [{ ...ADA, notes: 'one\ntwo' }]],
    ['blanks around values', 'email , firstName\n ada@ ,  Ada \n', NAMED],
    ['NBSP around values', 'email,firstName\n\u00A0ada@\u00A0,\u00A0Ada\u00A0\n', NAMED],
    ['blanks around quotes', 'email,firstName\n "ada@" , "Ada" \n', NAMED],
    ['a blank inside the quotes of an email', 'email\n" ada@ "\n', [ADA]],
    ['NBSP inside the quotes of a userId', 'userId\n"\u00A0u-1 "\n', [{ userId: 'u-1' }]],
    ['blanks inside the quotes of a text', 'email,notes\nada@," x "\n', [{ ...ADA, notes: ' x ' }]],
    ['empty lines', '\n\nemail\n\nada@\n  \n\n', [ADA]],
    ['rows of delimiters', 'email,firstName\n,\nada@,Ada\n,\n', NAMED],
    ['rows of quoted blanks', 'email,firstName\n"",""\nada@,Ada\n', NAMED],
    ['rows of delimiters above the header', ';;\n;;\nemail;firstName;\nada@;Ada;\n', NAMED],
    ['an empty nameless last column', 'email,firstName,\nada@,Ada,\n', NAMED],
    ['empty nameless columns in between', 'email,,firstName,,\nada@,,Ada,,\n', NAMED],
    ['empty cells behind the header', 'email,firstName\nada@,Ada,,\n', NAMED],
    ['only a header', 'email,firstName\n', []],
    ['Email', 'Email\nada@\n', [ADA]],
    ['E-Mail', 'E-Mail\nada@\n', [ADA]],
    [
      'EMAIL, FIRSTNAME, LASTNAME',
      'EMAIL;FIRSTNAME;LASTNAME\nada@;Ada;L\n',
      [{ ...ADA, firstName: 'Ada', lastName: 'L' }],
    ],
    ['Email Address, First Name', 'Email Address,First Name\nada@,Ada\n', NAMED],
    ['email_address, first_name', 'email_address,first_name\nada@,Ada\n', NAMED],
    ['e-mail with NBSP in the name', 'Email\u00A0address\nada@\n', [ADA]],
    ['an empty cell', 'email,firstName,planName\nada@,,Pro\n', [{ ...ADA, planName: 'Pro' }]],
    ['nullValues', 'email,firstName,planName\nada@,NULL,\\N\n', [ADA], { nullValues: ['NULL', '\\N'] }],
    ['nullValues in an identifier', 'email,userId\nada@,N/A\n', [ADA], { nullValues: ['N/A'] }],
    [
      'emptyCells: clear',
      'email,firstName,planName\nada@,,\n',
      [{ ...ADA, emptied: ['firstName', 'planName'] }],
      { emptyCells: 'clear' },
    ],
    [
      'emptyCells: clear with nullValues',
      'email,planName\nada@,NULL\n',
      [{ ...ADA, emptied: ['planName'] }],
      { emptyCells: 'clear', nullValues: ['NULL'] },
    ],
    [
      'emptyCells: clear of what cannot be cleared',
      'email,userId,subscribed,subscriptionGroups.grp_news\nada@,,,\n',
      [ADA],
      { emptyCells: 'clear' },
    ],
    [
      'only mapped columns',
      'Mail,Plan,Rest\nada@,Pro,x\n',
      [{ ...ADA, planName: 'Pro' }],
      { columns: { Mail: 'email', Plan: 'planName' } },
    ],
    [
      'a mapped column under a field name',
      'email,firstName\nada@,Pro\n',
      [{ ...ADA, planName: 'Pro' }],
      { columns: { email: 'email', firstName: 'planName' } },
    ],
    [
      'a nameless index column beside mapped ones',
      ',email,seats\n0,ada@,3\n',
      [{ ...ADA, seats: 3 }],
      { columns: { email: 'email', seats: 'seats' } },
    ],
    [
      'a group',
      'email,subscriptionGroups.grp_news\nada@,yes\n',
      [{ ...ADA, 'subscriptionGroups.grp_news': true }],
    ],
    [
      'a mapped group',
      'email,News\nada@,0\n',
      [{ ...ADA, 'subscriptionGroups.grp_news': false }],
      { columns: { email: 'email', News: 'subscriptionGroups.grp_news' } },
    ],
    ['subscribed false', 'email,subscribed\nada@,FALSE\n', [{ ...ADA, subscribed: false }]],
    ['subscribed true declares nothing', 'email,subscribed\nada@,true\n', [ADA]],
    ['true and yes', 'email,onTrial\nada@,TRUE\n,\n', [{ ...ADA, onTrial: true }]],
    ['Yes', 'email,onTrial\nada@,Yes\n', [{ ...ADA, onTrial: true }]],
    ['no', 'email,onTrial\nada@,no\n', [{ ...ADA, onTrial: false }]],
    [
      '1 and 0',
      'email,onTrial\nada@,1\nbob@,0\n',
      [
        { ...ADA, onTrial: true },
        { ...BOB, onTrial: false },
      ],
    ],
    ['a date', 'email,signedUp\nada@,2024-01-05\n', [{ ...ADA, signedUp: seconds('2024-01-05') }]],
    [
      'a date with a time',
      'email,signedUp\nada@,2024-01-05 10:22:33\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T10:22:33Z') }],
    ],
    [
      'a date without seconds',
      'email,signedUp\nada@,2024-01-05 10:22\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T10:22:00Z') }],
    ],
    [
      'a date with UTC behind',
      'email,signedUp\nada@,2024-01-05 10:22:33 UTC\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T10:22:33Z') }],
    ],
    [
      'a date with an offset',
      'email,signedUp\nada@,2024-01-05T10:22:33+01:00\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T09:22:33Z') }],
    ],
    [
      'a date of a SQL client',
      'email,signedUp\nada@,2024-01-05 10:22:33.123+00\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T10:22:33Z') }],
    ],
    ['a date in Unix seconds', 'email,signedUp\nada@,1704448953\n', [{ ...ADA, signedUp: 1704448953 }]],
    [
      'dateFormat',
      'email,signedUp\nada@,05/01/2024\n',
      [{ ...ADA, signedUp: seconds('2024-01-05') }],
      { dateFormat: { signedUp: 'dd/MM/yyyy' } },
    ],
    [
      'dateFormat with month names',
      'email,signedUp\nada@,"Jan 5, 2024 1:05 PM"\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T13:05:00Z') }],
      { dateFormat: { signedUp: 'MMM d, yyyy h:mm a' } },
    ],
    [
      'dateFormat with an offset',
      'email,signedUp\nada@,05.01.2024 10:00 +0200\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T08:00:00Z') }],
      { dateFormat: { signedUp: 'dd.MM.yyyy HH:mm ZZZ' } },
    ],
    ['a decimal number', 'email,seats\nada@,-3.50\n', [{ ...ADA, seats: -3.5 }]],
    ['a whole number of pandas', 'email,seats\nada@,3.0\n', [{ ...ADA, seats: 3 }]],
    ['digits as a text', 'email,planName\nada@,007\n', [{ ...ADA, planName: '007' }]],
    ['a userId of digits', 'userId\n0012345678901234567890\n', [{ userId: '0012345678901234567890' }]],
    ['a userId with a blank in it', 'userId\nAda 1\n', [{ userId: 'Ada 1' }]],
    ['a userId with an @ beside an email', 'email,userId\nada@,ada@crm\n', [{ ...ADA, userId: 'ada@crm' }]],
    ['JSON Lines', '{"email":"ada@","seats":3}\n{"email":"bob@"}\n', [{ ...ADA, seats: 3 }, BOB]],
    ['JSON Lines with CRLF, BOM and an empty line', '\uFEFF{"email":"ada@"}\r\n\r\n', [ADA]],
    [
      'nested properties and groups',
      '{"email":"ada@","properties":{"seats":3},"subscriptionGroups":{"grp_news":true}}',
      [{ ...ADA, seats: 3, 'subscriptionGroups.grp_news': true }],
    ],
    ['a JSON array', '[{"email":"ada@"},\n {"Email Address":"bob@"}]', [ADA, BOB]],
    ['an empty JSON array', '[]', []],
    [
      'columns in JSON',
      '[{"Mail":"ada@","Plan":"Pro","x":{}}]',
      [{ ...ADA, planName: 'Pro' }],
      { columns: { Mail: 'email', Plan: 'planName' } },
    ],
    ['null in JSON is an empty cell', '{"email":"ada@","firstName":null,"userId":null}', [ADA]],
    [
      'null in JSON with emptyCells: clear',
      '{"email":"ada@","firstName":null}',
      [{ ...ADA, emptied: ['firstName'] }],
      { emptyCells: 'clear' },
    ],
    ['an empty text in JSON is an empty cell', '{"email":"ada@","firstName":""}', [ADA]],
    [
      'texts of JSON are read as cells',
      '{"email":" ada@ ","seats":"3","onTrial":"yes","signedUp":"2024-01-05"}',
      [{ ...ADA, seats: 3, onTrial: true, signedUp: seconds('2024-01-05') }],
    ],
    ['a UTF-16 JSON array', utf16('[{"email":"ada@"}]'), [ADA]],
    [
      'a header of other columns than those that a delimiter splits most',
      'email;"a,b,c,d"\nada@;x\n',
      [ADA],
      { columns: { email: 'email' } },
    ],
    [
      'a semicolon file with commas in the header',
      'E-Mail;Name, first;Name, last;City, ZIP\nada@;Ada;L;x\n',
      NAMED,
      { columns: { 'E-Mail': 'email', 'Name, first': 'firstName' } },
    ],
  ])('%s', async (_title, content, expected, options = {}) => {
    const { rows, error } = await readFile(written(content), options);
    expect({ rows, error }).toEqual({ rows: expected, error: '' });
  });
});

describe('refused with line, reason and way out', () => {
  test.each<[string, string | Uint8Array, string, FileOptions?]>([
    ['an empty file', '', 'file.empty'],
    ['a file of blanks', '\n \n', 'file.empty'],
    ['an Excel workbook', Buffer.from('PK\x03\x04 xl/workbook.xml'), 'file.workbook'],
    [
      'an old Excel workbook',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]),
      "file.kind 'an old or protected Excel workbook' (Save it as .xlsx without a password)",
    ],
    [
      'an OpenDocument workbook',
      Buffer.from('PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
      "file.kind 'a workbook of LibreOffice' (Save it as .xlsx, or as CSV with the encoding UTF-8)",
    ],
    ['a zip archive', Buffer.from('PK\x03\x04people.csv'), "file.kind 'an archive' (Unpack it first)"],
    ['a gzip archive', Buffer.from([0x1f, 0x8b, 0x08, 0]), "file.kind 'an archive' (Unpack it first)"],
    [
      'a web page',
      '\uFEFF<!DOCTYPE html><html></html>',
      "file.kind 'a web page or XML' (Export the list again)",
    ],
    ['a PDF', '%PDF-1.7', `file.kind 'a PDF document or a Parquet file' (${AS_CSV})`],
    [
      'another encoding',
      latin1('email,firstName\nbob@,Bob\nada@,Zo\u00eb\n'),
      'file.encoding @ line 3 (utf-8)',
    ],
    ['UTF-16 without a BOM', Buffer.from('email\nada@\n', 'utf16le'), 'file.nul @ line 1 (utf-8)'],
    ['no header', 'ada@,Ada\nbob@,Bob\n', 'header.values'],
    [
      'a header in German',
      'E-Mail-Adresse;Vorname\nada@;Ada\n',
      'header.no-identifier E-Mail-Adresse, Vorname',
    ],
    ['no identifier', 'Name,Owner\nAda,boss@\n', 'header.no-identifier Name, Owner'],
    ['a table name above the header', 'Table 1\nemail,firstName\nada@,Ada\n', "header.row 'email'"],
    [
      'unknown columns',
      'Email Address,Plan,Seats,MEMBER_RATING\nada@,Pro,3,5\n',
      'header.unknown Plan, Seats, MEMBER_RATING',
    ],
    ['one unknown column', 'email,planNme\nada@,Pro\n', 'header.unknown planNme'],
    [
      'Subscribed is only said to be near',
      'email,Subscribed\nada@,false\n',
      "header.unknown Subscribed\nconsent.question Subscribed ''false' (1)'",
    ],
    [
      'Unsubscribed is near nothing',
      'email,Unsubscribed\nada@,true\n',
      "header.unknown Unsubscribed\nconsent.question Unsubscribed ''true' (1)'",
    ],
    ['User ID is not userId by itself', 'email,User ID\nada@,7\n', 'header.unknown User ID'],
    [
      'two columns that mean the email',
      'Email,email address\nada@,bob@\n',
      'header.field-twice email Email, email address',
    ],
    [
      'another spelling beside the email',
      'email,Email\nada@,bob@\n',
      'header.field-twice email email, Email',
    ],
    ['a header twice', 'email,planName,planName\nada@,a,b\n', 'header.twice planName'],
    [
      'a mapped column that is not there',
      'Mail,Plans\nada@,x\n',
      "header.missing Plan 'columns' Mail, Plans",
      { columns: { Mail: 'email', Plan: 'planName' } },
    ],
    [
      'a column mapped to nothing',
      'Mail,Plan\nada@,x\n',
      "columns.field Plan 'plan'",
      { columns: { Mail: 'email', Plan: 'plan' } },
    ],
    [
      'a group that is not there',
      'email,subscriptionGroups.x\nada@,1\n',
      'columns.group subscriptionGroups.x (is no subscription group)',
    ],
    [
      'dateFormat of no date',
      'email,seats\nada@,1\n',
      'columns.date-format seats',
      { dateFormat: { seats: 'dd/MM/yyyy' } },
    ],
    ['a value in a nameless column', ',email\n0,ada@\n1,bob@\n', 'row.nameless @ line 2 +1'],
    [
      'a row that is short',
      'email,firstName,planName\nada@,Ada\n',
      'row.shape @ line 2 (2 values, the header has 3)',
    ],
    [
      'a row that is long',
      'email,firstName\nada@,L, Ada\n',
      'row.shape @ line 2 (3 values, the header has 2)',
    ],
    ['two files joined', 'email,firstName\nada@,Ada\nemail,firstName\nbob@,Bob\n', 'row.header @ line 3'],
    [
      'a quote that is never closed',
      'email,firstName\nbob@,Bob\nada@,"Ada\neve@,Eve\n',
      'file.quote-open @ line 3',
    ],
    ['a quote in an unquoted value', 'email,firstName\nada@,Ada "A" L\n', 'file.quote-inside @ line 2'],
    ['text behind a quote', 'email,firstName\nada@,"Ada" L\n', 'file.quote-after @ line 2'],
    ['quotes that swallow rows', 'email,firstName\nada@,"Ada\nbob@,"Bob\n', 'file.quote-after @ line 3'],
    ['a line break in a name', 'email,firstName\nada@,"Ada\nL"\n', 'row.line-break @ line 3 firstName'],
    ['a line break in an email', 'email\n"ada@\nbob@"\n', 'row.line-break @ line 3 email'],
    ['a line break in a userId', 'userId\n"u-1\nu-2"\n', 'row.line-break @ line 3 userId'],
    [
      'a text that swallowed rows',
      'email,notes\nada@,"hello\nbob@,x\neve@,"\n',
      'row.swallowed @ line 4 notes',
    ],
    ['a formula', 'userId\n="001"\n', 'file.formula @ line 2'],
    ['a quoted formula', 'userId\n"=""001"""\n', `row.spreadsheet @ line 2 userId '="001"'`],
    ["a spreadsheet's number", 'userId\n4.2E+11\n', "row.spreadsheet @ line 2 userId '4.2E+11'"],
    [
      "a German spreadsheet's number",
      'userId;seats\n"4,2E+11";1\n',
      "row.spreadsheet @ line 2 userId '4,2E+11'",
    ],
    ["pandas' number", 'userId\n42.0\n', "row.spreadsheet @ line 2 userId '42.0'"],
    ["Shopify's apostrophe", "userId\n'6123456789012\n", 'row.apostrophe @ line 2 userId'],
    ['N/A', 'userId\nN/A\n', "row.placeholder @ line 2 userId 'N/A'"],
    ['#N/A', 'userId\n#N/A\n', "row.no-value @ line 2 userId '#N/A'"],
    ['NULL', 'email\nNULL\n', "row.no-value @ line 2 email 'NULL'"],
    ['-', 'userId\n-\n', "row.placeholder @ line 2 userId '-'"],
    ['\\N', 'userId\n\\N\n', "row.no-value @ line 2 userId '\\N'"],
    ['NaN', 'userId\nNaN\n', "row.no-value @ line 2 userId 'NaN'"],
    ['#REF!', 'userId\n#REF!\n', "row.placeholder @ line 2 userId '#REF!'"],
    [
      'a zero-width character in an email',
      'email\nada\u200B@example.com\n',
      'row.invisible @ line 2 email (U+200B)',
    ],
    [
      'a zero-width character at the end of a userId',
      'userId\nu-1\u200B\n',
      'row.invisible @ line 2 userId (U+200B)',
    ],
    ['NBSP in a userId', 'userId\nu\u00A01\n', 'row.invisible @ line 2 userId (U+00A0)'],
    ['a soft hyphen', 'userId\nu\u00AD1\n', 'row.invisible @ line 2 userId (U+00AD)'],
    ['a smart quote around an email', 'email\n“ada@”, \n', 'row.quotes @ line 2 email'],
    ['a name with an address', 'email\nAda <ada@>\n', `row.reason @ line 2 email ${NO_EMAIL}`],
    ['a totals row', 'email,seats\nada@,3\nTotal,3\n', `row.reason @ line 3 email ${NO_EMAIL}`],
    ['neither email nor userId', 'email,firstName\n,Ada\n', 'row.no-identifier @ line 2'],
    ['a userId that is an address', 'userId\nada@\n', 'row.address @ line 2 userId'],
    [
      'a userId that is a path',
      'userId\nproperties\n',
      "row.reason @ line 2 userId ('properties' has another meaning in a URL; use the contact's email address)",
    ],
    [
      'a date of which day and month are not known',
      'email,signedUp\nada@,05/01/2024\n',
      "row.date-form @ line 2 signedUp '05/01/2024' (a date, such as 2026-01-31, 2026-01-31T09:30:00Z or Unix time in seconds)",
    ],
    [
      'a date in milliseconds',
      'email,signedUp\nada@,1704448953000\n',
      "row.looks @ line 2 signedUp '1704448953000' (looks like milliseconds: divide it by 1000, which is 1704448953)",
    ],
    [
      'a day number',
      'email,signedUp\nada@,45296\n',
      "row.looks @ line 2 signedUp '45296' (looks like a year, 0 or the day number of a spreadsheet: write a date, such as 2026-01-31)",
    ],
    [
      'a date that dateFormat does not fit',
      'email,signedUp\nada@,13/13/2024\n',
      "row.date @ line 2 signedUp '13/13/2024' (dd/MM/yyyy)",
      { dateFormat: { signedUp: 'dd/MM/yyyy' } },
    ],
    [
      'an ISO date where dateFormat has another form',
      'email,signedUp\nada@,2024-01-05\n',
      "row.date @ line 2 signedUp '2024-01-05' (dd/MM/yyyy)",
      { dateFormat: { signedUp: 'dd/MM/yyyy' } },
    ],
    [
      'an address in another column, which no message shows',
      'email,seats\nada@,bob@\n',
      'row.value @ line 2 seats (a number, such as 42 or -3.5)',
    ],
    ['a decimal comma', 'email;seats\nada@;1.234,5\n', "row.comma @ line 2 seats '1.234,5'"],
    ['a thousands separator', 'email;seats\nada@;1,234\n', "row.comma @ line 2 seats '1,234'"],
    [
      'a number beyond 2^53',
      'email,seats\nada@,9007199254740993\n',
      "row.reason @ line 2 seats '9007199254740993' (is a number beyond 2^53, which would be rounded: write it as text)",
    ],
    [
      'WAHR',
      'email,onTrial\nada@,WAHR\n',
      "row.value @ line 2 onTrial 'WAHR' (true or false, yes or no, 1 or 0)",
    ],
    [
      'SUBSCRIBED',
      'email,subscribed\nada@,SUBSCRIBED\n',
      "row.value @ line 2 subscribed 'SUBSCRIBED' (true or false, yes or no, 1 or 0)",
    ],
    ['an object that is no list', '{\n  "contacts": []\n}\n', 'header.no-identifier contacts'],
    ['an error as JSON', '{"error":"not found"}', 'header.no-identifier error'],
    ['a JSON array that is cut off', '[{"email":"ada@"},\n{"em', 'file.json-cut'],
    ['a JSON array of texts', '["ada@"]', 'file.json @ item 1'],
    ['a JSON line that is cut off', '{"email":"ada@"}\n{"em', 'file.json-cut'],
    [
      'a name twice in JSON',
      '{"email":"ada@","email":"bob@"}',
      "file.json-lost @ line 1 (has the name 'email' twice: one of the two would be lost)",
    ],
    ['a field twice in JSON', '{"email":"ada@","Email":"bob@"}', 'row.twice @ line 1 email'],
    [
      'a number beyond 2^53 in JSON',
      '{"userId":9007199254740993}',
      'file.json-lost @ line 1 (has the number 9007199254740993 beyond 2^53, which would be rounded: write it as text)',
    ],
    ['a number as an identifier in JSON', '{"userId":42}', 'row.value @ line 1 userId (text, not a number)'],
    [
      'a number as a text in JSON',
      '{"email":"ada@","planName":42}',
      'row.value @ line 1 planName (text, not a number)',
    ],
    [
      'an object as a value in JSON',
      '{"email":"ada@","seats":{}}',
      'row.value @ line 1 seats (a number, such as 42 or -3.5, not an object)',
    ],
    ['properties that are no object', '{"email":"ada@","properties":1}', 'header.unknown properties'],
  ])('%s', async (_title, content, expected, options = {}) => {
    const { problems } = await readFile(written(content), options);
    expect(problems.join('\n')).toBe(full(expected));
  });
});
