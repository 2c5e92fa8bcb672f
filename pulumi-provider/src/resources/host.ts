/** Tells the person who runs the program what they should know, in whole sentences. */
export interface Reporter {
  info(message: string): void;
  warn(message: string): void;
}

/** Keys of people, and of lists (`list …`), that the processes of one run declare, each for all. */
export interface SharedClaims {
  /** Tells the others that this process declares somebody. */
  add(keys: readonly string[]): void;
  /** Whether another process declares somebody. */
  has(keys: readonly string[]): boolean;
}

/** What a resource needs of the place it runs in. */
export interface Host {
  readonly reporter: Reporter;
  /** Waits, in milliseconds. */
  sleep(milliseconds: number): Promise<void>;
  /** Whom other processes of the same run declare, where there can be some. */
  readonly others?: SharedClaims | undefined;
  /** Tells that the person wants the run to end: work under way ends, nothing more begins. */
  readonly cancelled?: AbortSignal;
}

/** A fault of the inputs, found before anything was written. */
export interface Problem {
  /** Input that is at fault; empty for the resource as a whole. */
  readonly property: string;
  /** What is wrong and what to do about it. */
  readonly reason: string;
}

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

/** Whether a value is an object of names and values. */
export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The resource cannot get to the declared state. The message is for the person: what happened, to which thing, and
 * what to do next.
 */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
}

/** Some of the work was done: state keeps it, and the next run goes on from there. */
export class PartialFailure extends Error {
  override readonly name = 'PartialFailure';

  constructor(
    /** Identity of the resource; an update keeps the one it has. */
    readonly id: string,
    /** State of what was done. */
    readonly outs: Raw,
    /** What failed, a sentence each. */
    readonly reasons: readonly string[],
  ) {
    super(reasons.join('\n'));
  }
}

/** A reason as a sentence of its own. */
export function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** `1 contact`, `3 contacts`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** The value where it is text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
