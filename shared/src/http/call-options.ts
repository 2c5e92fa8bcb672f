import { ValidationError } from '../errors.js';
import { isRecord } from '../is-record.js';
import { validate } from '../issues.js';
import * as z from '../zod.js';
import { IF_KEY_IS_USED } from './idempotency.js';
import { checkLimits } from './limits.js';
import type { CallOptions } from './call.js';

const shape = z.strictObject(
  {
    ...Object.fromEntries(
      ['timeoutMs', 'deadlineMs', 'maxRetries', 'idempotencyKey'].map((name) => [
        name,
        z.optional(z.unknown()),
      ]),
    ),
    ifKeyIsUsed: z.optional(z.enum(IF_KEY_IS_USED, `must be one of ${IF_KEY_IS_USED.join(', ')}`)),
    signal: z.optional(z.custom<AbortSignal>(isAbortSignal, 'must be an AbortSignal')),
    headers: z.optional(z.record(z.string(), z.unknown())),
  },
  'the options must be an object',
);

/**
 * Checks the options of one call; programs without types hand over anything.
 *
 * @throws ValidationError that names each option that cannot be kept.
 */
export function checkCallOptions(options: CallOptions, what: string): void {
  // What is undefined counts as left out, as everywhere.
  const given: unknown = options;
  validate(shape, isRecord(given) ? withoutUndefined(given) : given, what);
  if (options.ifKeyIsUsed !== undefined && options.idempotencyKey === undefined) {
    throw new ValidationError(what, [{ path: ['ifKeyIsUsed'], message: "needs an 'idempotencyKey'" }]);
  }
  checkLimits(options, what);
}

function withoutUndefined(given: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function isAbortSignal(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'aborted' in value &&
    'addEventListener' in value &&
    typeof value.addEventListener === 'function'
  );
}
