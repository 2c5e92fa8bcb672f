import { IDEMPOTENCY_KEY_LIFETIME_MS, idempotencyKeySchema } from '../contract/common.js';
import { ValidationError } from '../errors.js';
import { isRecord } from '../is-record.js';
import { validate } from '../issues.js';
import type { Form } from '../messages.js';
import type { ProblemDetails } from '../problem.js';
import { kindOf } from '../contract/property-values.js';
import { refuse } from '../contract/rule.js';
import * as z from '../zod.js';
import type { CallLimits, CallOptions, GivenCallLimits } from './call.js';

/** The limits that are given; the others as they hold unless given. */
export function withLimits(given: GivenCallLimits, unlessGiven: CallLimits): CallLimits {
  return {
    timeoutMs: given.timeoutMs ?? unlessGiven.timeoutMs,
    deadlineMs: given.deadlineMs ?? unlessGiven.deadlineMs,
    maxRetries: given.maxRetries ?? unlessGiven.maxRetries,
  };
}

/** Timers count no further (24.8 days); beyond it they fire at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** Schemas of the limits of a call. */
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

const shape = z.strictObject({
  ...callLimitSchemas,
  idempotencyKey: z.optional(idempotencyKeySchema),
  earlierRequest: z.optional(z.boolean()),
  signal: z.optional(z.custom<AbortSignal>(isAbortSignal, 'signal')),
  headers: z.optional(z.record(z.string(), z.unknown())),
});

/**
 * Checks the options of one call; programs without types can give anything.
 *
 * @throws ValidationError that names each option that cannot be used.
 */
export function checkCallOptions(options: CallOptions, what: string): void {
  const given: unknown = options;
  const isGiven = ([, value]: readonly [string, unknown]) => value !== undefined;
  validate(shape, isRecord(given) ? Object.fromEntries(Object.entries(given).filter(isGiven)) : given, what);
  if (options.earlierRequest === true && options.idempotencyKey === undefined) {
    throw new ValidationError(what, [{ path: ['idempotencyKey'], code: 'missing' }]);
  }
}

function isAbortSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('aborted' in value)) return false;
  return 'addEventListener' in value && typeof value.addEventListener === 'function';
}

/** Headers that the client sets by itself, or that the connection is made of. */
const OWN_HEADERS =
  /^(accept|authorization|connection|content-(length|type)|expect|host|idempotency-key|transfer-encoding|upgrade)$/;

/**
 * Checks further headers of a call, and gives them lower-case names.
 *
 * @throws ValidationError for a header that the client sets by itself, and for what no header can hold.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const issues = Object.entries(headers).flatMap(([name, value]) => {
    const problem = headerProblem(name.toLowerCase(), value);
    return problem === undefined ? [] : [{ path: ['headers', name], ...problem }];
  });
  if (issues.length > 0) throw new ValidationError('The headers cannot be sent', issues);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function headerProblem(name: string, value: unknown): ProblemDetails | undefined {
  if (OWN_HEADERS.test(name)) return { code: 'ownHeader' };
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) return { code: 'notHeaderName' };
  if (typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value)) return { code: 'notAscii' };
  return undefined;
}
