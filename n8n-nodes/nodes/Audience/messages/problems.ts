import type { Expected, InputNames, JsonSlip, Problem, ProblemCode, Reader, Subject } from '../problem.js';
import { inBraces, listed, nameOf, quoted, sentences, shown } from './text.js';

/** What happened, and what to do next. */
export interface Message {
  readonly what: string;
  readonly wayOut: string;
}

type Words = (problem: Problem, reader: Reader) => readonly [what: string, wayOut: string];

/** The sentences about an input that cannot be used. */
export function wordProblem(problem: Problem, reader: Reader): Message {
  const [what, wayOut] = PROBLEMS[problem.code](problem, reader);
  return { what, wayOut: sentences([wayOut, wordInput(problem.input)]) };
}

const FILTER = 'Correct it, or remove the item with a Filter node.';

const PROBLEMS: Readonly<Record<ProblemCode, Words>> = {
  empty: ({ subject }, reader) => [`${nameOf(subject)} is empty`, again(reader, 'Fill it in.')],
  absent: ({ subject }) => [`${nameOf(subject)} has no value`, `Give the input a field of that name.`],
  'absent-in-json': ({ subject }) => [`${nameOf(subject)} has no value`, 'Add it to the JSON.'],
  'no-value': ({ subject, part, isIdentifier }, reader) => [
    unfillable(subject, part, reader, 'has no value'),
    again(
      reader,
      isIdentifier
        ? 'Check the names in the expression, or remove the item with a Filter node.'
        : "Check the names in the expression. Add ?? '' to a value that may be empty.",
    ),
  ],
  'no-value-in-some': ({ subject, part = '', isIdentifier }, reader) => [
    unfillable(subject, part, reader, 'has no value'),
    again(
      reader,
      isIdentifier
        ? 'Remove such items with a Filter node.'
        : `Write {{ ${part.trim()} ?? 'a default' }} for a default, or {{ ${part.trim()} ?? '' }} to leave it empty.`,
    ),
  ],
  'empty-part': ({ subject, part, given }, reader) => [
    part === undefined
      ? `${nameOf(subject)} has an empty part: ${shown(given)}`
      : unfillable(subject, part, reader, 'is empty'),
    again(reader, FILTER),
  ],
  'no-contact': ({ subject }, reader) => [
    `${nameOf(subject)} has no contact`,
    again(reader, "Fill in 'Email', 'User ID', or both."),
  ],
  'no-property-name': () => ['An event property has no name', 'Fill in its name, or remove it.'],
  'expression-fails': ({ subject, part, given }, reader) => [
    unfillable(subject, part, reader, `fails (${String(given)})`),
    again(reader, 'Correct the expression.'),
  ],
  'brace-left-over': ({ subject }) => [
    `${nameOf(subject)} has a brace left over behind its expression`,
    "Remove it. Inside an expression write '} }': n8n ends it at the first '}}'.",
  ],
  'boolean-in-text': ({ subject, part = '', given }, reader) => [
    unfillable(subject, part, reader, `is ${String(given)}`),
    again(reader, `Write the two texts: {{ ${part.trim()} ? 'yes' : 'no' }}.`),
  ],
  'object-in-text': ({ subject, part = '' }, reader) => [
    unfillable(subject, part, reader, 'is an object'),
    again(reader, `Use one of its fields, or {{ JSON.stringify(${part.trim()}) }}.`),
  ],
  'not-a-number': ({ subject, part }, reader) => [
    unfillable(subject, part, reader, 'is not a number'),
    again(reader, 'Correct the expression.'),
  ],
  'invalid-date': ({ subject, part }, reader) => [
    unfillable(subject, part, reader, 'is not a valid date'),
    again(reader, 'Correct the expression.'),
  ],
  'rounded-number': ({ subject, part }, reader) => [
    unfillable(subject, part, reader, 'is a number with more than 15 digits, which is rounded'),
    again(reader, 'Give it as text.'),
  ],
  'not-evaluated': ({ subject, given }) => [
    `${nameOf(subject)} is the text ${shown(given)}, an expression that was not evaluated`,
    "Set the field to 'Expression' instead of 'Fixed', and write {{ }} around the expression.",
  ],
  misfit: (problem, reader) => [
    `${nameOf(problem.subject)} must be ${wordExpected(problem)}, but is ${shown(problem.given)}`,
    again(reader, wayOutOf(problem.expected), agentWayOut(problem)),
  ],
  'not-json': ({ subject, given, slip }) => [
    `${nameOf(subject)} is not a JSON object: ${shown(given)}`,
    slip === undefined
      ? 'Write names and values in braces, such as {"orderTotal": 49.9}. For values with quotation marks, use one expression for the whole object.'
      : SLIPS[slip],
  ],
  'lossy-json': ({ subject, given }) => [
    `${nameOf(subject)} ${String(given)}`,
    'Correct the JSON, or its expression.',
  ],
  'given-twice': ({ subject }) => [`${nameOf(subject)} is given twice`, 'Remove one of the two.'],
  'unusable-name': ({ given }) => [`An event property has the name ${shown(given)}`, 'Give it another name.'],
  'email-as-user-id': ({ given }) => [
    `The User ID ${shown(given)} has an '@', so the service would look for that email address`,
    "Choose the contact 'By Email'.",
  ],
  'unknown-design': ({ given }) => [
    `There is no email design ${shown(given)} in the service`,
    "Choose 'Email Design' from the list, or use an ID that Email > Get Many lists.",
  ],
  'unknown-group': ({ subject, given, names }) => [
    `${nameOf(subject)} has ${shown(given)}, which is no ID of a subscription group`,
    `Use one of: ${listed(names)}.`,
  ],
  'unknown-field': ({ given, names }) => [
    `There is no contact property ${shown(given)}`,
    `Use one of: ${listed(names)}.`,
  ],
  'field-cannot-be-set': ({ subject }) => [
    `${nameOf(subject)} cannot be set here`,
    'Remove it from the list. Some fields have a place of their own in the form; the service sets the others.',
  ],
  'field-of-event': ({ subject }) => [
    `${nameOf(subject)} cannot be set by an event, because the event has its own field with this name`,
    'Remove it from the list, and set it with Contact > Update.',
  ],
  'property-exists': ({ given }) => [
    `The contact property ${shown(given)} exists already`,
    "Set 'If It Exists' to 'Continue', or choose another name.",
  ],
  'property-of-other-type': ({ given, names = [] }) => [
    `The contact property ${shown(given)} exists already with the type ${names[0]}, not ${names[1]}`,
    'The service cannot change a type: choose another name, or use the property as it is.',
  ],
  'consent-column': ({ names }) => [
    `The input has ${listed(names, quoted)}, which may say who wants no mail, and no contact field is called so`,
    "Remove those who want no mail with a Filter node. Then set 'Mapping Column Mode' to 'Map Each Column Manually'.",
  ],
  'opted-out': ({ subject, given }) => [
    `${nameOf(subject)} is ${shown(given)}, and this operation cannot unsubscribe`,
    'Send those who opted out to Contact > Unsubscribe, with a Filter node before this one.',
  ],
  'group-in-both': ({ given }) => [
    `The group ${shown(given)} is both in 'Subscribe to Groups' and in 'Unsubscribe From Groups'`,
    'Remove it from one of them.',
  ],
  'email-by-email': ({ given }) => [
    `The email of contact ${shown(given)} cannot be changed while the contact is chosen by its email`,
    "Choose the contact 'By User ID'.",
  ],
  'identity-conflict': ({ names = [] }) => [
    `${names[0]} is together with ${names[1]} here, and with ${names[2]} in item ${names[3]}: both would change one contact`,
    'Check the expressions of both fields. If one of the two has changed, give only the other.',
  ],
  'one-key': () => [
    "'Idempotency Key' is the same for two different emails or events to one recipient",
    'Add to the key what tells them apart, such as the number of the order.',
  ],
  'forgotten-key': ({ given }) => [
    `This item may have been sent ${String(given)} hours ago, and the service remembers for 24 hours what it was sent`,
    'Look up whether it was sent. If not, start a new run for it.',
  ],
};

