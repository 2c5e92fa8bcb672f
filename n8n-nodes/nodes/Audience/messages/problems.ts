import type { Facts, Problem, Subject } from '../problem.js';
import { fill, listed, quoted } from 'audience-core/internal';
import { FORMS } from './forms.js';
import { inBraces, nameInside, nameOf, sentences, shown } from './text.js';

export interface Message {
  readonly what: string;
  readonly wayOut: string;
}

/** Sentences with the names of facts in them: `{part}` is an expression in braces, `{copy}` one as it can be copied. */
type Words = readonly [what: string, wayOut: string, withoutCopy?: string];

const CORRECT = 'Correct the expression.';
const FILTER = 'Correct it, or remove the item with a Filter node.';
const FILL = '{subject} cannot be filled in: {part}';

/** All problems of the catalogue, by their codes. */
export const PROBLEMS = {
  empty: ['{subject} is empty', 'Fill it in.'],
  unlisted: [
    "{subject} is not in the list 'Variables'",
    'Choose it below the list. If it is new in the design, close the node and open it again.',
  ],
  absent: ['{subject} has no value', 'Give the input a field of that name.'],
  'absent-in-json': ['{subject} has no value', 'Add it to the JSON.'],
  'no-value': [
    `${FILL} has no value`,
    "Check the names in the expression. If the value may be missing, write {{ {copy} ?? '' }}.",
    'Check the names in the expression.',
  ],
  'no-value-in-some': [
    `${FILL} has no value`,
    "Write {{ {copy} ?? 'a default' }} to give all items a default, or {{ {copy} ?? '' }} to leave it empty.",
    'Give these items a value, or remove them with a Filter node.',
  ],
  'no-identifier': [`${FILL} has no value`, `Check the names in the expression. ${FILTER}`],
  'empty-part': [`${FILL} is empty`, FILTER],
  placeholder: ['{subject} is {given}, so a part of it is empty', FILTER],
  'no-contact': ["{subject} and 'User ID' are empty", "Fill in 'Email', 'User ID', or both."],
  'no-property-name': ['An event property has no name', 'Fill in its name, or remove it.'],
  'expression-fails': [`${FILL} fails ({given})`, CORRECT],
  'brace-left-over': [
    "{subject} has an extra '}' after an expression",
    "Remove it. If the expression itself needs two braces, write '} }': n8n ends it at the first '}}'.",
  ],
  'boolean-in-text': [
    `${FILL} is {given}`,
    "Write the two texts: {{ {copy} ? 'yes' : 'no' }}.",
    'Use a field that has a text.',
  ],
  'false-in-text': [
    `${FILL} is false`,
    "Write the two texts: {{ {copy} ? 'yes' : 'no' }}. To leave it empty, write {{ {copy} || '' }}.",
    'Use a field that has a text.',
  ],
  'object-in-text': [
    `${FILL} is {given}`,
    'Use one of its fields, or {{ JSON.stringify({copy}) }}.',
    'Use one of its fields, or a text made of it.',
  ],
  'not-a-number': [`${FILL} is not a number`, CORRECT],
  'invalid-date': [
    `${FILL} is not a valid date`,
    'Check the field, and that the format in the expression matches its value.',
  ],
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
  'lossy-json': ['{subject} {words}', 'Correct the JSON, or its expression.'],
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
    'Remove it from the list. Some have a form field of their own; the service sets the others.',
  ],
  'property-exists': [
    'The contact property {given} exists already',
    "Set 'If It Exists' to 'Continue', or choose another name.",
  ],
  'property-of-other-type': [
    'The contact property {given} exists already with the type {0}, not {1}',
    'We assume that the service cannot change a type: choose another name, or use the property as it is.',
  ],
  'automatic-mapping': [
    "{subject} is set to 'Map Automatically', which could send fields that nobody chose",
    "Add this step anew and map each column. In a workflow's JSON, set 'mappingMode' to 'defineBelow'.",
  ],
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
    'Correct one item, or fill in only the identifier that stays the same.',
  ],
  'one-key': [
    "'Idempotency Key' is the same for two different emails or events to one recipient",
    'Add to the key what tells them apart, such as the number of the order.',
  ],
  'forgotten-key': [
    'This item may have been sent {given} hours ago, and the service may have forgotten the key',
    'Look up whether it was sent. If it was not, start a new run with this item.',
  ],
  'forgotten-run': [
    'n8n kept no record of this node. If it ran {given} hours ago, this item may have been sent, and the service may have forgotten the key',
    'Look up what was sent, then start a new run with the other items.',
  ],
  'lost-run': [
    'n8n kept no record of this run, so this Retry sends nothing',
    'Look up what was sent, take those items out of the input, and start the workflow again.',
  ],
  'lost-sub-workflow': [
    'n8n kept no record of this run of the sub-workflow, so this Retry sends nothing',
    'Look up what was sent, take those items out of the input, and start the workflow that called it again.',
  ],
} as const satisfies Readonly<Record<string, Words>>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Problems that an item which may have been sent has for good: no Retry, and no other value, solves them. */
export const FORGOTTEN: readonly unknown[] = ['forgotten-key', 'forgotten-run'] satisfies ProblemCode[];

