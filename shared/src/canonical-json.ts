import { isRecord } from './is-record.js';

/**
 * JSON text with the fields of every object in order, so that equal content is equal text: what hashes and
 * comparisons of content are made of. Fields that are `undefined` are left out.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
