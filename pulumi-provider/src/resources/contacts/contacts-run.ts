import type { Declarant } from '../declarations.js';
import type { Raw } from '../host.js';

/** What `Contacts` resources hand from one step of a run to the next. */
export interface ContactsRun {
  /** Who declared the records, by {@link sourceKey}: a name is known to the check only. */
  readonly labels: Map<string, Declarant>;
  /** State that a replacement goes on from, by {@link sourceKey}. */
  readonly continued: Map<string, { readonly id: string; readonly outs: Raw }>;
  /** Resources that replace another one, by the salt of its ledger. */
  readonly successors: Map<string, { readonly declarant: Declarant | undefined; done: boolean }>;
}

/** What tells the records of one declaration from those of another. */
export function sourceKey(inputs: Raw): string {
  return JSON.stringify([inputs['file'], inputs['fingerprint']]);
}
