import { idempotencyKeySchema } from '../contract/common.js';
import type { Repeatability } from '../contract/endpoint.js';
import { ValidationError } from '../errors.js';
import type { Runtime } from './runtime.js';
import { toIssues } from './validate.js';

/** What a caller says of the idempotency key of one call. */
export interface IdempotencyOptions {
  /** Key of the caller's own, 1 to 100 printable ASCII characters. Without one, a random UUID is used. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Whether the caller derives the key from what is sent, so that a 409 can only mean "this was sent before".
   * The call then succeeds with `deduplicated: true` where it would otherwise end in a `ConflictError`.
   */
  readonly deterministicKey?: boolean | undefined;
}

/**
 * The key for all attempts of one call: the caller's, or a random one where the endpoint takes a key.
 *
 * @throws ValidationError for a key that the service would not take, and for one where no key is taken.
 */
export function chooseIdempotencyKey(
  repeatability: Repeatability,
  options: IdempotencyOptions,
  runtime: Pick<Runtime, 'randomUUID'>,
): string | undefined {
  if (repeatability !== 'keyed') return undefined;
  if (options.idempotencyKey === undefined) return runtime.randomUUID();
  const parsed = idempotencyKeySchema.safeParse(options.idempotencyKey);
  if (parsed.success) return parsed.data;
  throw new ValidationError(
    'The idempotency key cannot be used',
    toIssues(parsed.error).map(({ message }) => ({ path: ['idempotencyKey'], message })),
  );
}
