import { canonicalJson } from 'audience-core/internal';
import { createHash } from 'node:crypto';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

/** Whether the workflow's settings say that n8n saves an execution that failed, so that it can be retried. */
export function offersRetry(context: IExecuteFunctions): boolean {
  // n8n 2.0 does not tell them.
  if (!('getWorkflowSettings' in context)) return true;
  const { saveManualExecutions, saveDataErrorExecution } = context.getWorkflowSettings();
  return context.getMode() === 'manual' ? saveManualExecutions !== false : saveDataErrorExecution !== 'none';
}

/** Whether a model calls the node: n8n names the tool that it makes of a node so. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
  return type.endsWith('Tool');
}

/** A one-way hash of a content. The order of its fields does not matter. */
export function hashOf(content: unknown): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
