import { idempotencyKeySchema } from '../contract/common.js';
import type { Repeatability } from '../contract/http-method.js';
import { validate } from '../issues.js';
import * as z from '../zod.js';
import type { Runtime } from './runtime.js';

/** What a refusal of the caller's key as used means. */
export const IF_KEY_IS_USED = ['fail', 'sent-before'] as const;

/** What a caller says of the idempotency key of one call. */
export interface IdempotencyOptions {
  /** A key of the caller's own, 1 to 100 printable ASCII characters. Without one, a random UUID is used. */
  readonly idempotencyKey?: string | undefined;
  /**
   * What it means that the service has seen the caller's key before.
   *
   * - `fail` (default): the call ends in a `ConflictError`, as the key may belong to another request.
   * - `sent-before`: this very message was sent, and the call succeeds with `deduplicated: true`. Choose it only for a
   *   key that is made of the message itself.
   */
  readonly ifKeyIsUsed?: (typeof IF_KEY_IS_USED)[number] | undefined;
}

/** The key for all attempts of one call. */
export interface IdempotencyKey {
  readonly value: string;
  /** Whether it was made for this call and can belong to nothing else. */
  readonly isMinted: boolean;
  readonly ifUsed: (typeof IF_KEY_IS_USED)[number];
}

const optionsSchema = z.looseObject({ idempotencyKey: idempotencyKeySchema });

/**
 * The key for all attempts of one call: the caller's, or a random one where the endpoint takes a key.
 *
 * @throws ValidationError for a key that the service would not take.
 */
export function chooseIdempotencyKey(
  repeatability: Repeatability,
  options: IdempotencyOptions,
  runtime: Pick<Runtime, 'randomUUID'>,
): IdempotencyKey | undefined {
  if (repeatability !== 'keyed') return undefined;
  if (options.idempotencyKey === undefined)
    return { value: runtime.randomUUID(), isMinted: true, ifUsed: 'fail' };
  const { idempotencyKey } = validate(optionsSchema, options, 'The idempotency key cannot be used');
  return { value: idempotencyKey, isMinted: false, ifUsed: options.ifKeyIsUsed ?? 'fail' };
}
