import { didYouMean, listed, wordSentence, type Sentence } from '../words.js';

/** Field names and list positions that lead to a value; empty for the input as a whole. */
export type FieldPath = readonly (string | number)[];

/** The data of a problem, without its code. */
export interface ProblemFacts {
  /** What would be right: a form, a bound, or the values that are allowed. */
  readonly expected?: Form | number | readonly string[] | undefined;
  /** What was given: the kind of the value, such as `string`, or the name or character that is wrong. */
  readonly given?: string | undefined;
  /** What to write instead, where that is known. */
  readonly wayOut?: string | undefined;
}

/** What is wrong with a value. */
export interface ProblemDetails extends ProblemFacts {
  readonly code: ProblemCode;
}

/** What is wrong with an input, and where. */
export interface Problem extends ProblemDetails {
  readonly path: FieldPath;
}

/** Begins the error about the options of a client. */
export const CANNOT_BE_MADE = 'The client cannot be made';

/** Forms that a value can be expected to have; each completes "must be …". */
const FORMS = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  date: 'a date (a Date or whole Unix seconds)',
  writtenNumber: 'a number, such as 42 or -3.5',
  writtenDate: 'a date, such as 2026-01-31, 2026-01-31T09:30:00Z or Unix time in seconds',
  propertyValue: 'text, a number, true or false (a date as Unix seconds)',
  anyValue: 'text, a number, true or false, or a date',
  json: 'a JSON value',
  array: 'a list',
  object: 'an object',
  positive: 'a number above 0',
  signal: 'an AbortSignal',
  function: 'a function',
} as const;

/** Name of a form that a value can be expected to have. */
export type Form = keyof typeof FORMS;

/** Kinds of values; each completes "not …". */
const KINDS = {
  string: 'text',
  int: 'a number',
  decimal: 'a decimal number',
  notFinite: 'NaN or infinite',
  boolean: 'true or false',
  date: 'a date',
  invalidDate: 'an invalid date',
  list: 'a list',
  object: 'an object',
  null: 'null',
  undefined: 'nothing',
  other: 'a value of another kind',
} as const;

/** Kind of a value, as messages name it. */
export type Kind = keyof typeof KINDS;

/** The sentence of each problem of an input, without its subject. */
export const PROBLEMS = {
  missing: 'is missing',
  noRecipient: 'is missing: give the address of the recipient',
  noContact: "is missing: give the 'email' of the contact, its 'userId', or both",
  empty: 'must not be empty',
  wrongType: (facts) =>
    `must be ${wordExpected(facts)}${facts.wayOut === undefined ? '' : `: write ${facts.wayOut}`}`,
  notOneOf: ({ expected }) => `must be one of ${listOf(expected)}`,
  tooSmall: 'is too small: at least {expected}',
  tooLarge: 'is too large: at most {expected}',
  tooLong: 'must be at most {expected} characters long',
  tooDeep: 'is nested too deeply',
  unknownField: ({ wayOut }) => `is an unknown field${didYouMean(wayOut)}`,
  invalidEmail: 'must be an email address, such as ada@example.com, without blanks or invisible characters',
  notAscii: 'must be printable ASCII text without a space at its ends, as it is sent in a header',
  invalidApiKey: 'has a space, a line break or a character that is not printable ASCII; copy it again',
  onlyFalse: "can only be set to false: an update cannot set 'subscribed' to true",
  notCamelCase: "must be a property name in camelCase, such as teamSize, not '{given}'",
  reservedName: "must be another name: '{given}' is reserved for a field of the contact",
  otherMeaning: "cannot be '{given}' in a URL: use the contact's email address",
  milliseconds: 'looks like milliseconds: divide it by 1000',
  dayNumber:
    'looks like a date without dashes, a year, 0 or the day number of a spreadsheet: write a date, such as 2026-01-31',
  roundedNumber: ({ given }) =>
    `${given === undefined ? 'is a number' : `has the number ${given}`} beyond 2^53, which would be rounded: write it as text`,
  needsAudience: "is allowed only when 'addToAudience' is true; set that, or remove this field",
  needsUserId: "can only be changed by the contact's userId: update the contact by that",
  notInSchema: ({ expected, wayOut }) =>
    `is not in your schema${didYouMean(wayOut) || `. Add it there, or use one of: ${listOf(expected)}`}`,
  notUrl:
    'is not the URL of a service: write one such as https://api.example.com, without a password, ? or #',
  unencrypted:
    "must begin with https://, as http:// sends the API key unencrypted to {given}. In a network that you trust, set 'allowInsecure'",
  /** The words of a schema that is not of this package. */
  other: ({ given }) => given ?? 'cannot be used',
} as const satisfies Readonly<Record<string, Sentence<ProblemFacts>>>;

/** What can be wrong with an input. */
export type ProblemCode = keyof typeof PROBLEMS;

/** Whether a text is the code of a problem. */
export function isProblemCode(text: unknown): text is ProblemCode {
  return typeof text === 'string' && Object.hasOwn(PROBLEMS, text);
}

/** Whether a text is the name of a form. */
export function isForm(text: unknown): text is Form {
  return typeof text === 'string' && Object.hasOwn(FORMS, text);
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(KINDS, text);
}

/** A problem in words, without its subject: `must be text, not a number`. */
export function wordProblem({ code, ...facts }: ProblemDetails): string {
  return wordSentence<ProblemFacts>(PROBLEMS[code], facts);
}

/**
 * A problem with its subject: `'dataVariables.total' must be text or a number`.
 *
 * @param nameOf gives the name of a field, from the path to it.
 */
export function wordIssue(
  problem: Problem,
  nameOf: (path: FieldPath) => string = (path) => `'${path.join('.')}'`,
): string {
  const { path } = problem;
  return `${path.length === 0 ? 'the input' : nameOf(path)} ${wordProblem(problem)}`;
}

/** The form that a value should have, and the kind that it has: `text, not a number`. */
function wordExpected({ expected, given }: ProblemFacts): string {
  return `${formOf(expected)}${given === undefined ? '' : `, not ${isKind(given) ? KINDS[given] : given}`}`;
}

function formOf(expected: ProblemFacts['expected']): string {
  return isForm(expected) ? FORMS[expected] : listOf(expected);
}

function listOf(expected: ProblemFacts['expected']): string {
  return listed([expected ?? ''].flat().map(String));
}
