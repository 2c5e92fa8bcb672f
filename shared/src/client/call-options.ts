import { IDEMPOTENCY_KEY_LIFETIME_MS, idempotencyKeySchema } from '../contract/common.js';
import { ValidationError } from '../errors.js';
import type { CallOptions } from '../http/call.js';
import { LONGEST_TIMER_MS } from '../http/runtime.js';
import { isRecord } from '../is-record.js';
import { validate } from '../issues.js';
import * as z from '../zod.js';

const positive = z.number().check(z.gt(0));

const callLimitSchemas = {
  timeoutMs: z.optional(positive.check(z.maximum(LONGEST_TIMER_MS))),
  // An attempt after that would send another email.
  deadlineMs: z.optional(positive.check(z.maximum(IDEMPOTENCY_KEY_LIFETIME_MS))),
  maxRetries: z.optional(z.int().check(z.minimum(0))),
};

/** Schemas of the limits of a client. */
export const limitSchemas = {
  ...callLimitSchemas,
  requestsPerSecond: z.optional(positive),
  concurrency: z.optional(z.int().check(z.minimum(1))),
};

const optionsSchema = z.strictObject({
  ...callLimitSchemas,
  idempotencyKey: z.optional(idempotencyKeySchema),
  earlierRequest: z.optional(z.boolean()),
  signal: z.optional(z.custom<AbortSignal>((value) => isRecord(value) && 'aborted' in value, 'signal')),
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
