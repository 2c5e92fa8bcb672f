import { toUnixSeconds } from 'audience-core';

/** A value with every `Date` in it as Unix seconds, the form in which it is compared, kept and sent. */
export function toWire(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : toUnixSeconds(value);
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toWire(inner)]));
}