const EXPECTED: Readonly<Record<Expected, string>> = {
  text: 'text',
  number: 'a number, such as 42 or -3.5',
  'plain-number': 'a number with one meaning',
  boolean: 'true or false',
  'only-false': 'false, as only the contact can subscribe again',
  date: 'a date, such as 2027-01-31',
  'date-not-day-number': 'a date, not a year or the day number of a spreadsheet',
  'date-with-dashes': 'a date with dashes, such as 2027-01-31',
  seconds: 'Unix time in seconds, not milliseconds',
  'short-number': 'text or a number of at most 15 digits',
  'whole-number': 'a whole number',
  'one-value': 'one value',
  'one-address': 'one email address',
  'address-without-equals-sign': "an email address without '=' in front",
  'address-without-name': 'an email address without a name around it',
  'json-value': 'a value that JSON has',
  'one-of': 'one of',
  ids: 'a list of IDs, or IDs with commas between them',
  object: 'an object of names and values',
  properties: 'a list of names and values',
};

const CORRECT = 'Correct the value, or its expression.';
const SPLIT_OUT = 'To send to several recipients, put a Split Out node before this one: one item for each.';

const WAYS_OUT: Readonly<Partial<Record<Expected, string>>> = {
  number: 'Write 1234.5, with a dot for the decimals and nothing between the thousands.',
  'plain-number': 'Write 1234.5 or 1234: a dot with three digits behind it could be either.',
  boolean: 'Write true, false, yes or no.',
  'only-false': 'Use Contact > Unsubscribe for those who opt out, behind a Filter node.',
  date: "Write 2027-01-31, or convert it: {{ DateTime.fromFormat($json.day, 'dd.MM.yyyy') }}.",
  'date-not-day-number': "Convert a day number: {{ $json.day.toDateTime('excel').toUTC().toISODate() }}.",
  seconds: 'Divide it by 1000.',
  'one-value': SPLIT_OUT,
  'one-address': SPLIT_OUT,
  ids: 'Fill in each ID, or remove it.',
};

