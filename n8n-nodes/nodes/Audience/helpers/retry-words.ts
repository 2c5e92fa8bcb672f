import type { WorkflowExecuteMode } from 'n8n-workflow';
import type { KeysKept } from './idempotency.js';

/** What makes the difference: a mail that says the time is another mail. */
const SAME = 'within 24 hours, as long as the node and its content stay the same';

/**
 * What finds out whether an item was carried out, as the end of a sentence.
 *
 * @param goesOn whether the workflow goes on after a failed item: of a run that succeeded n8n offers no Retry.
 * @param isToldOnce whether the run tells it for all its items together, by {@link howToGoOn}.
 * @param kept where the keys of the emails or events count.
 */
export function findOut(
  isKeyed: boolean,
  goesOn: boolean,
  isToldOnce: boolean,
  kept: KeysKept | undefined,
): string {
  if (!isKeyed) return 'look it up, or do it again, which changes nothing more';
  if (!goesOn && isToldOnce) return '';
  if (!goesOn) return `Retry in the list of executions finds out and sends nothing twice, ${SAME}`;
  return kept === 'in-all-runs'
    ? `a new run finds out and sends nothing twice, ${SAME}`
    : 'look it up, as a new run sends it again';
}

/**
 * How to go on after a part of the items was carried out; and what would send that part once more, where a person is
 * likely to do it.
 *
 * @param kept where the keys of the emails or events count; empty text for what needs none.
 */
export function howToGoOn(mode: WorkflowExecuteMode, kept: KeysKept | undefined): string {
  const retry = `press Retry in the list of executions, which finds out what was carried out and sends nothing twice, ${SAME}`;
  if (kept === undefined) return '';
  if (mode === 'manual' && kept === 'in-this-run') {
    return `To go on, ${retry}. 'Execute step' and 'Execute workflow' would send all of them again.`;
  }
  if (mode === 'integrated' && kept === 'in-this-run') {
    return `To go on with this sub-workflow's own execution, ${retry}. A new run of the workflow above it, also by Retry, sends all of them again.`;
  }
  return `To go on, ${retry}.`;
}

/** The same after a person's Stop, of which n8n offers no Retry. */
export function afterStop(kept: KeysKept | undefined): string {
  if (kept === undefined) return '';
  return kept === 'in-this-run'
    ? 'A new run sends all of them again.'
    : 'A new run within 24 hours sends none of them again.';
}
