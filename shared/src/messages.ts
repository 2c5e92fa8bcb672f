import { isOfOneThing } from './contract/endpoints.js';
import type { CallData } from './errors.js';
import { counted, didYouMean, listed, sentence } from './words.js';

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

/** What is wrong with a value. `messages.ts` has the sentence of each code. */
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
  list: 'a list',
  object: 'an object',
  positive: 'a number above 0',
  count: 'a whole number of 0 or more',
  atLeastOne: 'a whole number of 1 or more',
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
  missing: () => 'is missing',
  noRecipient: () => "is missing: an email needs a recipient's address",
  noContact: () => "is missing: give the 'email' of the contact, its 'userId', or both",
  noBaseUrl: () => 'is missing: give the address of the service, such as https://api.example.com',
  noApiKey: () => 'is missing: give the API key of your account',
  notSet: () => 'is not set',
  empty: () => 'must not be empty',
  wrongType: (facts) =>
    `must be ${wordExpected(facts)}${facts.wayOut === undefined ? '' : `: write ${facts.wayOut}`}`,
  notOneOf: ({ expected }) => `must be one of ${listOf(expected)}`,
  tooSmall: ({ expected }) => `is too small: at least ${String(expected)}`,
  tooLarge: ({ expected }) => `is too large: at most ${String(expected)}`,
  tooLong: ({ expected }) => `must be at most ${String(expected)} characters long`,
  tooDeep: () => 'is nested too deeply',
  unknownField: ({ wayOut }) => `is an unknown field${didYouMean(wayOut)}`,
  unusableName: ({ given }) => `has the name '${given}', which cannot be used`,
  repeatedName: ({ given }) => `has the name '${given}' twice: one of the two would be lost`,
  invalidEmail: ({ given }) =>
    given === undefined
      ? 'must be an email address, such as ada@example.com, and nothing else'
      : `must be an email address without the invisible character ${given}: type it in by hand`,
  notAscii: () => 'must be printable ASCII text, as it is sent in a header',
  edgeSpace: () => 'must not start or end with a space, as headers lose it',
  invalidApiKey: () => 'holds a space, a line break or a character that keys never contain; copy it again',
  notUnicode: () => 'must be well-formed Unicode text',
  onlyFalse: () => "can only be set to false: an update cannot set 'subscribed' to true",
  notCamelCase: ({ given, wayOut }) =>
    `'${given}' is not camelCase: a property name begins with a small letter and holds letters and digits only${wayOut === undefined ? '' : `, such as '${wayOut}'`}`,
  reservedName: ({ given }) =>
    `'${given}' is reserved: it is a field that every contact has; choose another name`,
  builtInName: ({ given }) => `'${given}' is built in, and cannot be set; choose another name`,
  otherMeaning: ({ given }) => `'${given}' has another meaning in a URL; use the contact's email address`,
  milliseconds: ({ wayOut }) =>
    `looks like milliseconds: divide it by 1000${wayOut === undefined ? '' : `, which is ${wayOut}`}`,
  dayNumber: () =>
    'looks like a year, 0 or the day number of a spreadsheet: write a date, such as 2026-01-31',
  undashedDate: ({ wayOut }) => `must be a date with dashes${didYouMean(wayOut)}, or Unix time in seconds`,
  roundedNumber: ({ given }) =>
    `${given === undefined ? 'is a number' : `has the number ${given}`} beyond 2^53, which would be rounded: write it as text`,
  needsAudience: () => "is kept only when 'addToAudience' is true; set that, or remove this field",
  notInEmail: () => 'cannot be set by an email: set it with contacts.update or events.send',
  notInEvent: () => 'cannot be set by an event: set it with contacts.update',
  needsUserId: () => "can only be changed by the contact's userId: update the contact by that",
  notInSchema: ({ expected, wayOut }) =>
    `is not in your schema${didYouMean(wayOut) || `. Add it there, or use one of: ${listOf(expected)}`}`,
  noNode: () =>
    'is needed, but the build of axios for browsers was loaded. In jest, use the test environment node; elsewhere use audience-core/fetch',
  noFetch: () => 'is needed, with a TextDecoder. In jest, use the test environment node',
  notUrl: () => 'is not a URL: write it whole, such as https://api.example.com',
  notHttp: () => 'must begin with https://, or on this machine with http://',
  unencrypted: ({ given }) =>
    `must begin with https://, as http:// sends the API key unencrypted to ${given}. In a network that you trust, set 'allowInsecure'`,
  hasPassword: () => 'must not hold a user name or password',
  hasQuery: () => "must end before any '?' or '#'",
  tooLargeBody: () => 'is larger than 32 MiB as JSON',
  /** The words of a schema that is not of this package. */
  other: ({ given }) => given ?? 'cannot be used',
} as const satisfies Readonly<Record<string, (facts: ProblemFacts) => string>>;

