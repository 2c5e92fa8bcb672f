import {
  contactIdentifierSchema,
  describeRefusal,
  emailSchema,
  encodeValue,
  parseValue,
  readWith,
} from 'audience-core/internal';
import type { PropertyType } from 'audience-core/internal';
import { DateTime } from 'luxon';
import type { Value } from '../../contact-record/values.js';

/** Why a value cannot be read: `reason` completes a sentence that begins with the value, unless it is not shown. */
export class Refusal {
  constructor(
    readonly reason: string,
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

const LINE_BREAK = new Refusal('has a line break in it. Is a quote missing?', false);

const readText: ReadValue = (value) => {
  if (typeof value !== 'string') return notText(value);
  const end = value.search(/[\r\n]/);
  if (end < 0 || !value.includes('@', end)) return value;
  return new Refusal('has a line break and an email address after it. Is a quote missing?', false);
};

/** Reads a name, which has one line. */
export const readName: ReadValue = (value) =>
  typeof value === 'string' && /[\r\n]/.test(value) ? LINE_BREAK : readText(value);

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
  return new Refusal('must be true or false, yes or no, 1 or 0', typeof value === 'string');
}

function readWritten(type: PropertyType, value: unknown): Value | Refusal | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const read = parseValue(type, value);
  if (read.ok) return read.value;
  if (typeof value !== 'string') return new Refusal(describeRefusal(read, value), false);
  const reason = describeRefusal(read, value).replace(/, not text$/, '');
  return new Refusal(type === 'date' ? `${reason}. For another form, set dateFormat` : reason);
}

function readerOfFormat(format: string): ReadValue {
  const parser = DateTime.buildFormatParser(format, { locale: 'en-US' });
  return (value) => {
    if (typeof value !== 'string') return readWritten('date', value);
    const text = value.trim();
    if (text === '') return undefined;
    const date = DateTime.fromFormatParser(text, parser, { zone: 'utc', locale: 'en-US' });
    const read = date.isValid ? encodeValue('date', Math.floor(date.toSeconds())) : undefined;
    return read?.ok === true
      ? read.value
      : new Refusal(`must be a date in the form ${format}, as dateFormat says`);
  };
}

function notText(value: unknown): Refusal {
  return new Refusal(describeRefusal({ expected: 'text' }, value), false);
}

/** Most identifiers, which need no other test. */
const PLAIN_EMAIL = /^[\w+-]+(\.[\w+-]+)*@[a-z\d-]+(\.[a-z\d-]+)+$/i;
const PLAIN_USER_ID = /^(\d+|(?=.*[a-df-z_])[\w-]{3,})$/i;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const PLACEHOLDER =
  /^(n\/?a|#?n\/[ad]|#nv|#(ref|value|wert|bezug|num|zahl|null|div\/0)!|#name\?|null|none|nil|nan|undefined|unknown|\(?blank\)?|\\n|[-–—?._]+)$/i;
const SPREADSHEET_NUMBER = /^(\d+([.,]\d+)?e\+\d+|\d+\.0+|=.*|'\d+)$/i;
const QUOTED = /^["'“”„«‘’].*["'“”»‘’]$/;

/** Reads an email or a userId, and trims it. */
export function readIdentifier(name: 'email' | 'userId', value: unknown): string | Refusal | undefined {
  if (typeof value !== 'string') return notText(value);
  const text = value.trim();
  if (text === '') return undefined;
  const isPlain = (name === 'email' ? PLAIN_EMAIL : PLAIN_USER_ID).test(text);
  if (isPlain && !PLACEHOLDER.test(text) && text !== 'properties') return text;
  if (/[\r\n]/.test(text)) return LINE_BREAK;
  if (QUOTED.test(text)) return new Refusal('has quotation marks around it. Delete them', false);
  const [invisible] = INVISIBLE.exec(text) ?? [];
  if (invisible !== undefined) {
    const code = (invisible.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return new Refusal(`has the invisible character U+${code} in it. Type the value in by hand`, false);
  }
  if (PLACEHOLDER.test(text))
    return new Refusal('is a placeholder. Empty the cell, or add this text to nullValues');
  if (SPREADSHEET_NUMBER.test(text))
    return new Refusal(
      'is how a spreadsheet writes a number, so digits may be lost. Export the column as text',
    );
  const read = readWith(name === 'email' ? emailSchema : contactIdentifierSchema, text);
  return read.ok ? text : new Refusal(read.issues[0]?.message ?? `must be an ${name}`, false);
}
