import {
  encodeUntypedValue,
  isRecord,
  isRoundedNumber,
  parseValue,
  type JsonValue,
  type ProblemCode,
} from 'audience-core/internal';
import type { PropertyType, PropertyValue } from 'audience-core';
import { misfit, type Subject } from '../problem.js';
import type { Expected } from '../messages/problems.js';
import { isDate, otherThanJson } from '../dates.js';

/** Whether there is nothing in a field, or its expression gave nothing. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** A dot may separate thousands or decimals. */
const THOUSANDS = /^\s*-?[1-9]\d{0,2}(\.\d{3})+\s*$/;

const WORDS: Readonly<Record<string, boolean>> = { yes: true, y: true, no: false, n: false };

/** A switch as users write it; any other value as it is. */
function asSwitch(value: unknown): unknown {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return Object.hasOwn(WORDS, word) ? WORDS[word] : value;
}

/** Forms by the problems of the core's codec. */
const EXPECTED: Readonly<Partial<Record<ProblemCode, Expected>>> = {
  milliseconds: 'seconds',
  dayNumber: 'date-not-day-number',
  roundedNumber: 'short-number',
};

/** Reads a value of a known type with the core's codec, whatever form it came in. */
export function readValue(subject: Subject, type: PropertyType, value: unknown): PropertyValue {
  if (type === 'number' && typeof value === 'string' && THOUSANDS.test(value))
    throw misfit(subject, value, 'plain-number');
  const read = parseValue(type, type === 'boolean' ? asSwitch(value) : value);
  if (read.ok) return read.value;
  throw misfit(subject, value, EXPECTED[read.problem.code] ?? type);
}

/** Reads a text that tells one thing from another. */
export function readIdentifier(subject: Subject, value: unknown): string {
  if (Array.isArray(value)) throw misfit(subject, value, 'one-value');
  const text = String(readValue(subject, 'string', value)).trim();
  if (/^=.*@/.test(text)) throw misfit(subject, text, 'address-without-equals-sign');
  if (/@.*[,;\s].*@/s.test(text)) throw misfit(subject, text, 'one-address');
  return text;
}

/** Reads a property of an event, whose points in time are Unix seconds. */
export function readProperty(subject: Subject, value: unknown): JsonValue {
  const read = isDate(value) ? encodeUntypedValue(value) : undefined;
  return read?.ok === true ? read.value : toJson(subject, value);
}

/** Reads any JSON value. A date is written as n8n writes it. */
export function toJson(subject: Subject, value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (isRoundedNumber(value)) throw misfit(subject, value, 'short-number');
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (isDate(value) && !Number.isNaN(Number(value))) return String(JSON.parse(JSON.stringify(value)));
  if (Array.isArray(value)) return value.map((one) => toJson(subject, one));
  if (!isRecord(value) || isDate(value) || otherThanJson(value) !== undefined)
    throw misfit(subject, value, 'json-value');
  const filled = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(filled.map(([name, inner]) => [name, toJson(subject, inner)]));
}
