import type { Repeatability } from '../contract/types.js';
import type { CallOptions } from './call.js';
import type { Runtime } from './runtime.js';

/** The key for all attempts of one call. */
export interface IdempotencyKey {
  readonly value: string;
  /** Whether it was made for this call and can belong to nothing else. */
  readonly isMinted: boolean;
  /** Whether a used key means that this very message was sent. */
  readonly meansSent: boolean;
}

/** The key for all attempts of one call: the caller's, or a random one where the endpoint has a key. */
export function chooseIdempotencyKey(
  repeatability: Repeatability,
  { idempotencyKey, ifKeyIsUsed }: CallOptions,
  runtime: Pick<Runtime, 'randomUUID'>,
): IdempotencyKey | undefined {
  if (repeatability !== 'keyed') return undefined;
  if (idempotencyKey === undefined) return { value: runtime.randomUUID(), isMinted: true, meansSent: false };
  return { value: idempotencyKey, isMinted: false, meansSent: ifKeyIsUsed === 'sent-before' };
}
