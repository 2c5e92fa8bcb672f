import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';
import { executionOf } from '../helpers/host.js';
import { FlowMemory } from './flow-memory.js';

/**
 * What stays the same when n8n carries out the same items again: on Retry On Fail, when another worker takes the
 * execution over, and when a person retries it from the list of executions, which gives it a new id. n8n keeps the
 * flow's context with the execution's data; of one that crashed it has the moment of its begin only.
 */
export function executionAnchor(context: IExecuteFunctions): string {
  const kept = context.getContext('flow');
  const anchor: unknown = kept['audienceRun'];
  if (typeof anchor === 'string') return anchor;
  const first = `${context.getInstanceId()}:${beginOf(context)}`;
  kept['audienceRun'] = first;
  return first;
}

function beginOf(context: IExecuteFunctions): string {
  const id = executionOf(context);
  // A call of an MCP client is a run of its own.
  return id === '' ? randomUUID() : String(context.getExecutionContext()?.establishedAt ?? id);
}

const memory = new FlowMemory(
  'audienceBegun',
  z.record(z.string(), z.object({ first: z.number(), runIndex: z.number(), at: z.number() })),
  () => ({}),
);

/** A run of a node in a run of the workflow, as in a loop. */
export interface NodeRun {
  /** Its number, from 0: the same in each try. */
  readonly number: number;
  /** When an earlier try may have got to it; `undefined` where none can have. */
  readonly begunAt: number | undefined;
}

/**
 * Which run of a node this is. Of an execution that crashed n8n keeps a run of each node that had ended, without what
 * it did, and begins anew: the first run that its retry gets to is the first run then. What a retry finds nothing of in
 * the flow's context may have been begun by a try that crashed, at the earliest with the run of the workflow.
 */
export function runOfNode(context: IExecuteFunctions, runIndex: number): NodeRun {
  const { id } = context.getNode();
  const isRetry = context.getMode() === 'retry';
  const begun = memory.of(context);
  const last = begun[id];
  const first = last?.first ?? (isRetry ? runIndex : 0);
  const number = runIndex - first;
  if (last !== undefined && last.runIndex >= runIndex) return { number, begunAt: last.at };
  const now = Date.now();
  const at = isRetry ? (context.getExecutionContext()?.establishedAt ?? now) : now;
  begun[id] = { first, runIndex, at };
  return { number, begunAt: isRetry ? at : undefined };
}

/** What an idempotency key goes with. */
export type KeyScope = 'anything' | 'content' | 'call';
