import { IDEMPOTENCY_KEY_LIFETIME_MS } from '../contract/common.js';
import { ValidationError } from '../errors.js';
import type { ValidationIssue } from '../errors.js';

/** How long and how often a call is tried. */
export interface CallLimits {
  /** Time for one attempt, in milliseconds. 30,000 unless given. */
  readonly timeoutMs: number;
  /**
   * Time for the whole call in milliseconds, from its beginning: waiting for a turn under the limits of this client,
   * all attempts, and the waits between them. 120,000 unless given; work in bulk needs more.
   */
  readonly deadlineMs: number;
  /** Further attempts after the first one. 5 unless given. */
  readonly maxRetries: number;
}

/** Limits as far as they are given. */
export type GivenCallLimits = { readonly [Name in keyof CallLimits]?: CallLimits[Name] | undefined };

/** The limits that are given, and of the others those that hold unless given. */
export function withLimits(given: GivenCallLimits, unlessGiven: CallLimits): CallLimits {
  return {
    timeoutMs: given.timeoutMs ?? unlessGiven.timeoutMs,
    deadlineMs: given.deadlineMs ?? unlessGiven.deadlineMs,
    maxRetries: given.maxRetries ?? unlessGiven.maxRetries,
  };
}

/** Timers count no further (24.8 days); beyond it they fire at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

const LIMITS = {
  timeoutMs: { above: 0, max: LONGEST_TIMER_MS },
  // An attempt after that would be another email.
  deadlineMs: { above: 0, max: IDEMPOTENCY_KEY_LIFETIME_MS },
  requestsPerSecond: { above: 0, max: Number.MAX_VALUE },
  maxRetries: { min: 0, max: Number.MAX_SAFE_INTEGER },
  concurrency: { min: 1, max: Number.MAX_SAFE_INTEGER },
} as const;

/** Limits of a client or a call, as far as they are given. */
export type GivenLimits = { readonly [Name in keyof typeof LIMITS]?: number | undefined };

/**
 * Checks limits, wherever they were given.
 *
 * @throws ValidationError that names each limit that cannot be kept.
 */
export function checkLimits(given: GivenLimits, what: string): void {
  const issues: ValidationIssue[] = [];
  for (const [name, bounds] of Object.entries(LIMITS)) {
    const value: unknown = Reflect.get(given, name);
    if (value === undefined) continue;
    const message = limitProblem(value, bounds);
    if (message !== undefined) issues.push({ path: [name], message });
  }
  if (issues.length > 0) throw new ValidationError(what, issues);
}

function limitProblem(
  value: unknown,
  bounds: { readonly above?: number; readonly min?: number; readonly max: number },
): string | undefined {
  const whole = bounds.min !== undefined;
  const expected = whole ? `a whole number of ${bounds.min} or more` : 'a number above 0';
  const fits =
    typeof value === 'number' &&
    value <= bounds.max &&
    (whole ? Number.isInteger(value) && value >= bounds.min : value > 0);
  if (fits) return undefined;
  const atMost = bounds.max <= LONGEST_TIMER_MS ? ` and at most ${bounds.max}` : '';
  return `must be ${expected}${atMost}, not ${typeof value === 'number' ? value : typeof value}`;
}
