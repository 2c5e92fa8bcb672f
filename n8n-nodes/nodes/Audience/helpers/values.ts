import { toUnixSeconds } from 'audience-core/contract';
import type { PropertyType, PropertyValue } from 'audience-core';
import { InputProblem } from './errors.js';

/** The problem of a value that cannot be what its field asks for. */
function unfit(subject: string, value: unknown, expected: string): InputProblem {
  return new InputProblem(
    `${subject} must be ${expected}, but is ${describe(value)}`,
    'Correct the value, or its expression. Nothing was sent for this item.',
  );
}

/**
 * Brings a value to the form in which the service takes it, by the property's type. What can be read in one
 * way only is converted ('42' for a number, an ISO 8601 text for a date); everything else is refused.
 *
 * @param subject names the field in the message, such as `The contact field 'Team Size'`.
 * @throws InputProblem for a value that does not fit.
 */
export function toWireValue(subject: string, value: unknown, type: PropertyType): PropertyValue {
  switch (type) {
    case 'string':
      return toText(subject, value);
    case 'number':
      return toNumber(subject, value);
    case 'boolean':
      return toBoolean(subject, value);
    case 'date':
      return toDate(subject, value);
  }
}

/**
 * Brings a value whose type nobody declared to the form in which the service takes it: text, numbers and
 * booleans stay what they are, points in time become Unix seconds.
 *
 * @param subject names the field in the message, such as `The contact field 'Team Size'`.
 * @throws InputProblem for objects and lists.
 */
export function toUntypedWireValue(subject: string, value: unknown): PropertyValue {
  const time = timeOf(value);
  if (time !== undefined) return toUnixSeconds(time);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw unfit(subject, value, 'text, a number, true or false, or a date');
}

/** Whether a value can be that of an email's variable: text or a number. */
export function isVariableValue(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}

/** The problem of a value that is neither text nor a number. */
export function unfitVariable(subject: string, value: unknown): InputProblem {
  const hint = timeOf(value) === undefined ? '' : ' (write the date as people should read it)';
  return unfit(subject, value, `text or a number${hint}`);
}

/** Whether a field was left empty, which means: leave it alone. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function toText(subject: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value);
  const time = timeOf(value);
  if (time !== undefined) return time.toISOString();
  throw unfit(subject, value, 'text');
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function toNumber(subject: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string' && DECIMAL.test(value.trim())) {
    const number = Number(value);
    if (Number.isFinite(number)) return number;
  }
  throw unfit(subject, value, 'a number, such as 42 or -3.5');
}

function toBoolean(subject: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw unfit(subject, value, 'true or false');
}

/** Unix times in seconds end here (year 5138); a greater number is in milliseconds. */
const LAST_SECOND = 100_000_000_000;

function toDate(subject: string, value: unknown): number {
  const expected = 'a date, such as 2026-01-31, 2026-01-31T09:30:00Z or Unix time in seconds';
  const time = timeOf(value);
  if (time !== undefined) return toUnixSeconds(time);
  if (typeof value === 'number') return secondsOf(subject, value, value, expected);
  if (typeof value !== 'string') throw unfit(subject, value, expected);
  const text = value.trim();
  if (/^-?\d{6,}$/.test(text)) return secondsOf(subject, Number(text), value, expected);
  const parsed = parseIsoDate(text);
  if (parsed === undefined) throw unfit(subject, value, expected);
  return toUnixSeconds(parsed);
}

function secondsOf(subject: string, seconds: number, given: unknown, expected: string): number {
  if (Math.abs(seconds) >= LAST_SECOND) {
    throw unfit(subject, given, 'Unix time in seconds (it looks like milliseconds: divide it by 1000)');
  }
  if (!Number.isInteger(seconds)) throw unfit(subject, given, expected);
  return seconds;
}

const ISO_DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Reads an ISO 8601 date. Without a time it is midnight UTC and without a zone it is UTC, so that a workflow
 * gives the same result whatever its time zone.
 */
function parseIsoDate(text: string): Date | undefined {
  const match = ISO_DATE.exec(text);
  if (match === null) return undefined;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const utc = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Date.UTC turns 31 February into 3 March; a date that does not exist is a mistake.
  const dateExists =
    utc.getUTCFullYear() === year && utc.getUTCMonth() === month - 1 && utc.getUTCDate() === day;
  const exists = dateExists && hour < 24 && minute < 60 && second < 60;
  if (!exists) return undefined;
  return new Date(utc.getTime() - offsetMinutes(match[7]) * 60_000);
}

function offsetMinutes(zone: string | undefined): number {
  if (zone === undefined || /^z$/i.test(zone)) return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)));
}

/** The point in time of a Date, or of a luxon DateTime as n8n's expressions give it. */
function timeOf(value: unknown): Date | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const milliseconds = millisecondsOf(value);
  return milliseconds === undefined || Number.isNaN(milliseconds) ? undefined : new Date(milliseconds);
}

function millisecondsOf(value: object): number | undefined {
  if (Object.prototype.toString.call(value) === '[object Date]') return Number(value);
  if ('isLuxonDateTime' in value && value.isLuxonDateTime === true) return Number(value.valueOf());
  return undefined;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return 'a list';
  if (timeOf(value) !== undefined) return 'a date';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
