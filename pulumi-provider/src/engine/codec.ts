import { isRecord } from 'audience-core/internal';
import { UNKNOWN } from '../resources/raw.js';
import type { Raw } from '../resources/raw.js';
import { onWire } from '../resources/people/fields.js';
import { UNKNOWN_TEXT } from './protocol.js';

/** Key of an object that stands for a `Date` on its way from the program: the engine knows no dates. */
const DATE_KEY = 'pulumi-audience:date';

/** Form in which a `Date` travels from the program to `check`; one that is no point in time travels as `null`. */
export function encodeDate(date: Date): Record<string, number | null> {
  const time = date.getTime();
  return { [DATE_KEY]: Number.isNaN(time) ? null : time };
}

/**
 * What the engine hands over, for a resource: without the serialized provider, with what is not known yet as
 * `UNKNOWN`, and with `Date`s where the program gave some.
 */
export function fromEngine(properties: unknown): Raw {
  const { __provider: _, ...rest } = isRecord(properties) ? properties : {};
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, decode(value)]));
}

function decode(value: unknown): unknown {
  if (value === UNKNOWN_TEXT) return UNKNOWN;
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (first?.[0] === DATE_KEY && entries.length === 1) return new Date(Number(first[1] ?? NaN));
  return Object.fromEntries(entries.map(([name, inner]) => [name, decode(inner)]));
}

/** What a resource hands back, for the engine: dates as Unix seconds, and no field that is `undefined`. */
export function toEngine(properties: Raw): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, encode(value)]),
  );
}

function encode(value: unknown): unknown {
  if (value === UNKNOWN) return UNKNOWN_TEXT;
  if (value instanceof Date) return onWire(value);
  if (Array.isArray(value)) return value.map(encode);
  return isRecord(value) ? toEngine(value) : value;
}
