import {
  contactIdentifierSchema,
  emailSchema,
  encodeValue,
  kindOf,
  parseValue,
  readWith,
  wordExpected,
  wordProblem,
} from 'audience-core/internal';
import type { ProblemDetails, PropertyType } from 'audience-core/internal';
import { DateTime } from 'luxon';
import type { FileCode } from '../../../file-messages.js';
import type { Value } from '../../contact-record/values.js';

/** Why a value cannot be read. */
export class Refusal {
  constructor(
    readonly code: FileCode,
    readonly expected?: string,
    /** Whether a message may show the value. */
    readonly isShown = true,
  ) {}
}

/** Converts a cell's text, or a value of JSON, for the wire; `undefined` declares nothing. */
export type ReadValue = (value: unknown) => Value | Refusal | undefined;

/** @param format luxon's format of dates; ISO 8601 unless given. */
export function readerOf(type: PropertyType, format?: string): ReadValue {
  if (type === 'string') return readText;
  if (type === 'boolean') return readBoolean;
  if (type === 'date' && format !== undefined) return readerOfFormat(format);
  return (value) => readWritten(type, value);
}

const LINE_BREAK = new Refusal('row.line-break', undefined, false);
const SWALLOWED = new Refusal('row.swallowed', undefined, false);
const DECODED = new Refusal('row.decoded');
/** UTF-8 that was read as windows-1252: `ZoÃ«`. */
const WRONGLY_DECODED = /[ÃÂ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€/;

const readText: ReadValue = (value) => {
  if (typeof value !== 'string') return notText(value);
  if (WRONGLY_DECODED.test(value)) return DECODED;
  const end = value.search(/[\r\n]/);
  return end >= 0 && value.includes('@', end) ? SWALLOWED : value.normalize();
};

/** Reads a name, which has one line. */
export const readName: ReadValue = (value) =>
  typeof value === 'string' && /[\r\n]/.test(value) ? LINE_BREAK : readText(value);

/** Reads a value whose type is not known: only the service's types can judge it. */
export const readUntyped: ReadValue = (value) => {
  if (typeof value === 'string') return readText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return readWritten('date', value);
};

const YES: readonly unknown[] = [true, 'true', 'yes', '1'];
const NO: readonly unknown[] = [false, 'false', 'no', '0'];

/** Only the contact can subscribe again, so `true` declares nothing. */
export const readSubscribed: ReadValue = (value) => {
  const read = readBoolean(value);
  return read === true ? undefined : read;
};

function readBoolean(value: unknown): boolean | Refusal | undefined {
  const text =
    typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : value;
  if (text === '') return undefined;
  if (YES.includes(text)) return true;
  if (NO.includes(text)) return false;
  return new Refusal('row.value', 'true or false, yes or no, 1 or 0', typeof value === 'string');
}

function readWritten(type: PropertyType, value: unknown): Value | Refusal | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const read = parseValue(type, value);
  if (read.ok) return read.value;
  const { problem } = read;
  if (typeof value !== 'string') return refusalOf(problem, 'row.value', false);
  if (type === 'number' && /^[+-]?[\d.]*,[\d.,]*$/.test(value.trim())) return new Refusal('row.comma');
  return refusalOf({ ...problem, given: undefined }, type === 'date' ? 'row.date-form' : 'row.value', true);
}

/** A problem that the core found in a value. */
function refusalOf(problem: ProblemDetails, ofForm: FileCode, isShown: boolean): Refusal {
  if (problem.code === 'wrongType') return new Refusal(ofForm, wordExpected(problem), isShown);
  const looks = problem.code === 'milliseconds' || problem.code === 'dayNumber';
  return new Refusal(looks ? 'row.looks' : 'row.reason', wordProblem(problem), isShown);
}

/** Reads numbers of a file whose delimiter is `;`: there a dot may separate thousands. */
export const readNumberBesideSemicolons: ReadValue = (value) =>
  typeof value === 'string' && /^\s*[+-]?\d{1,3}(\.\d{3})+\s*$/.test(value)
    ? new Refusal('row.thousands')
    : readWritten('number', value);

function readerOfFormat(format: string): ReadValue {
  const parser = DateTime.buildFormatParser(format, { locale: 'en-US' });
  return (value) => {
    if (typeof value !== 'string') return readWritten('date', value);
    const text = value.trim();
    if (text === '') return undefined;
    const date = DateTime.fromFormatParser(text, parser, { zone: 'utc', locale: 'en-US' });
    const read = date.isValid ? encodeValue('date', Math.floor(date.toSeconds())) : undefined;
    return read?.ok === true ? read.value : new Refusal('row.date', format);
  };
}

function notText(value: unknown): Refusal {
  return new Refusal('row.value', wordExpected({ expected: 'string', given: kindOf(value) }), false);
}

/** Most identifiers, which need no other test. */
const PLAIN_EMAIL = /^[\w+-]+(\.[\w+-]+)*@[a-z\d-]+(\.[a-z\d-]+)+$/i;
const PLAIN_USER_ID = /^(\d+|(?=.*[a-df-z_])[\w-]{3,})$/i;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const PLACEHOLDER =
  /^(n\/?a|#?n\/[ad]|#nv|#(ref|value|wert|bezug|num|zahl|null|div\/0)!|#name\?|null|none|nil|nan|undefined|unknown|\(?blank\)?|\\n|[-–—?._]+)$/i;
const SPREADSHEET_NUMBER = /^(\d+([.,]\d+)?e\+\d+|\d+\.0+|=.*)$/i;
const QUOTED = /^["'“”„«‘’].*["'“”»‘’]$/;

/** Reads an email or a userId: trims it, and composes its letters. */
export function readIdentifier(name: 'email' | 'userId', value: unknown): string | Refusal | undefined {
  if (typeof value !== 'string') return notText(value);
  const text = value.trim().normalize();
  if (text === '') return undefined;
  const isPlain = (name === 'email' ? PLAIN_EMAIL : PLAIN_USER_ID).test(text);
  if (isPlain && !PLACEHOLDER.test(text) && text !== 'properties') return text;
  if (/[\r\n]/.test(text)) return LINE_BREAK;
  if (QUOTED.test(text)) return new Refusal('row.quotes', undefined, false);
  if (/^['‘’`]/.test(text)) return new Refusal('row.apostrophe', undefined, false);
  const [invisible] = INVISIBLE.exec(text) ?? [];
  if (invisible !== undefined) {
    const code = (invisible.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return new Refusal('row.invisible', `U+${code}`, false);
  }
  if (PLACEHOLDER.test(text)) return new Refusal('row.placeholder');
  if (SPREADSHEET_NUMBER.test(text)) return new Refusal('row.spreadsheet');
  const read = readWith(name === 'email' ? emailSchema : contactIdentifierSchema, text);
  if (read.ok) return text;
  const message = read.issues[0]?.message ?? `must be an ${name}`;
  return new Refusal('row.reason', message, false);
}
