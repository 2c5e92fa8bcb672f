import type { Form, Kind, ProblemDetails } from '../messages/problems.js';
import * as z from '../zod.js';
import { propertyValueSchema } from './common.js';
import type { PropertyType, PropertyValue } from '../types.js';

/** A property value for the wire (interface: Data types for custom property values), in any time zone the same. */
export type EncodedValue =
  | { readonly ok: true; readonly value: PropertyValue }
  | { readonly ok: false; readonly problem: ProblemDetails };

/** Unix seconds up to the year 10,000 lie below; milliseconds of any day since 1978 lie above. */
const UNIX_SECONDS_BOUND = 253_402_300_800;

/** Encodes a typed value. A date is a `Date`, a luxon `DateTime` or whole Unix seconds; text is never a number. */
export function encodeValue(type: PropertyType, value: unknown): EncodedValue {
  if (type === 'date') return encodeDate(value);
  return wireProblem(type, value) ?? encoded(value);
}

/** Reads a value from a form, file or expression: text becomes the type where it can be read in one way only. */
export function parseValue(type: PropertyType, value: unknown): EncodedValue {
  const read = readForm(type, value);
  const form = type === 'number' ? 'writtenNumber' : type === 'date' ? 'writtenDate' : type;
  return !read.ok && read.problem.code === 'wrongType' ? wrongType(form, value) : read;
}

function readForm(type: PropertyType, value: unknown): EncodedValue {
  const text = typeof value === 'string' ? value.trim() : undefined;
  switch (type) {
    case 'string': {
      const time = timeOf(value);
      if (time !== undefined) return encoded(time.toISOString());
      if (isRoundedNumber(value)) return refused({ code: 'roundedNumber' });
      return encodeValue(type, isWire(value) ? String(value) : value);
    }
    case 'number': {
      const number = text !== undefined && DECIMAL.test(text) ? Number(text) : value;
      return isRoundedNumber(number) ? refused({ code: 'roundedNumber' }) : encodeValue(type, number);
    }
    case 'boolean': {
      const word = text?.toLowerCase() ?? value;
      if (word === 'true' || word === '1' || word === 1) return encoded(true);
      if (word === 'false' || word === '0' || word === 0) return encoded(false);
      return encodeValue(type, value);
    }
    case 'date': {
      const date = text === undefined ? value : /^-?\d+$/.test(text) ? Number(text) : parseIsoDate(text);
      const isDayNumber = typeof date === 'number' && date >= 0 && date <= LARGEST_DAY_NUMBER;
      return isDayNumber ? refused({ code: 'dayNumber' }) : encodeDate(date ?? value);
    }
  }
}

/** Encodes a value without a declared type, such as an event property: a point in time becomes Unix seconds. */
export function encodeUntypedValue(value: unknown): EncodedValue {
  if (timeOf(value) !== undefined) return encodeDate(value);
  return isWire(value) ? encoded(value) : wrongType('anyValue', value);
}

/** What a value on the wire is, for a type: Unix seconds as a `Date`; what is not of the type as it is. */
export function decodeValue(type: PropertyType, value: unknown): unknown {
  const isDate = type === 'date' && typeof value === 'number' && wireProblem(type, value) === undefined;
  return isDate ? new Date(value * 1000) : value;
}

/** Says why a value on the wire is not of a type, or `undefined` when it is; `null` clears, so it always is. */
export function propertyValueProblem(type: PropertyType, value: unknown): ProblemDetails | undefined {
  return value === null ? undefined : wireProblem(type, value)?.problem;
}

function wireProblem(type: PropertyType, value: unknown): Refused | undefined {
  if (type === 'date' && Number.isInteger(value)) {
    if (Math.abs(Number(value)) < UNIX_SECONDS_BOUND) return undefined;
    return refused({ code: 'milliseconds' });
  }
  const fits = type === 'number' ? isFiniteNumber(value) : typeof value === type;
  return fits ? undefined : wrongType(type, value);
}

function encodeDate(value: unknown): EncodedValue {
  const time = timeOf(value);
  if (time !== undefined) {
    const seconds = Math.floor(time.getTime() / 1000);
    return wireProblem('date', seconds) ?? encoded(seconds);
  }
  const problem = wireProblem('date', value);
  if (problem !== undefined) return problem;
  // 20270131 would be a second of August 1970.
  const dashed = String(value).replace(/^((?:19|20|21)\d{2})(\d{2})(\d{2})$/, '$1-$2-$3');
  return isoDate.safeParse(dashed).success ? refused({ code: 'dayNumber' }) : encoded(value);
}

/** Spreadsheets give days since 1900, years and zero, which are not meant as Unix times. */
const LARGEST_DAY_NUMBER = 99_999;

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

function refused(problem: ProblemDetails): Refused {
  return { ok: false, problem };
}

function wrongType(expected: Form, value: unknown): Refused {
  return refused({ code: 'wrongType', expected, given: kindOf(value) });
}

function encoded(value: unknown): EncodedValue {
  return { ok: true, value: isWire(value) ? value : propertyValueSchema.parse(value) };
}

/** The kind of a value, for messages. */
export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (isDateObject(value)) return timeOf(value) === undefined ? 'invalidDate' : 'date';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'notFinite';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'decimal';
  const kind = typeof value;
  return kind === 'string' || kind === 'boolean' || kind === 'undefined' || kind === 'object'
    ? kind
    : 'other';
}
