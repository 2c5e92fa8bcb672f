import { idempotencyKeySchema } from '../contract/common.js';
import type { Repeatability } from '../contract/endpoint.js';
import { validate } from '../issues.js';
import * as z from '../zod.js';
import type { Runtime } from './runtime.js';

/** What a caller says of the idempotency key of one call. */
export interface IdempotencyOptions {
  /** Key of the caller's own, 1 to 100 printable ASCII characters. Without one, a random UUID is used. */
  readonly idempotencyKey?: string | undefined;
  /** What that key goes with; `'anything'` unless said. */
  readonly keyScope?: KeyScope | undefined;
}

/** What an idempotency key can go with, and what it then means that the service refuses the key as used (409). */
export const KEY_SCOPES = [
  /** Anything: nobody knows for what the key was used, and the call ends in a `ConflictError`. */
  'anything',
  /**
   * This very content and nothing else, from which it is derived: the content was sent before, and the call succeeds
   * with `deduplicated: true`.
   */
  'content',
  /** This call, for which it was made: as `'content'`, but what refuses the first attempt is a `ConflictError`. */
  'call',
] as const;

/** What an idempotency key goes with. */
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The key for all attempts of one call. */
export interface IdempotencyKey {
  readonly value: string;
  readonly scope: KeyScope;
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
  if (options.idempotencyKey === undefined) return { value: runtime.randomUUID(), scope: 'call' };
  const { idempotencyKey } = validate(optionsSchema, options, 'The idempotency key cannot be used');
  return { value: idempotencyKey, scope: options.keyScope ?? 'anything' };
}
