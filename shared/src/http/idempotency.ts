import { idempotencyKeySchema } from '../contract/common.js';
import type { Repeatability } from '../contract/endpoint.js';
import { validate } from '../issues.js';
import * as z from '../zod.js';
import type { Runtime } from './runtime.js';

/** What a caller says of the idempotency key of one call. */
export interface IdempotencyOptions {
  /** Key of the caller's own, 1 to 100 printable ASCII characters. Without one, a random UUID is used. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Whether the caller derives the key from what is sent, so that it goes with this very content and nothing else.
   * A service that refuses the used key then tells that this was sent before: the call succeeds with
   * `deduplicated: true` where it would otherwise end in a `ConflictError`.
   */
  readonly deterministicKey?: boolean | undefined;
  /**
   * Whether no earlier call can have used such a key. A 409 to the first attempt is then not taken for "sent before":
   * nobody knows what it is about.
   */
  readonly unusedKey?: boolean | undefined;
}

/** Whose key it is: made for this call, the caller's, or the caller's and bound to this very content. */
export type KeyOrigin = 'minted' | 'caller' | 'bound';

/** The key for all attempts of one call. */
export interface IdempotencyKey {
  readonly value: string;
  readonly origin: KeyOrigin;
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
  if (options.idempotencyKey === undefined) return { value: runtime.randomUUID(), origin: 'minted' };
  const { idempotencyKey } = validate(optionsSchema, options, 'The idempotency key cannot be used');
  const bound = options.unusedKey === true ? 'minted' : 'bound';
  return { value: idempotencyKey, origin: options.deterministicKey === true ? bound : 'caller' };
}
