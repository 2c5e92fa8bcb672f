import type { Repeatability } from '../contract/types.js';
import type { CallOptions } from './call.js';
import type { Runtime } from './runtime.js';

/** The key for all attempts of one call. */
export interface IdempotencyKey {
  readonly value: string;
  /** Whether an earlier request with this key may have arrived, before this call. */
  readonly wasUsed: boolean;
}

/** The key for all attempts of one call: the caller's, or a random one where the endpoint has a key. */
export function chooseIdempotencyKey(
  repeatability: Repeatability,
  { idempotencyKey, earlierRequest = true }: CallOptions,
  runtime: Pick<Runtime, 'randomUUID'>,
): IdempotencyKey | undefined {
  if (repeatability !== 'keyed') return undefined;
  return idempotencyKey === undefined
    ? { value: runtime.randomUUID(), wasUsed: false }
    : { value: idempotencyKey, wasUsed: earlierRequest };
}