/** Problems of the run, which no value of a model solves. */
const LOST: readonly ProblemCode[] = ['lost-run', 'lost-sub-workflow'];

/**
 * The sentences about an input that cannot be used.
 *
 * @param isForModel a model cannot change the node: it can only call the tool again.
 */
export function wordProblem({ code, ...facts }: Problem, isForModel: boolean): Message {
  const [what, withCopy, withoutCopy]: Words = PROBLEMS[code];
  const wayOut = facts.advice ?? (facts.copy === undefined ? (withoutCopy ?? withCopy) : withCopy);
  const [, special, ofModel]: readonly (string | undefined)[] = FORMS[facts.expected ?? 'text'];
  const about = facts.subject?.kind === 'argument' ? what.replace(FILL, '{subject}') : what;
  const ofAgent = LOST.includes(code)
    ? wayOut
    : (ofModel ?? 'Call the tool again with another value for it.');
  const advice = isForModel ? ofAgent : (special ?? wayOut);
  return {
    what: fillIn(about, facts),
    wayOut: sentences([fillIn(advice, facts), isForModel ? '' : wordInput(facts.input)]),
  };
}

function fillIn(
  text: string,
  { subject, part = '', copy, given, expected = 'text', bounds, names = [] }: Facts,
): string {
  const [min, max = Infinity] = bounds ?? [];
  const range = min === undefined ? '' : max === Infinity ? ` of ${min} or more` : ` from ${min} to ${max}`;
  const choices = expected === 'one-of' ? ` ${listed(names)}` : '';
  return fill(text, {
    ...Object.fromEntries(names.entries()),
    subject: nameOf(subject),
    part: inBraces(part),
    copy,
    given: shown(given),
    words: String(given),
    expected: FORMS[expected][0] + range + choices,
    names: listed(names),
  });
}

function wordInput(names: readonly string[] = []): string {
  return names.length === 0 ? '' : `The input has ${listed(names, quoted)}.`;
}

export const NOTES = {
  empty: '{subject} is empty',
  'empty-part': '{subject} has an empty part',
  'left-out': '{subject} had no value and was left out',
  'variables-dropped': '{names} was not sent, as the email design has no such variable',
  unmapped: '{names} of the input was not used, as no contact field has this name',
  'whole-item': 'a whole item was sent, with {names}',
  'nothing-to-change': 'there was nothing to change',
  'not-found': 'the contact was not found, so the output is empty',
} as const;

/** Something that the output panel should say of an item. */
export interface Note {
  readonly code: keyof typeof NOTES;
  readonly subject?: Subject;
  readonly names?: readonly string[];
}

/** A note as the end of a sentence. */
export function wordNote({ code, subject, names = [] }: Note): string {
  return fill(NOTES[code], { subject: nameInside(subject), names: listed(names, quoted) });
}
