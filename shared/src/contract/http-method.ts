/** HTTP methods that an endpoint can have. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How an endpoint behaves when the same call arrives twice.
 *
 * - `idempotent`: repeating it changes nothing more (GET, PUT).
 * - `keyed`: it takes an `Idempotency-Key` header, which makes repeating it safe.
 * - `unsafe`: it takes no key. After an unclear failure the caller must look before repeating.
 */
export type Repeatability = 'idempotent' | 'keyed' | 'unsafe';
