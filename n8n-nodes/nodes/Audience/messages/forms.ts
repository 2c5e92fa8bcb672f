const SPLIT_OUT = 'To send to several recipients, put a Split Out node before this one: one item for each.';
const ONE_CALL_EACH = 'Call the tool once for each recipient.';

/** The forms that a value can have to have, each with the way out where it is a special one. */
export const FORMS = {
  text: ['text'],
  number: ['a number, such as 42 or -3.5', 'Write 1234.5, with a dot for the decimals.'],
  'plain-number': [
    'a number with one meaning',
    'Write 1234.5 or 1234: three digits behind a dot can be either.',
  ],
  boolean: ['true or false', 'Write true, false, yes or no.'],
  'only-false': [
    'false, as an update cannot subscribe a contact',
    'Use Contact > Unsubscribe for those who opt out, after a Filter node.',
  ],
  date: [
    'a date, such as 2027-01-31',
    "Write 2027-01-31, or convert it: {{ DateTime.fromFormat($json.day, 'dd/MM/yyyy').toISODate() }}, with your field and its format.",
  ],
  'date-not-day-number': [
    'a date, not a year or the day number of a spreadsheet',
    "Convert a day number: {{ $json.day.toDateTime('excel').toUTC().toISODate() }}.",
  ],
  'date-with-dashes': ['a date with dashes, such as 2027-01-31'],
  seconds: ['Unix time in seconds, not milliseconds', 'Divide it by 1000.'],
  'short-number': ['text or a number of at most 15 digits'],
  'whole-number': ['a whole number'],
  'one-value': ['one value', SPLIT_OUT, ONE_CALL_EACH],
  'one-address': ['one email address', SPLIT_OUT, ONE_CALL_EACH],
  'address-without-equals-sign': ["an email address without '=' in front"],
  'address-without-name': ['an email address without a name around it'],
  'json-value': ['a value that JSON has'],
  'one-of': ['one of'],
  ids: ['a list of IDs, or IDs with commas between them', 'Fill in each ID, or remove it.'],
  object: ['an object of names and values'],
  properties: ['a list of names and values'],
} as const satisfies Readonly<
  Record<string, readonly [form: string, wayOut?: string, wayOutOfModel?: string]>
>;

export type Expected = keyof typeof FORMS;
