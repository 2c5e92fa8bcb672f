import { digits, shortened, wordProblem, wordSentence, type Sentence } from 'audience-core/internal';
import type { FileCode, FileProblem } from '../contact-file/problems.js';
import type { TextCount } from '../contact-file/texts.js';
import { limited, wordFact } from './words.js';

/** Messages about a file of contacts, as in `sentences.ts`. The sentence of a row follows its location and value. */
export const FILE_SENTENCES: Readonly<Record<FileCode, Sentence<FileProblem>>> = {
  'file.missing':
    'the file does not exist. Give its path from the folder of the program, or an absolute path.',
  'file.unreadable': 'the file cannot be read ({given}). Check that it is a file, and its permissions.',
  'file.large': "the file is larger than {count} MB. Use the service's own import.",
  'file.many': "the list has more than {count:row}. Use the service's own import.",
  'file.encoding':
    "is not {expected} text. Save the file, or the workbook, as 'CSV UTF-8', or set encoding, for example 'windows-1252' or 'utf-16le'.",
  'file.empty': 'the file is empty. A list without contacts still has its header.',
  'file.quote-open': 'has a quoted value that is never closed.',
  'file.quote':
    'has a quote inside an unquoted value, or text after a closing quote. Double the quotes of a value; export a formula such as ="001" as text.',

  'header.values':
    'the file begins with a row of values. Put a header above it, for example email,firstName.',
  'header.equal': 'the headers {names!} are equal (case, blanks, - and _ do not count). Rename one of them.',
  'header.twice': "{names!} are read as the same field. In columns, write '' for one of them.",
  'header.missing': "the header has no '{subject}', which columns or consent names. It has {names!}.",
  'header.no-identifier':
    "no column is email or userId. The header has {names!}. In columns, write 'email' for the right one.",
  'header.undecided':
    "{count:column} {count?is/are} neither a field nor named in the program: {names!}. In columns, write a field or ''. If it says who wants mail, name it in consent.",
  'array.unknown':
    '{count:name} {count?is/are} neither a field nor a contact property: {names!}. Declare a ContactProperty, or correct the name.',
  'columns.blank': "columns: '{subject}' is '?'. Write a field, or an empty text.",
  'columns.subscribed':
    "columns: '{subject}' cannot be 'subscribed' in a file. Say in consent who wants mail.",
  'columns.reserved':
    "columns: '{subject}' is '{given}', which no row can set. Write a field or a contact property, or an empty text.",
  'columns.field':
    "columns: '{subject}' is '{given}', which is neither a field nor a contact property. Declare a ContactProperty, or correct the name.",
  'dateFormat.field': "dateFormat: '{subject}' is not a field or contact property of type date.",
  'consent.needed':
    "the list causes mail (createWithEvent or a group), so consent has to say who wants it: an answer to each text of a column, or 'mail' or 'no mail' if all rows want the same.",
  'consent.unanswered': ({ subject = '', texts = [] }) =>
    `column '${subject}' has texts without an answer in consent: ${textsOf(texts)}. Answer each with 'mail', 'no mail' or 'skip'.`,

  'row.long': 'has {expected}. Is a delimiter unquoted?',
  'row.twice': 'has two values. Remove one of them.',
  'row.not-clearable': 'cannot be cleared. Remove it.',
  'row.no-identifier': 'has neither an email nor a userId.',
  'row.address':
    "has an @, so we assume that the service reads it as an email address: declare the contact's 'email' as well.",
  'row.line-break': 'has a line break in it. Is a quote missing?',
  'row.quotes': 'begins with a quotation mark or an apostrophe. Delete the marks in the file.',
  'row.invisible': 'has an invisible character in it. Type the value in by hand.',
  'row.placeholder': 'is a placeholder. Empty the cell, or add this text to nullValues.',
  'row.spreadsheet':
    'is how a spreadsheet writes a number, so digits may be lost. Format the column as text, and export it again.',
  'row.two-ways':
    'can be read as two numbers. Format the cells without thousands and with a decimal point, or use a contact property of type string.',
  'row.date-format': 'must be a date in the form {expected}, as dateFormat says.',
  'row.date': ({ issue }) => `${worded(issue)}. For another form, set dateFormat.`,
  'row.value': ({ issue }) => `${worded(issue)}.`,
  /** A reason from another catalogue. */
  'row.reason': '{expected}.',

  'note.read': '{count:row} read, with {names}.',
  'note.no-mail': "{count:row} with 'no mail'.",
  'note.skipped': "{count:row} left out by 'skip' in consent.",
  'note.no-identifier': '{count:row} without an email and a userId left out.',
  'note.no-consent':
    'Consent is not needed: without createWithEvent and without a group, the list causes no mail.',

  'wayOut.copy': ({ expected = '' }) =>
    [
      'Copy these inputs, and check each line of them:',
      expected,
      // A period behind the inputs would be copied, too.
      expected.includes('"?"') ? BLANKS : 'Then run it again.',
    ].join('\n'),
};

const BLANKS =
  'Replace each "?": in columns by a field, or "" for a column that is not read, in consent by "mail", "no mail" or "skip". In consent, "" is the empty cell, and "*" every other text. From consent, delete columns that say nothing about mail. If all rows want the same, consent is "mail" or "no mail".';

/** `'active' (290), 'left' (10)`. */
function textsOf(texts: readonly TextCount[]): string {
  return texts.map(([text, count]) => `'${shortened(text, 40)}' (${digits(count)})`).join(', ');
}

function worded(issue: FileProblem['issue']): string {
  return issue === undefined ? 'cannot be used' : wordProblem(issue);
}

/** A problem without its source and location. */
export function fileText(problem: FileProblem): string {
  return wordSentence(FILE_SENTENCES[problem.code], problem, wordFact);
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
  const more = rest > 0 ? ` and ${digits(rest)} more` : '';
  return `${source}, ${lead}${text}${others.length > 0 ? ` The same in ${others.join(', ')}${more}.` : ''}`;
}

/** Why a file is refused, and the way out. */
export function fileRefusal(
  source: string,
  problems: readonly FileProblem[],
  wayOut: readonly FileProblem[],
): string {
  const lines = limited(problems.map((problem) => sentenceOf(source, problem)));
  return [...lines, ...wayOut.map((one) => fileText(one))].join('\n');
}
