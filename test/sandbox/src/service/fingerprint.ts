import { createHash } from 'node:crypto';
import { canonicalJson } from 'audience-core/internal';

/** A hash of a JSON value that does not depend on the order of its fields. */
export function fingerprintOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}
