const SPLIT_OUT = 'To send to several recipients, put a Split Out node before this one: one item for each.';

/** A form of a value, as the end of "must be", with the way out where that is special. */
export type Form = Readonly<{ what: string; wayOut?: string }>;

export const FORMS = {
  string: { what: 'text' },
  number: { what: 'a number, such as 42 or -3.5', wayOut: 'Write 1234.5, with a dot for the decimals.' },
  'plain-number': {
    what: 'a number with one meaning',
    wayOut: 'Write 1234 or 1234.5, without a dot for thousands.',
  },
  boolean: { what: 'true or false', wayOut: 'Write true, false, yes or no.' },
  'only-false': {
    what: 'false, as an update cannot subscribe a contact',
    wayOut: 'Use Contact > Unsubscribe for those who opt out, after a Filter node.',
  },
  date: {
    what: 'a date, such as 2027-01-31',
    wayOut: "Write 2027-01-31, or convert it: 'Values' in the documentation of this node shows how.",
  },
  'date-not-day-number': {
    what: 'a date, not a year or the day number of a spreadsheet',
    wayOut: "Convert a day number: 'Values' in the documentation of this node shows how.",
  },
  seconds: { what: 'Unix time in seconds, not milliseconds', wayOut: 'Divide it by 1000.' },
  'short-number': { what: 'text or a number of at most 15 digits' },
  'at-least': { what: 'a whole number of {0} or more' },
  between: { what: 'a whole number from {0} to {1}' },
  'one-value': { what: 'one value', wayOut: SPLIT_OUT },
  'one-address': { what: 'one email address', wayOut: SPLIT_OUT },
  'address-without-equals-sign': { what: "an email address without '=' in front" },
  'json-value': { what: 'a value that JSON can hold' },
  'one-of': { what: 'one of {names}' },
  ids: { what: 'a list of IDs, or IDs with commas between them', wayOut: 'Fill in each ID, or remove it.' },
  object: { what: 'an object of names and values' },
  properties: { what: 'a list of names and values' },
} as const satisfies Readonly<Record<string, Form>>;

export type Expected = keyof typeof FORMS;

/** Sentences with slots for facts: `{part}` is an expression in braces. */
export type Words = readonly [what: string, wayOut: string];

const MAP_EACH =
  "Add this step again and map each column. In a workflow's JSON, set 'mappingMode' to 'defineBelow'.";
const LOOK_AND_START =
  "Look up what was sent in the service's own log, then start {workflow} with the missing items only.";
export const FILL = '{subject} cannot be filled in: {part}';

/** All problems of the catalogue, by their codes. */
export const PROBLEMS = {
  empty: ['{subject} is empty', 'Fill it in.'],
  unlisted: [
    "{subject} is not in the list 'Variables'",
    'Choose it below the list. If it is new in the design, close the node and open it again.',
  ],
  absent: ['{subject} has no value', 'Add it to the JSON, or to the input if that is mapped automatically.'],
  'no-value': [
    `${FILL} has no value`,
    'Check the names in the expression. If the value may be missing, give a default, or remove the item with a Filter node.',
  ],
  'empty-part': [`${FILL} is empty`, 'Correct it, or remove the item with a Filter node.'],
  'no-contact': ["{subject} and 'User ID' are empty", "Fill in 'Email', 'User ID', or both."],
  'no-property-name': ['An event property has no name', 'Fill in its name, or remove it.'],
  'expression-fails': [`${FILL} fails ({given})`, 'Correct the expression.'],
  'boolean-in-text': [
    `${FILL} is {given}`,
    'Use a field that contains text, or choose between two texts in the expression.',
  ],
  'object-in-text': [
    `${FILL} is {given}`,
    'Use one of its fields, or convert it to text by JSON.stringify().',
  ],
  'not-a-number': [`${FILL} is not a number`, 'Correct the expression.'],
  'invalid-date': [`${FILL} is not a valid date`, 'Check the field, and the format in the expression.'],
  'rounded-number': [`${FILL} is a number with more than 15 digits, which is rounded`, 'Give it as text.'],
  'not-evaluated': [
    '{subject} is the text {given}, an expression that was not evaluated',
    "Set the field to 'Expression' instead of 'Fixed', and write {{ }} around the expression.",
  ],
  misfit: ['{subject} must be {expected}, but is {given}', 'Correct the value, or its expression.'],
  'not-json': [
    '{subject} is not a JSON object: {given}',
    'Write names and values in braces, such as {"orderTotal": 49.9}. For values with quotation marks, use one expression for the whole object.',
  ],
  'given-twice': ['{subject} is given twice', 'Remove one of the two.'],
  'email-as-user-id': [
    "The User ID {given} has an '@', so we assume that the service would look for that email address",
    "Choose the contact 'By Email'.",
  ],
  'unknown-design': [
    'There is no email design {given} in the service',
    "Choose 'Email Design' from the list, or use an ID that Email > Get Many lists.",
  ],
  'unknown-group': ["{subject} has {given}, which is not a subscription group's ID", 'Use one of: {names}.'],
  'unknown-field': [
    'There is no contact property {given}',
    'Use one of: {names}. For a new one, use Contact Property > Create.',
  ],
  'field-cannot-be-set': [
    '{subject} cannot be set here',
    'Remove it from {0}. Contact > Update can set more fields; some cannot be set at all.',
  ],
  'has-own-field': ['{subject} has its own field in the form', 'Remove it from {0}.'],
  'property-exists': ['The contact property {given} exists already', "Set 'If It Exists' to 'Continue'."],
  'property-of-other-type': [
    'The contact property {given} exists already with the type {0}, not {1}',
    'We assume that the service cannot change a type: choose another name, or use the property as it is.',
  ],
  'automatic-mapping': [
    "{subject} is set to 'Map Automatically', which could send fields that nobody chose",
    MAP_EACH,
  ],
  'computed-mapping': ['The mapping mode of {subject} is an expression', MAP_EACH],
  'group-in-both': [
    "The group {given} is both in 'Subscribe to Groups' and in 'Unsubscribe From Groups'",
    'Remove it from one of them.',
  ],
  'email-by-email': [
    'The email of contact {given} cannot be changed while the contact is chosen by its email',
    "Choose the contact 'By User ID'.",
  ],
  'identity-conflict': [
    '{0} has {1} in this item and {2} in item {3}, so both would change the same contact',
    'Correct one of the two items, or fill in only one of the identifiers in this step.',
  ],
  'one-key': [
    "'Idempotency Key' is the same for two different emails or events of one contact",
    'Add to the key what tells them apart, such as the number of the order.',
  ],
  forgotten: [
    '{0} began {given} hours ago: this item may have been sent, and the service may have forgotten its key',
    LOOK_AND_START,
  ],
  'lost-run': ['n8n kept no record of this run, so this Retry sends nothing', LOOK_AND_START],
} as const satisfies Readonly<Record<string, Words>>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Hints of the output panel, as ends of sentences. */
export const NOTES = {
  empty: '{subject} is empty',
  'empty-part': '{subject} has an empty part',
  'left-out': '{subject} had no value and was left out',
  'variables-dropped': '{names} was not sent, as the email design has no such variable',
  unmapped: '{names} of the input was not used: only contact fields are; map a new email or User ID by hand',
  'whole-item': '{subject} is a whole item, with {names}',
  'nothing-to-change': 'there was nothing to change',
  'not-found': 'the contact was not found, so the output is empty',
} as const;
