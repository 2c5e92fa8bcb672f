import { readFile } from '../../../../testing/read-file.js';
import type { FileOptions } from './options.js';

type Rows = readonly Readonly<Record<string, unknown>>[];

const ADA = { email: 'ada@example.com' };
const seconds = (iso: string): number => Date.parse(iso) / 1000;
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const bigEndian = (text: string): Buffer => utf16(text).swap16();
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('read without a question', () => {
  test.each<[string, string | Uint8Array, Rows, FileOptions?]>([
    ['comma and LF', 'email,firstName\nada@example.com,Ada\n', [{ ...ADA, firstName: 'Ada' }]],
    ['no line end at the end', 'email,firstName\nada@example.com,Ada', [{ ...ADA, firstName: 'Ada' }]],
    ['CRLF', 'email,firstName\r\nada@example.com,Ada\r\n', [{ ...ADA, firstName: 'Ada' }]],
    ['CR', 'email,firstName\rada@example.com,Ada\r', [{ ...ADA, firstName: 'Ada' }]],
    ['CRLF, then LF', 'email\r\nada@example.com\nbob@example.com\r\n', [ADA, { email: 'bob@example.com' }]],
    ['LF, then CRLF', 'email\nada@example.com\r\nbob@example.com\n', [ADA, { email: 'bob@example.com' }]],
    ['semicolon', 'email;firstName\nada@example.com;Ada\n', [{ ...ADA, firstName: 'Ada' }]],
    ['tab', 'email\tfirstName\nada@example.com\tAda\n', [{ ...ADA, firstName: 'Ada' }]],
    ['bar', 'email|firstName\nada@example.com|Ada\n', [{ ...ADA, firstName: 'Ada' }]],
    ['sep=;', 'sep=;\r\nemail;firstName\r\nada@example.com;Ada\r\n', [{ ...ADA, firstName: 'Ada' }]],
    [
      'SEP=, behind a BOM',
      '\uFEFFSEP=,\nemail,firstName\nada@example.com,Ada\n',
      [{ ...ADA, firstName: 'Ada' }],
    ],
    ['one column', 'email\nada@example.com\n', [ADA]],
    ['BOM', '\uFEFFemail\nada@example.com\n', [ADA]],
    [
      'BOM before a quoted header',
      '\uFEFF"email","firstName"\n"ada@example.com","Ada"\n',
      [{ ...ADA, firstName: 'Ada' }],
    ],
    [
      'UTF-16 LE with tabs',
      utf16('email\tfirstName\r\nada@example.com\tZoë\r\n'),
      [{ ...ADA, firstName: 'Zoë' }],
    ],
    ['UTF-16 BE', bigEndian('email,firstName\nada@example.com,Zoë\n'), [{ ...ADA, firstName: 'Zoë' }]],
    [
      'windows-1252',
      latin1('email,firstName\nada@example.com,Zo\u00eb\n'),
      [{ ...ADA, firstName: 'Zoë' }],
      { encoding: 'windows-1252' },
    ],
    [
      'a BOM where another encoding is set',
      '\uFEFFemail,firstName\nada@example.com,Zoë\n',
      [{ ...ADA, firstName: 'Zoë' }],
      { encoding: 'windows-1252' },
    ],
    ['quotes everywhere', '"email","firstName"\n"ada@example.com","Ada"\n', [{ ...ADA, firstName: 'Ada' }]],
    [
      'doubled quotes',
      'email,firstName\nada@example.com,"Ada ""A"" L"\n',
      [{ ...ADA, firstName: 'Ada "A" L' }],
    ],
    [
      'a delimiter in quotes',
      'email,firstName\nada@example.com,"L, Ada"\n',
      [{ ...ADA, firstName: 'L, Ada' }],
    ],
    [
      'a delimiter in a quoted header',
      'email;"Plan, old"\nada@example.com;Pro\n',
      [{ ...ADA, planName: 'Pro' }],
      { columns: { email: 'email', 'Plan, old': 'planName' } },
    ],
    [
      'a line break in a long text',
      'email,notes\nada@example.com,"one\ntwo"\n',
      [{ ...ADA, notes: 'one\ntwo' }],
    ],
    ['blanks around values', 'email , firstName\n ada@example.com ,  Ada \n', [{ ...ADA, firstName: 'Ada' }]],
    [
      'NBSP around values',
      'email,firstName\n\u00A0ada@example.com\u00A0,\u00A0Ada\u00A0\n',
      [{ ...ADA, firstName: 'Ada' }],
    ],
    [
      'blanks around quotes',
      'email,firstName\n "ada@example.com" , "Ada" \n',
      [{ ...ADA, firstName: 'Ada' }],
    ],
    ['a blank inside the quotes of an email', 'email\n" ada@example.com "\n', [ADA]],
    ['NBSP inside the quotes of a userId', 'userId\n"\u00A0u-1 "\n', [{ userId: 'u-1' }]],
    [
      'blanks inside the quotes of a text',
      'email,notes\nada@example.com," x "\n',
      [{ ...ADA, notes: ' x ' }],
    ],
    ['empty lines', '\n\nemail\n\nada@example.com\n  \n\n', [ADA]],
    ['rows of delimiters', 'email,firstName\n,\nada@example.com,Ada\n,\n', [{ ...ADA, firstName: 'Ada' }]],
    [
      'rows of quoted blanks',
      'email,firstName\n"",""\nada@example.com,Ada\n',
      [{ ...ADA, firstName: 'Ada' }],
    ],
    [
      'rows of delimiters above the header',
      ';;\n;;\nemail;firstName;\nada@example.com;Ada;\n',
      [{ ...ADA, firstName: 'Ada' }],
    ],
    [
      'an empty nameless last column',
      'email,firstName,\nada@example.com,Ada,\n',
      [{ ...ADA, firstName: 'Ada' }],
    ],
    [
      'empty nameless columns in between',
      'email,,firstName,,\nada@example.com,,Ada,,\n',
      [{ ...ADA, firstName: 'Ada' }],
    ],
    [
      'empty cells behind the header',
      'email,firstName\nada@example.com,Ada,,\n',
      [{ ...ADA, firstName: 'Ada' }],
    ],
    ['only a header', 'email,firstName\n', []],
    ['Email', 'Email\nada@example.com\n', [ADA]],
    ['E-Mail', 'E-Mail\nada@example.com\n', [ADA]],
    [
      'EMAIL, FIRSTNAME, LASTNAME',
      'EMAIL;FIRSTNAME;LASTNAME\nada@example.com;Ada;L\n',
      [{ ...ADA, firstName: 'Ada', lastName: 'L' }],
    ],
    [
      'Email Address, First Name',
      'Email Address,First Name\nada@example.com,Ada\n',
      [{ ...ADA, firstName: 'Ada' }],
    ],
    [
      'email_address, first_name',
      'email_address,first_name\nada@example.com,Ada\n',
      [{ ...ADA, firstName: 'Ada' }],
    ],
    ['e-mail with NBSP in the name', 'Email\u00A0address\nada@example.com\n', [ADA]],
    ['an empty cell', 'email,firstName,planName\nada@example.com,,Pro\n', [{ ...ADA, planName: 'Pro' }]],
    [
      'nullValues',
      'email,firstName,planName\nada@example.com,NULL,\\N\n',
      [ADA],
      { nullValues: ['NULL', '\\N'] },
    ],
    ['nullValues in an identifier', 'email,userId\nada@example.com,N/A\n', [ADA], { nullValues: ['N/A'] }],
    [
      'emptyCells: clear',
      'email,firstName,planName\nada@example.com,,\n',
      [{ ...ADA, emptied: ['firstName', 'planName'] }],
      { emptyCells: 'clear' },
    ],
    [
      'emptyCells: clear with nullValues',
      'email,planName\nada@example.com,NULL\n',
      [{ ...ADA, emptied: ['planName'] }],
      { emptyCells: 'clear', nullValues: ['NULL'] },
    ],
    [
      'emptyCells: clear of what cannot be cleared',
      'email,userId,subscribed,subscriptionGroups.grp_news\nada@example.com,,,\n',
      [ADA],
      { emptyCells: 'clear' },
    ],
    [
      'only mapped columns',
      'Mail,Plan,Rest\nada@example.com,Pro,x\n',
      [{ ...ADA, planName: 'Pro' }],
      { columns: { Mail: 'email', Plan: 'planName' } },
    ],
    [
      'a mapped column under a field name',
      'email,firstName\nada@example.com,Pro\n',
      [{ ...ADA, planName: 'Pro' }],
      { columns: { email: 'email', firstName: 'planName' } },
    ],
    [
      'a nameless index column beside mapped ones',
      ',email,seats\n0,ada@example.com,3\n',
      [{ ...ADA, seats: 3 }],
      { columns: { email: 'email', seats: 'seats' } },
    ],
    [
      'a group',
      'email,subscriptionGroups.grp_news\nada@example.com,yes\n',
      [{ ...ADA, 'subscriptionGroups.grp_news': true }],
    ],
    [
      'a mapped group',
      'email,News\nada@example.com,0\n',
      [{ ...ADA, 'subscriptionGroups.grp_news': false }],
      { columns: { email: 'email', News: 'subscriptionGroups.grp_news' } },
    ],
    ['subscribed false', 'email,subscribed\nada@example.com,FALSE\n', [{ ...ADA, subscribed: false }]],
    ['subscribed true declares nothing', 'email,subscribed\nada@example.com,true\n', [ADA]],
    ['true and yes', 'email,onTrial\nada@example.com,TRUE\n,\n', [{ ...ADA, onTrial: true }]],
    ['Yes', 'email,onTrial\nada@example.com,Yes\n', [{ ...ADA, onTrial: true }]],
    ['no', 'email,onTrial\nada@example.com,no\n', [{ ...ADA, onTrial: false }]],
    [
      '1 and 0',
      'email,onTrial\nada@example.com,1\nbob@example.com,0\n',
      [
        { ...ADA, onTrial: true },
        { email: 'bob@example.com', onTrial: false },
      ],
    ],
    ['a date', 'email,signedUp\nada@example.com,2024-01-05\n', [{ ...ADA, signedUp: seconds('2024-01-05') }]],
    [
      'a date with a time',
      'email,signedUp\nada@example.com,2024-01-05 10:22:33\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T10:22:33Z') }],
    ],
    [
      'a date without seconds',
      'email,signedUp\nada@example.com,2024-01-05 10:22\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T10:22:00Z') }],
    ],
    [
      'a date with UTC behind',
      'email,signedUp\nada@example.com,2024-01-05 10:22:33 UTC\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T10:22:33Z') }],
    ],
    [
      'a date with an offset',
      'email,signedUp\nada@example.com,2024-01-05T10:22:33+01:00\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T09:22:33Z') }],
    ],
    [
      'a date of a SQL client',
      'email,signedUp\nada@example.com,2024-01-05 10:22:33.123+00\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T10:22:33Z') }],
    ],
    [
      'a date in Unix seconds',
      'email,signedUp\nada@example.com,1704448953\n',
      [{ ...ADA, signedUp: 1704448953 }],
    ],
    [
      'dateFormat',
      'email,signedUp\nada@example.com,05/01/2024\n',
      [{ ...ADA, signedUp: seconds('2024-01-05') }],
      { dateFormat: { signedUp: 'dd/MM/yyyy' } },
    ],
    [
      'dateFormat with month names',
      'email,signedUp\nada@example.com,"Jan 5, 2024 1:05 PM"\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T13:05:00Z') }],
      { dateFormat: { signedUp: 'MMM d, yyyy h:mm a' } },
    ],
    [
      'dateFormat with an offset',
      'email,signedUp\nada@example.com,05.01.2024 10:00 +0200\n',
      [{ ...ADA, signedUp: seconds('2024-01-05T08:00:00Z') }],
      { dateFormat: { signedUp: 'dd.MM.yyyy HH:mm ZZZ' } },
    ],
    ['a decimal number', 'email,seats\nada@example.com,-3.50\n', [{ ...ADA, seats: -3.5 }]],
    ['a whole number of pandas', 'email,seats\nada@example.com,3.0\n', [{ ...ADA, seats: 3 }]],
    ['digits as a text', 'email,planName\nada@example.com,007\n', [{ ...ADA, planName: '007' }]],
    ['a userId of digits', 'userId\n0012345678901234567890\n', [{ userId: '0012345678901234567890' }]],
    ['a userId with a blank in it', 'userId\nAda 1\n', [{ userId: 'Ada 1' }]],
    [
      'a userId with an @ beside an email',
      'email,userId\nada@example.com,ada@crm\n',
      [{ ...ADA, userId: 'ada@crm' }],
    ],
    [
      'JSON Lines',
      '{"email":"ada@example.com","seats":3}\n{"email":"bob@example.com"}\n',
      [{ ...ADA, seats: 3 }, { email: 'bob@example.com' }],
    ],
    ['JSON Lines with CRLF, BOM and an empty line', '\uFEFF{"email":"ada@example.com"}\r\n\r\n', [ADA]],
    [
      'nested properties and groups',
      '{"email":"ada@example.com","properties":{"seats":3},"subscriptionGroups":{"grp_news":true}}',
      [{ ...ADA, seats: 3, 'subscriptionGroups.grp_news': true }],
    ],
    [
      'a JSON array',
      '[{"email":"ada@example.com"},\n {"Email Address":"bob@example.com"}]',
      [ADA, { email: 'bob@example.com' }],
    ],
    ['an empty JSON array', '[]', []],
    [
      'columns in JSON',
      '[{"Mail":"ada@example.com","Plan":"Pro","x":{}}]',
      [{ ...ADA, planName: 'Pro' }],
      { columns: { Mail: 'email', Plan: 'planName' } },
    ],
    ['null in JSON is an empty cell', '{"email":"ada@example.com","firstName":null,"userId":null}', [ADA]],
    [
      'null in JSON with emptyCells: clear',
      '{"email":"ada@example.com","firstName":null}',
      [{ ...ADA, emptied: ['firstName'] }],
      { emptyCells: 'clear' },
    ],
    ['an empty text in JSON is an empty cell', '{"email":"ada@example.com","firstName":""}', [ADA]],
    [
      'texts of JSON are read as cells',
      '{"email":" ada@example.com ","seats":"3","onTrial":"yes","signedUp":"2024-01-05"}',
      [{ ...ADA, seats: 3, onTrial: true, signedUp: seconds('2024-01-05') }],
    ],
    ['a UTF-16 JSON array', utf16('[{"email":"ada@example.com"}]'), [ADA]],
    [
      'a header of other columns than those that a delimiter splits most',
      'email;"a,b,c,d"\nada@example.com;x\n',
      [ADA],
      { columns: { email: 'email' } },
    ],
    [
      'a semicolon file with commas in the header',
      'E-Mail;Name, first;Name, last;City, ZIP\nada@example.com;Ada;L;x\n',
      [{ ...ADA, firstName: 'Ada' }],
      { columns: { 'E-Mail': 'email', 'Name, first': 'firstName' } },
    ],
  ])('%s', async (_title, content, expected, options = {}) => {
    const { rows, error } = await readFile(content, options);
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
    [
      'a PDF',
      '%PDF-1.7',
      "file.kind 'a PDF document or a Parquet file' (Export the list as CSV with the encoding UTF-8)",
    ],
    [
      'another encoding',
      latin1('email,firstName\nbob@example.com,Bob\nada@example.com,Zo\u00eb\n'),
      'file.encoding @ line 3 (utf-8)',
    ],
    ['UTF-16 without a BOM', Buffer.from('email\nada@example.com\n', 'utf16le'), 'file.nul @ line 1 (utf-8)'],
    ['no header', 'ada@example.com,Ada\nbob@example.com,Bob\n', 'header.values'],
    [
      'a header in German',
      'E-Mail-Adresse;Vorname\nada@example.com;Ada\n',
      'header.no-identifier E-Mail-Adresse, Vorname',
    ],
    ['no identifier', 'Name,Owner\nAda,boss@example.com\n', 'header.no-identifier Name, Owner'],
    [
      'a table name above the header',
      'Table 1\nemail,firstName\nada@example.com,Ada\n',
      "header.row 'email'",
    ],
    [
      'unknown columns',
      'Email Address,Plan,Seats,MEMBER_RATING\nada@example.com,Pro,3,5\n',
      'header.unknown Plan, Seats, MEMBER_RATING',
    ],
    ['one unknown column', 'email,planNme\nada@example.com,Pro\n', 'header.unknown planNme'],
    [
      'Subscribed is only said to be near',
      'email,Subscribed\nada@example.com,false\n',
      "header.unknown Subscribed\nconsent.question Subscribed ''false' (1)'",
    ],
    [
      'Unsubscribed is near nothing',
      'email,Unsubscribed\nada@example.com,true\n',
      "header.unknown Unsubscribed\nconsent.question Unsubscribed ''true' (1)'",
    ],
    ['User ID is not userId by itself', 'email,User ID\nada@example.com,7\n', 'header.unknown User ID'],
    [
      'two columns that mean the email',
      'Email,email address\nada@example.com,bob@example.com\n',
      'header.field-twice email Email, email address\nheader.no-identifier Email, email address',
    ],
    [
      'another spelling beside the email',
      'email,Email\nada@example.com,bob@example.com\n',
      'header.field-twice email email, Email',
    ],
    ['a header twice', 'email,planName,planName\nada@example.com,a,b\n', 'header.twice planName'],
    [
      'a mapped column that is not there',
      'Mail,Plans\nada@example.com,x\n',
      "header.missing Plan 'columns' Mail, Plans",
      { columns: { Mail: 'email', Plan: 'planName' } },
    ],
    [
      'a column mapped to nothing',
      'Mail,Plan\nada@example.com,x\n',
      "columns.field Plan 'plan'",
      { columns: { Mail: 'email', Plan: 'plan' } },
    ],
    [
      'a group that is not there',
      'email,subscriptionGroups.x\nada@example.com,1\n',
      'columns.group subscriptionGroups.x (is no subscription group)',
    ],
    [
      'dateFormat of no date',
      'email,seats\nada@example.com,1\n',
      'columns.date-format seats',
      { dateFormat: { seats: 'dd/MM/yyyy' } },
    ],
    [
      'a value in a nameless column',
      ',email\n0,ada@example.com\n1,bob@example.com\n',
      'row.nameless @ line 2 +1',
    ],
    [
      'a row that is short',
      'email,firstName,planName\nada@example.com,Ada\n',
      'row.shape @ line 2 (2 values, the header has 3)',
    ],
    [
      'a row that is long',
      'email,firstName\nada@example.com,L, Ada\n',
      'row.shape @ line 2 (3 values, the header has 2)',
    ],
    [
      'two files joined',
      'email,firstName\nada@example.com,Ada\nemail,firstName\nbob@example.com,Bob\n',
      'row.header @ line 3',
    ],
    [
      'a quote that is never closed',
      'email,firstName\nbob@example.com,Bob\nada@example.com,"Ada\neve@example.com,Eve\n',
      'file.quote-open @ line 3',
    ],
    [
      'a quote in an unquoted value',
      'email,firstName\nada@example.com,Ada "A" L\n',
      'file.quote-inside @ line 2',
    ],
    ['text behind a quote', 'email,firstName\nada@example.com,"Ada" L\n', 'file.quote-after @ line 2'],
    [
      'quotes that swallow rows',
      'email,firstName\nada@example.com,"Ada\nbob@example.com,"Bob\n',
      'file.quote-after @ line 3',
    ],
    [
      'a line break in a name',
      'email,firstName\nada@example.com,"Ada\nL"\n',
      'row.line-break @ line 3 firstName',
    ],
    [
      'a line break in an email',
      'email\n"ada@example.com\nbob@example.com"\n',
      'row.line-break @ line 3 email',
    ],
    ['a line break in a userId', 'userId\n"u-1\nu-2"\n', 'row.line-break @ line 3 userId'],
    [
      'a text that swallowed rows',
      'email,notes\nada@example.com,"hello\nbob@example.com,x\neve@example.com,"\n',
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
    ['a smart quote around an email', 'email\n“ada@example.com”, \n', 'row.quotes @ line 2 email'],
    [
      'a name with an address',
      'email\nAda <ada@example.com>\n',
      'row.reason @ line 2 email (must be an email address, such as ada@example.com, and nothing else)',
    ],
    [
      'a totals row',
      'email,seats\nada@example.com,3\nTotal,3\n',
      'row.reason @ line 3 email (must be an email address, such as ada@example.com, and nothing else)',
    ],
    ['neither email nor userId', 'email,firstName\n,Ada\n', 'row.no-identifier @ line 2'],
    ['a userId that is an address', 'userId\nada@example.com\n', 'row.address @ line 2 userId'],
    [
      'a userId that is a path',
      'userId\nproperties\n',
      "row.reason @ line 2 userId ('properties' has another meaning in a URL; use the contact's email address)",
    ],
    [
      'a date of which day and month are not known',
      'email,signedUp\nada@example.com,05/01/2024\n',
      "row.date-form @ line 2 signedUp '05/01/2024' (a date, such as 2026-01-31, 2026-01-31T09:30:00Z or Unix time in seconds)",
    ],
    [
      'a date in milliseconds',
      'email,signedUp\nada@example.com,1704448953000\n',
      "row.looks @ line 2 signedUp '1704448953000' (looks like milliseconds: divide it by 1000, which is 1704448953)",
    ],
    [
      'a day number',
      'email,signedUp\nada@example.com,45296\n',
      "row.looks @ line 2 signedUp '45296' (looks like a year, 0 or the day number of a spreadsheet: write a date, such as 2026-01-31)",
    ],
    [
      'a date that dateFormat does not fit',
      'email,signedUp\nada@example.com,13/13/2024\n',
      "row.date @ line 2 signedUp '13/13/2024' (dd/MM/yyyy)",
      { dateFormat: { signedUp: 'dd/MM/yyyy' } },
    ],
    [
      'an ISO date where dateFormat has another form',
      'email,signedUp\nada@example.com,2024-01-05\n',
      "row.date @ line 2 signedUp '2024-01-05' (dd/MM/yyyy)",
      { dateFormat: { signedUp: 'dd/MM/yyyy' } },
    ],
    [
      'an address in another column, which no message shows',
      'email,seats\nada@example.com,bob@example.com\n',
      'row.value @ line 2 seats (a number, such as 42 or -3.5)',
    ],
    ['a decimal comma', 'email;seats\nada@example.com;1.234,5\n', "row.comma @ line 2 seats '1.234,5'"],
    ['a thousands separator', 'email;seats\nada@example.com;1,234\n', "row.comma @ line 2 seats '1,234'"],
    [
      'a number beyond 2^53',
      'email,seats\nada@example.com,9007199254740993\n',
      "row.reason @ line 2 seats '9007199254740993' (is a number beyond 2^53, which would be rounded: write it as text)",
    ],
    [
      'WAHR',
      'email,onTrial\nada@example.com,WAHR\n',
      "row.value @ line 2 onTrial 'WAHR' (true or false, yes or no, 1 or 0)",
    ],
    [
      'SUBSCRIBED',
      'email,subscribed\nada@example.com,SUBSCRIBED\n',
      "row.value @ line 2 subscribed 'SUBSCRIBED' (true or false, yes or no, 1 or 0)",
    ],
    ['an object that is no list', '{\n  "contacts": []\n}\n', 'header.no-identifier contacts'],
    ['an error as JSON', '{"error":"not found"}', 'header.no-identifier error'],
    ['a JSON array that is cut off', '[{"email":"ada@example.com"},\n{"em', 'file.json-cut'],
    ['a JSON array of texts', '["ada@example.com"]', 'file.json @ item 1'],
    ['a JSON line that is cut off', '{"email":"ada@example.com"}\n{"em', 'file.json-cut'],
    [
      'a name twice in JSON',
      '{"email":"ada@example.com","email":"bob@example.com"}',
      "file.json-lost @ line 1 (has the name 'email' twice: one of the two would be lost)",
    ],
    [
      'a field twice in JSON',
      '{"email":"ada@example.com","Email":"bob@example.com"}',
      'row.twice @ line 1 email',
    ],
    [
      'a number beyond 2^53 in JSON',
      '{"userId":9007199254740993}',
      'file.json-lost @ line 1 (has the number 9007199254740993 beyond 2^53, which would be rounded: write it as text)',
    ],
    ['a number as an identifier in JSON', '{"userId":42}', 'row.value @ line 1 userId (text, not a number)'],
    [
      'a number as a text in JSON',
      '{"email":"ada@example.com","planName":42}',
      'row.value @ line 1 planName (text, not a number)',
    ],
    [
      'an object as a value in JSON',
      '{"email":"ada@example.com","seats":{}}',
      'row.value @ line 1 seats (a number, such as 42 or -3.5, not an object)',
    ],
    [
      'properties that are no object',
      '{"email":"ada@example.com","properties":1}',
      'header.unknown properties',
    ],
  ])('%s', async (_title, content, expected, options = {}) => {
    const { problems } = await readFile(content, options);
    expect(problems.join('\n')).toBe(expected);
  });
});
