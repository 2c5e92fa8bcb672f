import type { WorkflowExecuteMode } from 'n8n-workflow';

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
 * @param keyedByRun whether a new run of the workflow counts as a new email or event.
 */
export function howToGoOn(mode: WorkflowExecuteMode, keyedByRun: boolean): string {
  const retry = 'Retry in the list of executions sends nothing twice';
  if (!keyedByRun) return `${retry}.`;
  if (mode === 'manual') {
    return `${retry}; 'Execute step' and 'Execute workflow' begin a new run, which sends all of them again.`;
  }
  if (mode === 'integrated') {
    return `Of this sub-workflow's own execution, ${retry}; a new run of the workflow above it sends all of them again.`;
  }
  return `${retry}.`;
}
