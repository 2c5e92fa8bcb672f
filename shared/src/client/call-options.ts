import { IDEMPOTENCY_KEY_LIFETIME_MS, idempotencyKeySchema } from '../contract/common.js';
import { kindOf } from '../contract/property-values.js';
import { refuse } from '../contract/rule.js';
import { ValidationError } from '../errors.js';
import type { CallOptions } from '../http/call.js';
import { LONGEST_TIMER_MS } from '../http/runtime.js';
import { validate } from '../issues.js';
import type { Form, ProblemDetails } from '../messages/problems.js';
import * as z from '../zod.js';

const callLimitSchemas = {
  timeoutMs: limit('positive', { max: LONGEST_TIMER_MS }),
  // An attempt after that would send another email.
  deadlineMs: limit('positive', { max: IDEMPOTENCY_KEY_LIFETIME_MS }),
  maxRetries: limit('count', { least: 0 }),
};

/** Schemas of the limits of a client. */
export const limitSchemas = {
  ...callLimitSchemas,
  requestsPerSecond: limit('positive', {}),
  concurrency: limit('atLeastOne', { least: 1 }),
};

/** Schema of an optional limit: a whole number from `least` on, or any number above 0. */
function limit(expected: Form, { least, max }: { readonly least?: number; readonly max?: number }) {
  const problemOf = (value: unknown): ProblemDetails | undefined => {
    if (typeof value !== 'number') return { code: 'wrongType', expected, given: kindOf(value) };
    const fits = least === undefined ? value > 0 : Number.isSafeInteger(value) && value >= least;
    if (!fits || !Number.isFinite(value)) return { code: 'wrongType', expected, given: String(value) };
    return max !== undefined && value > max ? { code: 'tooLarge', expected: max } : undefined;
  };
  return z.optional(z.custom<number>().check(refuse<unknown>(problemOf)));
}

const optionsSchema = z.strictObject({
  ...callLimitSchemas,
  idempotencyKey: z.optional(idempotencyKeySchema),
  earlierRequest: z.optional(z.boolean()),
  signal: z.optional(z.custom<AbortSignal>(isAbortSignal, 'signal')),
});

/**
 * Checks the options of one call; programs without types can give anything.
 *
 * @throws ValidationError that names each option that cannot be used.
 */
export function checkCallOptions(options: CallOptions, what: string): void {
  const { earlierRequest, idempotencyKey } = validate(optionsSchema, options, what);
  if (earlierRequest === true && idempotencyKey === undefined)
    throw new ValidationError(what, [{ path: ['idempotencyKey'], code: 'missing' }]);
}

function isAbortSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('aborted' in value)) return false;
  return 'addEventListener' in value && typeof value.addEventListener === 'function';
}
