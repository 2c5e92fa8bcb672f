import type { WorkflowExecuteMode } from 'n8n-workflow';
import type { KeyLifetime } from './key-ring.js';

/** What makes the difference: a mail that says the time is another mail. */
const SAME = 'within 24 hours, as long as the node and its content stay the same';

/** What decides over how to go on after a failed item. */
export interface Situation {
  readonly mode: WorkflowExecuteMode;
  /** Whether a model has called the node, of whose calls n8n offers no Retry. */
  readonly isTool: boolean;
  /** Whether the workflow goes on after a failed item: of a run that succeeded n8n offers no Retry. */
  readonly goesOn: boolean;
  /** Whether n8n keeps the execution if it fails. */
  readonly isKept: boolean;
  /** Whether the run tells it for all its items together, by {@link howToGoOn}. */
  readonly isToldOnce: boolean;
  /** Of the keys of the emails or events; `undefined` where nothing is sent. */
  readonly lifetime: KeyLifetime | undefined;
}

/** What finds out whether an email or event was sent, as a sentence. */
export function findOut(situation: Situation): string {
  const { mode, isTool, goesOn, isKept, isToldOnce, lifetime } = situation;
  if (lifetime === 'content' && isTool)
    return `Call it again with exactly the same values: nothing is sent twice, ${SAME}.`;
  if (lifetime === 'content' && (goesOn || !isKept))
    return `A new run finds out and sends nothing twice, ${SAME}; after a time-out, begin it an hour later.`;
  if (isTool) return 'Look it up before it is sent again: another call may send a second one.';
  if (!goesOn && isToldOnce) return '';
  return goesOn || !isKept ? 'Look it up, as a new run sends it again.' : howToFindOut(mode, lifetime, false);
}

/**
 * How to go on after a part of the items was carried out.
 *
 * @param isKept whether n8n keeps the execution.
 * @param lifetime of the keys of the emails or events; the text is empty where nothing is sent.
 * @param isToCorrect whether something has to be corrected first.
 */
export function howToGoOn(
  mode: WorkflowExecuteMode,
  isKept: boolean,
  lifetime: KeyLifetime | undefined,
  isToCorrect: boolean,
): string {
  if (lifetime === undefined) return '';
  if (isKept) return howToFindOut(mode, lifetime, isToCorrect);
  return `By the settings of this workflow n8n keeps no such execution, so that it has no Retry. ${afterStop(lifetime)}`;
}

/** The way that sends nothing twice, and what would, where a person is likely to do it. */
function howToFindOut(
  mode: WorkflowExecuteMode,
  lifetime: KeyLifetime | undefined,
  isToCorrect: boolean,
): string {
  const isOfSubWorkflow = mode === 'integrated' && lifetime === 'run';
  const own = isOfSubWorkflow ? " with this sub-workflow's own execution" : '';
  const retry = isToCorrect
    ? `To go on${own} when that is corrected, choose 'Retry with currently saved workflow' in the list of executions. It keeps the data of earlier nodes, so correct a value of theirs by its expression in this node, such as {{ $json.email === 'wrong' ? 'right' : $json.email }}. Within 24 hours it sends what is missing, and again only items whose content or recipient the correction has changed.`
    : `To go on${own}, choose Retry of this execution, either kind, in the list of executions, which continues from what was carried out and sends nothing twice, ${SAME}.`;
  if (mode === 'manual' && lifetime === 'run') {
    return `${retry} 'Execute step' and 'Execute workflow' would send all of them again.`;
  }
  if (isOfSubWorkflow) {
    return `${retry} A new run of the workflow above it, also by Retry, sends all of them again (with 'Send Once Per: Content in 24 Hours', set before the first run, what is missing).`;
  }
  return retry;
}

/** The same after a person's Stop, of which n8n offers no Retry. */
export function afterStop(lifetime: KeyLifetime | undefined): string {
  if (lifetime === undefined) return '';
  return lifetime === 'run'
    ? 'A new run sends all of them again.'
    : 'A new run within 24 hours sends what is missing; where the service was slow to answer, begin it an hour later.';
}