/** What can be wrong with an input. */
export type ProblemCode = keyof typeof PROBLEMS;

/** Sentences that begin with the name that is wrong. */
const WITH_SUBJECT: readonly ProblemCode[] = ['notCamelCase', 'reservedName', 'builtInName', 'otherMeaning'];

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
  const inWords: (facts: ProblemFacts) => string = PROBLEMS[code];
  return inWords(facts);
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
  const { path, code } = problem;
  const words = wordProblem(problem);
  if (WITH_SUBJECT.includes(code)) return words;
  return `${path.length === 0 ? 'the input' : nameOf(path)} ${words}`;
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

const checkBaseUrl = () => 'Check that the base URL is the address of the service.';
const afterAttempts = ({ attempts }: CallData) =>
  attempts > 1 ? ` after ${counted(attempts, 'attempt')}` : '';
const after = (data: CallData) =>
  `${data.networkCode === undefined ? '' : ` (${data.networkCode})`}${afterAttempts(data)}`;
const ofStatus = (data: CallData) => ` (${data.status})${afterAttempts(data)}`;
const responded = ({ baseUrl, status }: CallData) => `the service at ${baseUrl} responded ${status}, but`;
const tryAgain = ({ retryAfterMs }: CallData) => {
  const wait = waitInWords(retryAfterMs);
  return wait === undefined ? 'Try again later' : `Try again in ${wait}`;
};

/** What can end a call. A host can word these codes by itself. */
export const CALLS = {
  keyRefused: (data) =>
    `we assume that the service at ${data.baseUrl} does not accept the API key${ofStatus(data)}`,
  notAllowed: (data) => `we assume that the API key is not allowed to do this${ofStatus(data)}`,
  notFound: (data) => `not found${ofStatus(data)}`,
  proxyLogin: (data) => `a proxy asks for a login${ofStatus(data)}`,
  conflict: (data) => `the service reports a conflict${ofStatus(data)}`,
  refused: (data) => `the service refuses the request${ofStatus(data)}`,
  tooManyRequests: (data) => `the service is receiving too many requests${ofStatus(data)}`,
  serviceFailed: (data) => `the service failed${ofStatus(data)}`,
  redirect: ({ location, status }) =>
    `the service redirects ${location === undefined ? 'elsewhere' : `to ${location}`} (${status})`,
  undefinedStatus: ({ status }) =>
    `the service responded with status ${status}, which the API does not define`,
  connectionRefused: (data) =>
    `nothing listens at ${data.baseUrl}${data.baseUrl?.startsWith('https:') ? ' or at the proxy in HTTPS_PROXY' : ''}${after(data)}`,
  hostNotFound: (data) => `the host of ${data.baseUrl} cannot be found${after(data)}`,
  untrusted: (data) => `no trusted connection can be made to ${data.baseUrl}${after(data)}`,
  connectionFailed: (data) => `the connection to ${data.baseUrl} failed${after(data)}`,
  noResponse: (data) => `no response from ${data.baseUrl} within ${data.timeLimitMs} ms${after(data)}`,
  deadline: (data) => `it did not succeed within ${data.timeLimitMs} ms${after(data)}`,
  aborted: () => 'the call was aborted',
  stopped: () => 'the client was stopped',
  notSuccessful: ({ status }) => `the service responded ${status}, but says that the request failed`,
  emptyBody: (data) => `${responded(data)} its body is empty`,
  webPage: (data) => `${responded(data)} it is a web page, not JSON, so it may come from a proxy in between`,
  notJson: (data) => `${responded(data)} its body is not JSON, or was cut off`,
  otherShape: (data) =>
    `${responded(data)} its body does not match the API: ${data.issue === undefined ? 'it cannot be used' : wordIssue(data.issue)}`,
  tooLarge: ({ baseUrl }) => `the response of ${baseUrl} is too large`,
  repeatedCursor: () => 'the service repeated the cursor of an earlier page',
  otherType: ({ existingType }) => `a contact property of this name exists with type ${existingType}`,
} as const satisfies Readonly<Record<string, (data: CallData) => string>>;

