/** A value that is not known before other resources have been made. */
export const UNKNOWN: unique symbol = Symbol('unknown');

/** Whether a value is, or holds, one that is not known yet. */
export function holdsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(holdsUnknown);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnknown);
}

/** Inputs or outputs of a resource as the host hands them over: nothing is known of their shape. */
export type Raw = Readonly<Record<string, unknown>>;

/** The value where it is text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
