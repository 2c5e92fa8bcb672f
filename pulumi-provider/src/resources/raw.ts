import { problem, type Problem } from '../messages/index.js';

/** A value that is not known before other resources exist. */
export const UNKNOWN: unique symbol = Symbol('unknown');

/** Whether a value is unknown, or has an unknown value in it. */
export function holdsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(holdsUnknown);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnknown);
}

/** Unchecked inputs or outputs of a resource. */
export type Raw = Readonly<Record<string, unknown>>;

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The texts of a list; none where it is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

export function unknownInputs(inputs: Raw, names: readonly string[]): Problem[] {
  const unknown = Object.keys(inputs).filter((name) => !names.includes(name));
  return unknown.map((name) => problem('input.unknown', { name, names }));
}