/** What to do about it, where the call was certainly not carried out. */
const WAYS_OUT: Readonly<Partial<Record<CallReason, (data: CallData) => string>>> = {
  keyRefused: () => 'Check that the key is complete, not revoked, and of this service.',
  notAllowed: () => 'Use a key with the right to do it. If you use a proxy, check that it allows this host.',
  notFound: ({ operation, baseUrl }) =>
    isOfOneThing(operation)
      ? 'We assume that no such contact exists: check the email address or userId.'
      : `Check the id, and that ${baseUrl} is the address of the service.`,
  proxyLogin: () => 'Put it into HTTPS_PROXY.',
  tooManyRequests: (data) => `${tryAgain(data)}, or send fewer requests per second.`,
  serviceFailed: (data) => `${tryAgain(data)}.`,
  redirect: () => 'The base URL is not the address of the service: set it to the final address.',
  connectionRefused: () => 'Check that the service runs and that the base URL is right.',
  hostNotFound: () => 'Check the base URL and the network.',
  untrusted: () =>
    'For a certificate authority of your own, start the program with NODE_EXTRA_CA_CERTS=file. Else check the base URL.',
  connectionFailed: () => 'Check the network, and HTTPS_PROXY in the environment if you use a proxy.',
  deadline: () => 'Try again later.',
  emptyBody: checkBaseUrl,
  webPage: checkBaseUrl,
  notJson: checkBaseUrl,
  otherShape: checkBaseUrl,
  tooLarge: checkBaseUrl,
  repeatedCursor: () => 'Try again later; if it stays so, report it to the service.',
  otherType: () => 'Use it as it is, or choose another name.',
};

/** What ended a call, as a code. */
export type CallReason = keyof typeof CALLS;

/** What is known of a call, with the reason why it ended. */
export type CallEnd = CallData & { readonly reason: CallReason };

/** Why a call failed, without what it was to do: `the service failed (500)`. */
export function wordCause(end: CallEnd): string {
  const what: (data: CallData) => string = CALLS[end.reason];
  return what(end);
}

/** What happened to a call, without a full stop: `Could not send event 'signup': not found (404)`. */
export function wordCallEnd(end: CallEnd): string {
  const what = end.action ?? 'make the call';
  return `${end.unclear ? 'May have failed to' : 'Could not'} ${what}: ${wordCause(end)}`;
}

/** An error of a call in words: what happened, what the service says, and what to do. */
export function wordCall(end: CallEnd): string {
  const isEnded = end.reason === 'aborted' || end.reason === 'stopped';
  const nothing = isEnded && end.attempts === 0 ? 'Nothing was sent.' : '';
  const isOfKey = end.unclear && end.reason !== 'redirect';
  const advice = isOfKey ? howToFindOut(end) : (WAYS_OUT[end.reason]?.(end) ?? nothing);
  return [sentence(wordCallEnd(end)), quoteOfService(end), advice].filter((part) => part !== '').join(' ');
}

function howToFindOut({ idempotencyKey, method, operation, status = 0, retryAfterMs }: CallData): string {
  if (idempotencyKey !== undefined) {
    const wait = waitInWords(retryAfterMs);
    const asked = wait === undefined ? '' : `The service asks to wait ${wait}. `;
    if (status >= 300 && status < 500)
      return `${asked}An earlier request with this key may have been carried out: look it up. If nothing was sent, send it with a new key.`;
    const isEmail = operation === 'sendTransactionalEmail';
    const within = isEmail ? ' within 24 hours' : '';
    const once = isEmail ? 'we assume that this sends no second email' : 'this makes no duplicate event';
    const stored =
      status >= 500 ? ' If it fails in the same way, look it up, and use a new key if nothing was sent.' : '';
    return `${asked}Repeat it${within} with this error's idempotencyKey: ${once}.${stored}`;
  }
  return method === 'PUT'
    ? 'Check whether it worked, or repeat it: that sets the same values.'
    : 'Check whether it worked before you repeat it.';
}

/** What the service itself says, in a sentence; empty where it says nothing. */
export function quoteOfService({ serviceMessage }: CallData): string {
  return serviceMessage === undefined ? '' : `The service says: "${serviceMessage.replace(/[."]+$/, '')}".`;
}

/** A wait in words: `90 s`, `12 min`, `5 h`; nothing where none was asked for, or one of more than a day. */
function waitInWords(milliseconds = 0): string | undefined {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds === 0 || seconds > 86_400) return undefined;
  if (seconds <= 120) return `${seconds} s`;
  return seconds <= 7_200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}
