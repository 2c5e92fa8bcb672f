import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';

/**
 * What stays the same when n8n carries out the same items again: on Retry On Fail, when another worker takes the
 * execution over, and when a person retries it from the list of executions, which gives it a new id. n8n keeps the
 * flow's context with the execution's data; of one that crashed it has the moment of its begin only.
 */
export function runAnchor(context: IExecuteFunctions): string {
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

/** Id of the execution; empty for a call of an MCP client, which gets its execution only afterwards. */
export function executionOf(context: IExecuteFunctions): string {
  const id: unknown = context.getExecutionId();
  return typeof id === 'string' ? id : '';
}

/**
 * When a run began of which n8n has kept nothing: one that crashed, or did not get to any of these nodes. Nobody knows
 * whether it has sent something.
 */
export function beginOfUnknown(context: IExecuteFunctions): number | undefined {
  const kept = context.getContext('flow');
  if (context.getMode() === 'retry' && kept['audienceRun'] === undefined) {
    kept['audienceUnknown'] = context.getExecutionContext()?.establishedAt ?? Date.now();
  }
  const begin: unknown = kept['audienceUnknown'];
  return typeof begin === 'number' ? begin : undefined;
}

const begunSchema = z.record(z.string(), z.object({ runIndex: z.number(), at: z.number() }));

/** When an earlier try of this run, of which n8n has kept the flow's context, got to this run of this node. */
export function begunAt(context: IExecuteFunctions, node: string, runIndex: number): number | undefined {
  const kept = context.getContext('flow');
  const begun = begunSchema.safeParse(kept['audienceBegun']).data ?? {};
  const last = begun[node];
  if (last !== undefined && last.runIndex >= runIndex) return last.at;
  kept['audienceBegun'] = { ...begun, [node]: { runIndex, at: Date.now() } };
  return undefined;
}
