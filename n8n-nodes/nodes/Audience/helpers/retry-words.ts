import type { WorkflowExecuteMode } from 'n8n-workflow';
import type { KeysKept } from './idempotency.js';

/** What finds out whether an item was carried out, as the end of a sentence. */
export function findOut(isKeyed: boolean): string {
  return isKeyed
    ? 'Retry in the list of executions finds out and sends nothing twice'
    : 'look it up, or do it again, which changes nothing more';
}

/**
 * How to go on after a part of the items was carried out; and what would send that part once more, where a person is
 * likely to do it.
 *
 * @param kept where the keys of the emails or events count; empty text for what needs none.
 */
export function howToGoOn(mode: WorkflowExecuteMode, kept: KeysKept | undefined): string {
  const retry = 'Retry in the list of executions sends nothing twice';
  if (kept === undefined) return '';
  if (kept === 'in-all-runs') return `${retry}.`;
  if (mode === 'manual') {
    return `${retry}; 'Execute step' and 'Execute workflow' begin a new run, which sends all of them again.`;
  }
  if (mode === 'integrated') {
    return `Of this sub-workflow's own execution, ${retry}; a new run of the workflow above it, also by Retry, sends all of them again, unless 'Send Once Per' is 'Content in 24 Hours'.`;
  }
  return `${retry}.`;
}

/** The same after a person's Stop, of which n8n offers no Retry. */
export function afterStop(kept: KeysKept | undefined): string {
  if (kept === undefined) return '';
  return kept === 'in-this-run'
    ? 'A new run sends all of them again.'
    : 'A new run within 24 hours sends none of them again.';
}
