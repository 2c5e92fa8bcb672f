import type { IExecuteFunctions, INode } from 'n8n-workflow';

/** Id of the execution; empty for a call of an MCP client, which gets its execution only afterwards. */
export function executionOf(context: IExecuteFunctions): string {
  const id: unknown = context.getExecutionId();
  return typeof id === 'string' ? id : '';
}

/** Whether the workflow's settings say that n8n saves an execution that failed, so that it can be retried. */
export function offersRetry(context: IExecuteFunctions): boolean {
  if (!('getWorkflowSettings' in context)) return true;
  const { saveManualExecutions, saveDataErrorExecution } = context.getWorkflowSettings();
  return context.getMode() === 'manual' ? saveManualExecutions !== false : saveDataErrorExecution !== 'none';
}

/** Whether a model calls the node: n8n names the tool that it makes of a node so. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
  return type.endsWith('Tool');
}
