import { canonicalJson } from 'audience-core/internal';
import { createHash } from 'node:crypto';

/** A one-way hash of a content. The order of its fields does not matter. */
export function hashOf(content: unknown): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}

/** As `hashOf`, of few contents, for what n8n keeps. */
export function shortHash(content: unknown): string {
  return hashOf(content).slice(0, 12);
}
