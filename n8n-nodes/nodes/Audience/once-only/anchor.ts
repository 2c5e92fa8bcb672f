import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { isTool } from '../host/host.js';
import { storeOf } from './store.js';

/** Where a run of the node stands in n8n: the same in each try, on every worker and in a user's Retry. */
export interface RunOfNode {
  /** Names the run of the workflow; missing in a Retry for which n8n has not even kept when the run began. */
  readonly anchor: string | undefined;
  readonly node: string;
  /** Id of the execution: another one in each Retry. */
  readonly execution: string | undefined;
  /** Number of the node's run, as in a loop; `tool` if a model calls it: n8n counts its every try. */
  readonly number: number | 'tool';
  readonly isRetry: boolean;
  /** Whether this is a Retry that knows nothing of earlier attempts, as after a crash. */
  readonly isLost: boolean;
  /** Whether another workflow called this one: a Retry of that one calls it again. */
  readonly isSubWorkflow: boolean;
  /** When the run of the workflow began, in milliseconds. */
  readonly begunAt: number;
}

/** Finds out which run of the node this is, and notes it in the flow's context. */
export function runOfNode(context: IExecuteFunctions): RunOfNode {
  const node = context.getNode();
  const store = storeOf(context);
  const begun = context.getExecutionContext();
  const isRetry = context.getMode() === 'retry';
  store.isLost ??= isRetry && store.anchor === undefined;
  // Of a sub-workflow that crashed, a Retry does not know when the run began.
  const isKnown = !store.isLost || ![undefined, 'retry', 'integrated'].includes(begun?.source);
  if (isKnown) store.anchor ??= newAnchor(context);
  const run = {
    anchor: store.anchor,
    node: node.name,
    execution: executionOf(context),
    isRetry,
    isLost: store.isLost,
    isSubWorkflow: begun?.parentExecutionId !== undefined,
    begunAt: begun?.establishedAt ?? Date.now(),
  };
  if (isTool(node)) return { ...run, number: 'tool' };
  const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex);
  // After a crash n8n begins with runs that it made up: the first one that is seen is the first one.
  const first = (store.firstRuns[node.name] ??= runIndex);
  return { ...run, number: runIndex - first };
}

/** What names the run of the workflow also when n8n has crashed and kept no more than when it began. */
function newAnchor(context: IExecuteFunctions): string {
  const execution = executionOf(context);
  const begun = context.getExecutionContext()?.establishedAt ?? execution;
  // Runs of a sub-workflow often begin in the same millisecond.
  const own = context.getMode() === 'integrated' ? `:${execution}` : '';
  const run = execution === undefined ? randomUUID() : `${begun}${own}`;
  return [context.getInstanceId(), context.getWorkflow().id, run].join(':');
}

/** A call of an MCP client gets its execution only afterwards. */
function executionOf(context: IExecuteFunctions): string | undefined {
  const execution: unknown = context.getExecutionId();
  return typeof execution === 'string' && execution !== '' ? execution : undefined;
}
