import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { isTool } from '../host/host.js';
import { storeOf } from './store.js';

/** Where a run of the node stands in n8n: the same in each try, on every worker and in a person's Retry. */
export interface RunOfNode {
  readonly anchor: string;
  readonly node: string;
  /** Number of the node's run, as in a loop; `tool` if a model calls it: n8n counts its every try. */
  readonly number: number | 'tool';
  /** Whether this is a Retry that knows nothing of earlier attempts, as after a crash. */
  readonly isLost: boolean;
  /** When the run of the workflow began, in milliseconds. */
  readonly begunAt: number;
}

/** Finds out which run of the node this is, and notes it in the flow's context. */
export function runOfNode(context: IExecuteFunctions): RunOfNode {
  const node = context.getNode();
  const store = storeOf(context);
  store.isLost ??= context.getMode() === 'retry' && store.anchor === undefined;
  store.anchor ??= newAnchor(context);
  const begunAt = context.getExecutionContext()?.establishedAt ?? Date.now();
  const run = { anchor: store.anchor, node: node.name, isLost: store.isLost, begunAt };
  if (isTool(node)) return { ...run, number: 'tool' };
  const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex);
  // After a crash n8n begins with runs that it made up: the first one that is seen is the first one.
  const first = (store.firstRuns[node.name] ??= runIndex);
  return { ...run, number: runIndex - first };
}

/** What names the run of the workflow also when n8n has crashed and kept no more than when it began. */
function newAnchor(context: IExecuteFunctions): string {
  const execution: unknown = context.getExecutionId();
  const begun = context.getExecutionContext()?.establishedAt ?? String(execution);
  // Runs of a sub-workflow often begin in the same millisecond.
  const own = context.getMode() === 'integrated' ? `:${String(execution)}` : '';
  // A call of an MCP client gets its execution only afterwards.
  const run = typeof execution !== 'string' || execution === '' ? randomUUID() : `${begun}${own}`;
  return [context.getInstanceId(), context.getWorkflow().id, run].join(':');
}
