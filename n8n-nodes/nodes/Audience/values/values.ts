import { describeRefusal, encodeUntypedValue, isRoundedNumber, parseValue } from 'audience-core/internal';
import type { EncodedValue } from 'audience-core/internal';
import type { PropertyType, PropertyValue } from 'audience-core';
import { InputProblem } from '../messages/errors.js';
import { asPart, shortened } from '../messages/text.js';
import { isDate } from './dates.js';

/** Whether there is nothing in a field, or its expression gave nothing. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** An expression of n8n in a field that is not set to 'Expression': it would go out as it stands. */
const NOT_EVALUATED =
  /\{\{[^{}$]*\$[^{}]*\}\}|^\s*(?:\{\s*)?\$(json|node|input|item|now|today)(\.|\[|\(|\s*\}?\s*$)/;

/** What programs and spreadsheets write where a value is missing; nobody means such a text. */
const PLACEHOLDER =
  /^\s*(undefined|null|NaN|Invalid [Dd]ate(Time)?|#(REF|N\/A|VALUE|NAME\?|DIV\/0)!?)\s*$|\[object \w+\]|\[native code\]/;

/** A dot may separate thousands or decimals. */
const THOUSANDS = /^\s*-?[1-9]\d{0,2}(\.\d{3})+\s*$/;

const WORDS: Readonly<Record<string, boolean>> = { yes: true, y: true, no: false, n: false };

/** Unambiguous ways to write a value, as ends of sentences. */
const EXAMPLES: Readonly<Record<PropertyType, string>> = {
  string: 'Give text.',
  number: 'Write 1234.5, with a dot for the decimals and nothing between the thousands.',
  boolean: 'Write true, false, yes or no.',
  date: "Write 2027-01-31, or convert it: {{ DateTime.fromFormat($json.day, 'dd.MM.yyyy') }}.",
};

/**
 * Reads a value of a known type with the core's codec, whatever form it came in.
 *
 * @param subject names the field in the message, such as `The contact field 'Team Size'`.
 * @throws InputProblem for a value that does not fit.
 */
export function readValue(subject: string, type: PropertyType, value: unknown): PropertyValue {
  if (type === 'number' && typeof value === 'string' && THOUSANDS.test(value))
    throw misfit(subject, value, 'a number whose dot can be read in one way only', EXAMPLES.number);
  const word = type === 'boolean' && typeof value === 'string' ? value.trim().toLowerCase() : '';
  const read = parseValue(type, Object.hasOwn(WORDS, word) ? WORDS[word] : value);
  return accept(subject, value, read, EXAMPLES[type]);
}

const SPLIT_OUT = 'To send to several recipients, put a Split Out node before this one: one item for each.';

/**
 * Reads a text that tells one from the others.
 *
 * @throws InputProblem for a value that is no text, and for several addresses or one with a name around it.
 */
export function readIdentifier(subject: string, value: unknown): string {
  if (Array.isArray(value)) throw misfit(subject, value, 'one value, not a list', SPLIT_OUT);
  const text = String(readValue(subject, 'string', value)).trim();
  if (/^=.*@/.test(text)) throw misfit(subject, text, "an email address without '=' in front");
  if (/@.*[,;\s].*@/s.test(text)) throw misfit(subject, text, 'one email address', SPLIT_OUT);
  if (/<[^<>]+@[^<>]+>/.test(text)) throw misfit(subject, text, 'an email address without a name around it');
  return text;
}

/** The same for a value whose type nobody declared: points in time become Unix seconds, nested values JSON. */
export function readUntypedValue(subject: string, value: unknown): PropertyValue {
  if (isRoundedNumber(value)) throw misfit(subject, value, NOT_ROUNDED);
  const isNested = typeof value === 'object' && value !== null && !isDate(value);
  return isNested ? JSON.stringify(value) : accept(subject, value, encodeUntypedValue(value));
}

/**
 * Reads the value of an email's variable: text or a number. Dates and lists are written as n8n writes them.
 *
 * @throws InputProblem for anything else.
 */
export function readVariable(subject: string, value: unknown): string | number {
  if (isRoundedNumber(value)) throw misfit(subject, value, NOT_ROUNDED);
  const isPlainList = Array.isArray(value) && value.every((one) => typeof one !== 'object' || isDate(one));
  const given = isPlainList || isDate(value) ? asPart(value) : value;
  if (typeof given !== 'string' && typeof given !== 'number')
    throw misfit(subject, value, 'text or a number');
  const read = accept(subject, value, encodeUntypedValue(given));
  return typeof read === 'boolean' ? '' : read;
}

const NOT_ROUNDED = 'a number of at most 15 digits, or text';

/**
 * The problem of a value that is not what its field asks for; it shows the value to the person.
 *
 * @param expected completes the sentence "must be …".
 */
export function misfit(
  subject: string,
  value: unknown,
  expected: string,
  advice = 'Correct the value, or its expression.',
): InputProblem {
  return new InputProblem(`${subject} ${describeMisfit(value, expected)}`, advice);
}

function describeMisfit(value: unknown, expected: string): string {
  const refusal = describeRefusal({ expected }, value);
  if (!['string', 'number', 'boolean'].includes(typeof value)) return refusal;
  const shown = typeof value === 'string' ? `'${shortened(value)}'` : String(value);
  return refusal === expected ? `is ${shown}, which ${expected}` : `must be ${expected}, but is ${shown}`;
}

function accept(subject: string, value: unknown, read: EncodedValue, advice?: string): PropertyValue {
  const text = read.ok ? read.value : value;
  if (typeof text === 'string' && text.includes('$') && NOT_EVALUATED.test(text)) {
    throw new InputProblem(
      `${subject} is the text '${shortened(text)}', an expression that was not evaluated`,
      "Set the field to 'Expression' instead of 'Fixed', and write {{ }} around the expression.",
    );
  }
  if (!read.ok) throw misfit(subject, value, read.expected, advice);
  if (typeof read.value === 'string' && PLACEHOLDER.test(read.value)) {
    throw new InputProblem(
      `${subject} is '${shortened(read.value)}', which stands for a missing value`,
      'Correct the value, or remove the item with a Filter node.',
    );
  }
  return read.value;
}