const SLIPS: Readonly<Record<JsonSlip, string>> = {
  'comma-at-end': 'Remove the comma in front of a closing brace.',
  'decimal-comma': 'Write decimals with a dot, such as 12.5.',
  'quotation-marks': 'Write names and texts in straight double quotation marks.',
  'name-without-value': 'Write a value behind each name.',
  'no-comma': 'Write a comma between two properties.',
};

function wordExpected({ expected = 'text', bounds, names = [] }: Problem): string {
  const [min, max = Infinity] = bounds ?? [];
  const range = min === undefined ? '' : max === Infinity ? ` of ${min} or more` : ` from ${min} to ${max}`;
  return `${EXPECTED[expected]}${range}${names.length === 0 ? '' : ` ${names.join(', ')}`}`;
}

function wayOutOf(expected: Expected = 'text'): string {
  return WAYS_OUT[expected] ?? CORRECT;
}

function agentWayOut({ expected }: Problem): string {
  if (expected === 'one-value' || expected === 'one-address') return 'Call the tool once for each recipient.';
  return 'Call the tool again with such a value.';
}

/** A model cannot change the node: it can only call the tool again. */
function again(reader: Reader, wayOut: string, ofAgent = 'Call the tool again with a value for it.'): string {
  return reader === 'agent' ? ofAgent : wayOut;
}

function unfillable(subject: Subject | undefined, part = '', reader: Reader, what: string): string {
  if (reader === 'agent' && subject?.kind === 'argument') return `${nameOf(subject)} ${what}`;
  return `${nameOf(subject)} cannot be filled in: ${inBraces(part)} ${what}`;
}

function wordInput(input: InputNames | undefined): string {
  if (input === undefined || input.names.length === 0) return '';
  if (input.slip === 'one-column')
    return "The file was read as one column: set the right 'Delimiter' in the node that reads the file.";
  if (input.slip === 'invisible-mark')
    return "The first column begins with an invisible mark: turn on 'Exclude Byte Order Mark (BOM)' in the node that reads the file.";
  const owner = input.owner === undefined ? 'The input' : `'${input.owner}'`;
  return `${owner} has ${listed(input.names, quoted)}.`;
}
