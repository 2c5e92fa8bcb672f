import { fill } from './words.js';

/** What a message about a file tells. */
interface FileFacts {
  /** The header, field, group or sheet. */
  readonly subject?: string | undefined;
  /** The value or text of the file; absent where it is not shown. */
  readonly given?: string | undefined;
  readonly expected?: string | undefined;
  readonly names?: readonly string[];
  /** How many rows have it. */
  readonly count?: number;
  /** Where it is, such as `line 7`: the first ones. */
  readonly locations?: readonly string[];
}

/** What a person reads about a file of contacts, as in `messages.ts`. A row's sentence follows its location and value. */
export const FILE_MESSAGES = {
  'file.missing':
    'the file does not exist. Give its path from the folder of the program, or an absolute path.',
  'file.unreadable': 'the file cannot be read ({given}). Check that it is a file, and its permissions.',
  'file.kind': 'the file is {given}. {expected}.',
  'file.workbook': 'the workbook cannot be read. Open it in Excel, and save it as .xlsx.',
  'file.encoding':
    "is not {expected} text. Save the file as 'CSV UTF-8', or set encoding, for example 'windows-1252' or 'utf-16le'.",
  'file.empty': 'the file is empty from {expected} on. A list without contacts still has its header.',
  'file.quote-open': 'has a quoted value that is never closed.',
  'file.quote':
    'has a quote inside an unquoted value, or text after a closing quote. Double the quotes of a value; export a formula such as ="001" as text.',
  'file.json':
    'is not a JSON object. Write one object a line, or one array of objects. Was the file cut off?',
  'file.sheet': 'the workbook has the sheets {names!}. Set sheet to the one with the contacts.',
  'header.values':
    'the file begins with a row of values. Put a header above it, for example email,firstName.',
  'header.row': "the header is not at the top: line {count} has '{given}'. Set headerRow: {count}.",
  'header.no-identifier':
    "no column is email or userId. The header has {names!}. Map one of them to 'email' in columns.",
  'header.missing': "the header has no '{subject}', which columns or unsubscribed names. It has {names!}.",
  'header.twice': '{names!} mean the same field. Remove one of them, or choose one in columns.',
  'header.unknown':
    '{count:column} {count?is/are} neither a field nor a contact property: {names!}. Declare a ContactProperty, or list the columns to read in columns.',
  'columns.field':
    "columns: '{subject}' is '{given}', which is neither a field nor a contact property that can be set. Declare a ContactProperty, or correct the name.",
  'columns.date-format': "dateFormat: '{subject}' is not a contact property of type date.",
  'consent.question': ({ subject, given, expected }) => {
    const header = JSON.stringify(subject);
    const yes =
      expected === undefined ? '' : ` columns: { ${header}: "${expected}" } if yes means subscribed;`;
    return `column '${subject}' may say who wants no mail, and holds ${given}. Say what these texts mean:${yes} unsubscribed: { ${header}: [texts that mean no mail] }; or columns: { ${header}: null } to leave it unread.`;
  },
  'consent.unlisted':
    "column '{subject}' has {given}, which may mean no mail. Add {count?it/them} to unsubscribed. If no text of this column means no mail, set an empty list.",
  'rows.invalid': "{count} of {expected} are invalid, and invalidRows: 'skip' leaves out at most 5 %.",
  'row.shape': 'has {expected}. Is a delimiter unquoted, or was the file cut off?',
  'row.header': 'is the header again. Were two files joined?',
  'row.nameless': 'has a value in a column without a name. Name the column, or set columns.',
  'row.not-clearable': 'cannot be cleared. Remove it.',
  'row.no-identifier': "has neither an email nor a userId. Set invalidRows: 'skip' to leave out such rows.",
  'row.address':
    "has an @, so the service reads it as an email address: declare the contact's 'email' as well.",
  'row.line-break': 'has a line break in it. Is a quote missing?',
  'row.quotes': 'begins with a quotation mark or an apostrophe. Delete the marks in the file.',
  'row.invisible': 'has the invisible character {expected} in it. Type the value in by hand.',
  'row.placeholder': 'is a placeholder. Empty the cell, or add this text to nullValues.',
  'row.spreadsheet':
    'is how a spreadsheet writes a number, so digits may be lost. Format the column as text, and export it again.',
  'row.no-value': 'usually means "no value". Add this text to nullValues.',
  'row.decoded': 'was read in a wrong encoding before it was saved. Export the list again as UTF-8.',
  'row.text-cell': 'must be text. In a workbook, format the column as text, and type it in again.',
  'row.two-ways': 'can be read as two numbers. Write 1.2340 or 1234, or save the list as .xlsx.',
  'row.date-format': 'must be a date in the form {expected}, as dateFormat says.',
  'row.date': '{expected}. For another form, set dateFormat, or save the list as .xlsx.',
  /** A reason of another catalogue. */
  reason: '{expected}.',

  'wayOut.copy': 'Copy these inputs, and check each line of them:\n{expected}',
  'wayOut.skip':
    "Correct the file, or set invalidRows: 'skip' to leave out up to 5 % of the rows. 'pulumi-audience check FILE --rejects OUT' writes all of them.",
  'note.read': '{count:row} read, with {names}.',
  'note.unread': 'Columns that are not read: {names!}.',
  'note.unsubscribed': "{count:row} with 'subscribed: false'.",
  'note.withoutIdentifier': '{count:row} without an email and a userId left out.',
  'note.skipped': '{count:row} of {expected} skipped:',
} as const satisfies Readonly<Record<string, string | ((facts: FileFacts) => string)>>;

export type FileCode = keyof typeof FILE_MESSAGES;

/** What is wrong with a file or what a plan notes of it, as data. */
export interface FileProblem extends FileFacts {
  readonly code: FileCode;
}

/** A problem without its source and location. */
export function fileText(problem: FileProblem): string {
  const message: string | ((facts: FileFacts) => string) = FILE_MESSAGES[problem.code];
  return typeof message === 'string' ? fill(message, problem) : message(problem);
}

/** `'people.csv', line 7: email 'N/A' is a placeholder. …` */
export function sentenceOf(source: string, problem: FileProblem): string {
  const { subject, given, locations = [], count = locations.length } = problem;
  const text = fileText(problem);
  const [first, ...others] = locations;
  if (first === undefined) return `${source}: ${text}`;
  const value = given === undefined ? '' : `'${given}' `;
  const lead = subject === undefined ? `${first} ` : `${first}: ${subject} ${value}`;
  const rest = count - locations.length;
  const more = rest > 0 ? ` and ${rest.toLocaleString('en')} more` : '';
  return `${source}, ${lead}${text}${others.length > 0 ? ` The same in ${others.join(', ')}${more}.` : ''}`;
}
