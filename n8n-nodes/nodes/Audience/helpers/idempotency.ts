import { canonicalJson } from 'audience-core/contract';
import { createHash } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

/** For how long the same email or event counts as sent. */
export type SendOnce = 'run' | 'content';

/**
 * What stays the same when n8n carries out the same items again: on Retry On Fail, when another worker takes
 * the execution over, and when a person retries it from the list of executions (which gives it a new id). A
 * new run has another one.
 *
 * It is the time at which the run began, which n8n keeps with the execution's data. n8n versions before that
 * have the execution's id only, which changes when a person retries.
 */
export function runAnchor(context: IExecuteFunctions): string {
  const established =
    'getExecutionContext' in context ? context.getExecutionContext()?.establishedAt : undefined;
  if (established !== undefined) return `run:${established}`;
  return `execution:${context.getExecutionId()}`;
}

/** Derives the idempotency keys of one run of one node. What all its items share is read once. */
export class KeyRing {
  readonly #place: readonly unknown[];

  constructor(context: IExecuteFunctions) {
    const { id, type } = context.getNode();
    this.#place = [
      runAnchor(context),
      context.getWorkflow().id,
      id,
      // A tool gets a new run index for every try of a model or of Retry On Fail, so that tells nothing: what a
      // model sends twice in one run, in the very same words, goes out once.
      type.endsWith('Tool') ? 'tool' : Number(context.getWorkflowDataProxy(0).$runIndex),
    ];
  }

  /**
   * The key of an email or event: the same for the same item of the same run with the same content, or, with
   * `content`, the same for the same content in any workflow of the account.
   */
  keyFor(sendOnce: SendOnce, itemIndex: number, operation: string, content: unknown): string {
    const place = sendOnce === 'content' ? [] : [...this.#place, itemIndex];
    const hash = createHash('sha256').update(canonicalJson([...place, operation, content]));
    return `n8n-${sendOnce}-${hash.digest('hex')}`;
  }
}
