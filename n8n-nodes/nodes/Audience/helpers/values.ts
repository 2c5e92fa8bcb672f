import { describeRefusal, encodeUntypedValue, isRoundedNumber, parseValue } from 'audience-core/internal';
import type { EncodedValue } from 'audience-core/internal';
import type { PropertyType, PropertyValue } from 'audience-core';
import { InputProblem } from './errors.js';
import { sayMissing } from '../expressions/missing-values.js';
import type { Missing } from '../expressions/missing-values.js';
import { formulaFor } from './formulas.js';

/** Whether there is nothing in a field, or its expression gave nothing. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Whether it is a text that is read as a number, and that some people write for another one: 1.200. */
export function looksLikeThousands(type: PropertyType, value: unknown): boolean {
  return type === 'number' && typeof value === 'string' && /^\s*-?[1-9]\d{0,2}(\.\d{3})+\s*$/.test(value);
}

/** An expression of n8n in a field that is not set to 'Expression': it would go out as it stands. */
const NOT_EVALUATED =
  /\{\{[^{}$]*\$[^{}]*\}\}|^\s*(?:\{\s*)?\$(json|node|input|item|now|today)(\.|\[|\(|\s*\}?\s*$)/;

/** What JavaScript makes of a slip in an expression; nobody writes such a text. */
const SLIP =
  /^\s*(undefined|null|NaN|Invalid [Dd]ate(Time)?|#(REF|N\/A|VALUE|NAME\?|DIV\/0)!?)\s*$|\[object \w+\]|\[native code\]/;

/** Whether a text is an expression that stands in a field that is set to 'Fixed'. */
export function isNotEvaluated(text: string): boolean {
  return text.includes('$') && NOT_EVALUATED.test(text);
}

/** Whether a text is what JavaScript or a spreadsheet writes for a value that is missing. */
export function isSlip(text: string): boolean {
  return SLIP.test(text);
}

/**
 * Reads a value of a known type with the core's codec, whatever form it came in.
 *
 * @param subject names the field in the message, such as `The contact field 'Team Size'`.
 * @param advise gives a sentence that may help with a value that does not fit.
 * @throws InputProblem for a value that does not fit.
 */
export function readValue(
  subject: string,
  type: PropertyType,
  value: unknown,
  advise: (type: PropertyType, value: unknown) => string = formulaFor,
): PropertyValue {
  return accept(subject, value, parseValue(type, value), () => advise(type, value));
}

/**
 * Reads a text that tells one from the others.
 *
 * @throws InputProblem for a value that is no text, and for an address in which a slip is left.
 */
export function readIdentifier(subject: string, value: unknown): string {
  const text = String(readValue(subject, 'string', value)).trim();
  if (/^=.*@/.test(text)) throw misfit(subject, text, "an email address without '=' in front");
  if (/<[^<>]+@[^<>]+>/.test(text))
    throw misfit(subject, text, 'an email address and nothing else', TAKE_ADDRESS);
  return text;
}

const TAKE_ADDRESS =
  "With the name of your column for 'column', {{ $json['column'].extractEmail() }} takes the address out of it.";

const NOT_ROUNDED = 'a number of at most 15 digits (a longer one loses some: it has to come as text)';

/** The same for a value whose type nobody declared; points in time become Unix seconds. */
export function readUntypedValue(subject: string, value: unknown): PropertyValue {
  if (isRoundedNumber(value)) throw misfit(subject, value, NOT_ROUNDED);
  return accept(subject, value, encodeUntypedValue(value));
}

/**
 * Reads the value of an email's variable: text or a number, which stays what it is.
 *
 * @throws InputProblem for anything else; a date has to be written as people should read it.
 */
export function readVariable(subject: string, value: unknown): string | number {
  if (isRoundedNumber(value)) throw misfit(subject, value, NOT_ROUNDED);
  const read = typeof value === 'boolean' ? undefined : encodeUntypedValue(value);
  const isDate = typeof value === 'object' && read?.ok === true;
  if (read?.ok === true && !isDate && typeof read.value !== 'boolean') {
    return accept(subject, value, read) === read.value ? read.value : '';
  }
  const expected = isDate
    ? "text or a number, and a date written as people should read it, such as {{ $now.toFormat('d LLLL yyyy') }}"
    : 'text or a number';
  throw misfit(subject, value, expected);
}

/**
 * The problem of a value that is not what its field asks for; it shows the value to the person.
 *
 * @param formula a sentence with an expression that may help.
 */
export function misfit(subject: string, value: unknown, expected: string, formula = ''): InputProblem {
  const advice = Number.isNaN(value) ? NOT_A_NUMBER : formula;
  return new InputProblem(
    `${subject} ${describeMisfit(value, expected)}`,
    `Correct the value, or its expression.${advice === '' ? '' : ` ${advice}`}`,
  );
}

/** What leads to a NaN. */
const NOT_A_NUMBER =
  "It calculates with what is no number. A name with a hyphen is written in brackets: {{ $json['E-Mail'] }}; a decimal comma becomes a dot by {{ Number($json.price.replace(',', '.')) }}.";

const LONGEST_SHOWN = 80;

function describeMisfit(value: unknown, expected: string): string {
  if (typeof value === 'string') {
    return `must be ${expected}, but is '${shortened(value)}'`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return `must be ${expected}, but is ${value}`;
  return describeRefusal({ expected }, value);
}

/** The beginning of a long text. */
export function shortened(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function accept(subject: string, value: unknown, read: EncodedValue, advise?: () => string): PropertyValue {
  const text = read.ok ? read.value : value;
  if (typeof text === 'string' && isNotEvaluated(text)) {
    throw new InputProblem(
      `${subject} is the text '${shortened(text)}', an expression that was not evaluated`,
      "An expression stands in two braces on each side, such as {{ $json.name }}, in a field that is set to 'Expression' and not to 'Fixed'.",
    );
  }
  if (!read.ok) throw misfit(subject, value, read.expected, advise?.());
  if (typeof read.value === 'string' && isSlip(read.value)) throw slip(subject, read.value);
  return read.value;
}

/**
 * The problem of a text that stands for a value that is missing, or holds such a word.
 *
 * @param columns what the input has, where it lacks the column that is asked for; begins with a blank, else empty.
 */
export function slip(subject: string, text: string, missing?: Missing, columns = ''): InputProblem {
  const { source = '', isObject = false } = missing ?? {};
  const canSaySo = !isObject && /^\$?[\w.[\]'"]+$/.test(source);
  return new InputProblem(
    `${subject} is the text '${shortened(text)}', ${missing === undefined ? 'which an expression gives where there is no value' : sayMissing([missing])}`,
    `Correct the expression.${columns}${canSaySo ? ` A part that may be missing says by itself what stands in its place: {{ ${source} || 'friend' }}, or '' for nothing.` : ''}`,
  );
}
