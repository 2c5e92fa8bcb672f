import * as z from '../zod.js';
import { propertyValueSchema } from './common.js';
import type { PropertyType, PropertyValue } from './types.js';

/** A property value for the wire (interface: Data types for custom property values), in any time zone the same. */
export type EncodedValue =
  | { readonly ok: true; readonly value: PropertyValue }
  /** `expected` completes the sentence "must be …". */
  | { readonly ok: false; readonly expected: string };

/** Unix seconds up to the year 10,000 lie below; milliseconds of any day since 1978 lie above. */
const UNIX_SECONDS_BOUND = 253_402_300_800;

/** What is expected of a value that a program gives, by type. */
const TYPED_FORMS: Readonly<Record<PropertyType, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date (a Date or whole Unix seconds)',
};

/** What is expected of a value that a person writes. */
const WRITTEN_FORMS: typeof TYPED_FORMS = {
  ...TYPED_FORMS,
  number: 'a number, such as 42 or -3.5',
  date: 'a date, such as 2026-01-31, 2026-01-31T09:30:00Z or Unix time in seconds',
};

/** Encodes a typed value. A date is a `Date`, a luxon `DateTime` or whole Unix seconds; text is never a number. */
export function encodeValue(type: PropertyType, value: unknown): EncodedValue {
  if (type === 'date') return encodeDate(value);
  return wireProblem(type, value) ?? encoded(value);
}

/** Reads a value from a form, file or expression: text becomes the type where it can be read in one way only. */
export function parseValue(type: PropertyType, value: unknown): EncodedValue {
  const read = readForm(type, value);
  const isUnknownForm = !read.ok && read.expected === TYPED_FORMS[type];
  return isUnknownForm ? refused(WRITTEN_FORMS[type]) : read;
}

function readForm(type: PropertyType, value: unknown): EncodedValue {
  const text = typeof value === 'string' ? value.trim() : undefined;
  switch (type) {
    case 'string': {
      const time = timeOf(value);
      if (time !== undefined) return encoded(time.toISOString());
      if (isRoundedNumber(value)) return refused('text (a number with more than 15 digits is rounded)');
      return encodeValue(type, isWire(value) ? String(value) : value);
    }
    case 'number':
      if (isRoundedNumber(value) || (text !== undefined && isRounded(text))) return refused(ROUNDED);
      return encodeValue(type, text !== undefined && DECIMAL.test(text) ? Number(text) : value);
    case 'boolean': {
      const word = text?.toLowerCase() ?? value;
      if (word === 'true' || word === '1' || word === 1) return encoded(true);
      if (word === 'false' || word === '0' || word === 0) return encoded(false);
      return encodeValue(type, value);
    }
    case 'date': {
      const date = text === undefined ? value : /^-?\d+$/.test(text) ? Number(text) : parseIsoDate(text);
      const isDayNumber = typeof date === 'number' && date >= 0 && date <= LARGEST_DAY_NUMBER;
      return isDayNumber ? refused(DAY_NUMBER) : encodeDate(date ?? value);
    }
  }
}

/** Encodes a value without a declared type, such as an event property: a point in time becomes Unix seconds. */
export function encodeUntypedValue(value: unknown): EncodedValue {
  if (timeOf(value) !== undefined) return encodeDate(value);
  return isWire(value) ? encoded(value) : refused('text, a number, true or false, or a date');
}

/** What a value on the wire is, for a type: Unix seconds as a `Date`; what is not of the type as it is. */
export function decodeValue(type: PropertyType, value: unknown): unknown {
  const isDate = type === 'date' && typeof value === 'number' && wireProblem(type, value) === undefined;
  return isDate ? new Date(value * 1000) : value;
}

/** Says why a value on the wire is not of a type, or `undefined` when it is; `null` clears, so it always is. */
export function propertyValueProblem(type: PropertyType, value: unknown): string | undefined {
  if (value === null) return undefined;
  const problem = wireProblem(type, value);
  return problem === undefined ? undefined : describeRefusal(problem, value);
}

/** The problem of a value that is not what was expected, with its kind but never the value itself. */
export function describeRefusal({ expected }: { readonly expected: string }, value: unknown): string {
  return expected.startsWith('looks like') ? expected : `must be ${expected}, not ${kindOf(value)}`;
}

