import {
  contactIdentifierSchema,
  emailSchema,
  encodeUntypedValue,
  encodeValue,
  kindOf,
  parseValue,
  readWith,
  type PropertyType,
} from 'audience-core/internal';
import { DateTime } from 'luxon';
import type { Value } from './fields.js';
import type { FileProblem } from './problems.js';

/** Converts a cell's text, or a value of the program, for the wire; `undefined` declares nothing. */
export type ReadValue = (value: unknown) => Value | FileProblem | undefined;

/**
 * What reads the cells of a field.
 *
 * @param field flat name, such as `planName` or `subscriptionGroups.<id>`.
 * @param type its type; `undefined` where it is not known.
 * @param dateFormat luxon's format; ISO 8601 unless given.
 */
export function readerOf(
  field: string,
  type: PropertyType | undefined,
  dateFormat: string | undefined,
  delimiter: string | undefined,
): ReadValue {
  if (field === 'email' || field === 'userId') return (value) => readIdentifier(field, value);
  if (field === 'firstName' || field === 'lastName')
    return (value) => (/[\r\n]/.test(String(value)) ? { code: 'row.line-break' } : readText(value));
  if (type === 'boolean') return readBoolean;
  // Only the service's types can judge a value.
  if (type === undefined)
    return (value) => (typeof value === 'string' ? readText(value) : readWritten(undefined, value));
  if (type === 'string') return readText;
  if (type === 'date' && dateFormat !== undefined) return readerOfFormat(dateFormat);
  // Beside semicolons, a dot may separate thousands.
  const twoWays = delimiter === ';' ? /^[+-]?([\d.]*,[\d.,]*|\d{1,3}(\.\d{3})+)$/ : /^[+-]?[\d.]*,[\d.,]*$/;
  return (value) =>
    type === 'number' && typeof value === 'string' && twoWays.test(value.trim())
      ? { code: 'row.two-ways' }
      : readWritten(type, value);
}

const readText: ReadValue = (value) => {
  if (typeof value !== 'string')
    return { code: 'row.value', issue: { code: 'wrongType', expected: 'string', given: kindOf(value) } };
  const end = value.search(/[\r\n]/);
  return end >= 0 && value.includes('@', end) ? { code: 'row.line-break' } : value.normalize();
};

/** Programs also write yes and no. */
const readBoolean: ReadValue = (value) => {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return readWritten('boolean', word === 'yes' ? true : word === 'no' ? false : value);
};

function readWritten(type: PropertyType | undefined, value: unknown): ReturnType<ReadValue> {
  const isText = typeof value === 'string';
  if (isText && value.trim() === '') return undefined;
  const read = type === undefined ? encodeUntypedValue(value) : parseValue(type, value);
  if (read.ok) return read.value;
  const issue = isText ? { ...read.problem, given: undefined } : read.problem;
  return { code: isText && type === 'date' ? 'row.date' : 'row.value', issue };
}

function readerOfFormat(format: string): ReadValue {
  const parser = DateTime.buildFormatParser(format, { locale: 'en-US' });
  return (value) => {
    if (typeof value !== 'string') return readWritten('date', value);
    const text = value.trim();
    if (text === '') return undefined;
    const date = DateTime.fromFormatParser(text, parser, { zone: 'utc', locale: 'en-US' });
    const read = date.isValid ? encodeValue('date', Math.floor(date.toSeconds())) : undefined;
    return read?.ok === true ? read.value : { code: 'row.date-format', expected: format };
  };
}

const PLACEHOLDER =
  /^(n\/?a|#?n\/[ad]|#nv|#(ref|value|wert|bezug|num|zahl|null|div\/0)!|#name\?|null|none|nil|nan|undefined|unknown|\(?blank\)?|\\n|[-–—?._]+)$/i;
/** What no identifier is like, with the first fault that it has. */
const NO_IDENTIFIERS: readonly (readonly [RegExp, FileProblem['code']])[] = [
  [/[\r\n]/, 'row.line-break'],
  [/^(["'“”„«‘’].*["'“”»‘’]$|['‘’`])/, 'row.quotes'],
  [/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u, 'row.invisible'],
  [PLACEHOLDER, 'row.placeholder'],
  [/^(\d+([.,]\d+)?e\+\d+|\d+\.0+|=.*)$/i, 'row.spreadsheet'],
];

/** Reads an email or a userId: trims it, and composes its letters. */
function readIdentifier(name: 'email' | 'userId', value: unknown): ReturnType<ReadValue> {
  if (typeof value !== 'string') return readText(value);
  const text = value.trim().normalize();
  if (text === '') return undefined;
  for (const [pattern, code] of NO_IDENTIFIERS) if (pattern.test(text)) return { code };
  const read = readWith(name === 'email' ? emailSchema : contactIdentifierSchema, text);
  return read.ok ? text : { code: 'row.value', issue: read.issues[0] };
}
