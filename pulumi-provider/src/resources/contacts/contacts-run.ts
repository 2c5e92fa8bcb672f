import type { Declarant } from '../declarations.js';
import type { Raw } from '../host.js';
import type { Outputs } from './state.js';

/** What `Contacts` resources hand from one step of a run to the next. */
export interface ContactsRun {
  /** Who declared the records, by {@link sourceKey}: a name is known to the check only. */
  readonly labels: Map<string, Declarant>;
  /** State that a replacement goes on from, by {@link sourceKey}. */
  readonly continued: Map<string, { readonly id: string; readonly outs: Raw }>;
  /** The latest copy of each list that the run has found in state, by the salt of its ledger. */
  readonly latest: Map<string, Outputs>;
  /** Lists that the program declares with `onRemove: 'retain'`, by the salts of their ledgers: nobody is taken. */
  readonly retained: Set<string>;
  /** Resources that replace another one, by the salt of its ledger. */
  readonly successors: Map<string, { readonly declarant: Declarant | undefined; done: boolean }>;
}

/** What tells one declaration from another: its records, and its settings, as two lists may be empty. */
export function sourceKey(inputs: Raw): string {
  return JSON.stringify(
    ['file', 'fingerprint', 'onRemove', 'maxRemovals', 'allowEmpty'].map((name) => inputs[name] ?? null),
  );
}

/** Notes a copy of a list in state, and says which is the latest that the run has found. */
export function latestOf(copy: Outputs, { latest }: ContactsRun): Outputs {
  const seen = latest.get(copy.salt);
  if (seen !== undefined && (seen.generation ?? 0) > (copy.generation ?? 0)) return seen;
  latest.set(copy.salt, copy);
  return copy;
}