function wireProblem(type: PropertyType, value: unknown): Refused | undefined {
  if (type === 'date' && Number.isInteger(value)) {
    return Math.abs(Number(value)) < UNIX_SECONDS_BOUND ? undefined : refused(SECONDS_NOT_MILLISECONDS);
  }
  const fits = type === 'number' ? isFiniteNumber(value) : typeof value === type;
  return fits ? undefined : refused(TYPED_FORMS[type]);
}

const SECONDS_NOT_MILLISECONDS = 'looks like milliseconds: divide it by 1000';

function encodeDate(value: unknown): EncodedValue {
  const time = timeOf(value);
  if (time !== undefined) {
    const seconds = Math.floor(time.getTime() / 1000);
    return wireProblem('date', seconds) ?? encoded(seconds);
  }
  const problem = wireProblem('date', value);
  if (problem !== undefined) return problem;
  // 20270131 is a second of August 1970, which nobody means.
  const calendarDate = /^(19|20|21)(\d{2})(\d{2})(\d{2})$/.exec(String(value));
  const written = calendarDate && `${calendarDate[1]}${calendarDate.slice(2).join('-')}`;
  return written !== null && isoDate.safeParse(written).success
    ? refused(`a date with dashes, or Unix time in seconds (is ${written} meant?)`)
    : encoded(value);
}

/** Spreadsheets give days since 1900, years and zero, which nobody means as Unix times. */
const LARGEST_DAY_NUMBER = 99_999;

const DAY_NUMBER =
  'looks like a year, 0 or the day number of a spreadsheet: write a date, such as 2026-01-31';

const ROUNDED =
  'a number of at most 15 digits (longer ones are rounded; a property of type string keeps them)';

/** Whether a whole number would become another one: ids are such numbers. */
function isRounded(text: string): boolean {
  return /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(Number(text));
}

/** Whether it is a whole number too long for JavaScript, which may have changed its last digits. */
export function isRoundedNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const isoDate = z.iso.date();
const isoDateTime = z.iso.datetime({ offset: true, local: true });

/** Real calendar dates only. Without a time it is midnight, and without an offset it is in UTC. */
function parseIsoDate(text: string): Date | undefined {
  if (isoDate.safeParse(text).success) return new Date(text);
  const iso = text
    .replace(' ', 'T')
    .toUpperCase()
    .replace(/ ?UTC$/, 'Z')
    .replace(/(T\S+) ?([+-]\d{2}):?(\d{2})?$/, (_, time: string, hours: string, minutes = '00') =>
      [time, hours, ':', minutes].join(''),
    )
    .replace(/T(\d{2}:\d{2})(?=$|[Z+-])/, 'T$1:00');
  if (!isoDateTime.safeParse(iso).success) return undefined;
  return new Date(/(Z|[+-]\d{2}:\d{2})$/.test(iso) ? iso : `${iso}Z`);
}

/** A `Date`, also of another realm, or a luxon `DateTime` as n8n's expressions give it. */
function isDateObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const isLuxon = 'isLuxonDateTime' in value && value.isLuxonDateTime === true;
  return isLuxon || Object.prototype.toString.call(value) === '[object Date]';
}

/** The point in time of a date object, unless it is an invalid one. */
function timeOf(value: unknown): Date | undefined {
  if (!isDateObject(value)) return undefined;
  const time = new Date(Number(value.valueOf()));
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function isWire(value: unknown): value is PropertyValue {
  return typeof value === 'string' || typeof value === 'boolean' || isFiniteNumber(value);
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

type Refused = Extract<EncodedValue, { ok: false }>;

function refused(expected: string): Refused {
  return { ok: false, expected };
}

function encoded(value: unknown): EncodedValue {
  return { ok: true, value: isWire(value) ? value : propertyValueSchema.parse(value) };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isDateObject(value)) return timeOf(value) === undefined ? 'an invalid date' : 'a date';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      if (!Number.isFinite(value)) return String(value);
      return Number.isInteger(value) ? 'a number' : 'a decimal number';
    case 'boolean':
      return 'true or false';
    case 'undefined':
      return 'nothing';
    default:
      return 'an object';
  }
}
