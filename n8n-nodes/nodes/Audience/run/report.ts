import { NodeApiError, NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import { isTool, offersRetry } from '../host/host.js';
import { asHtml, naming } from '../messages/text.js';
import { fullText, type NodeFailure } from '../node-error.js';
import type { ItemRun } from './items.js';

/** The failure of the first item that failed: what happened, what to do, and in at most three lines how far it came. */
export function firstFailure(state: ItemRun): NodeFailure {
  const failures = [...state.failed].sort(([a], [b]) => a - b);
  const [[, failure] = []] = failures;
  if (failure === undefined) throw new RangeError('There is no failure.');
  if (isTool(state.run.context.getNode())) return failure;
  const alike = failures.filter(([, one]) => reasonOf(one) === reasonOf(failure)).map(([index]) => index);
  if (alike.length > 1)
    failure.message = `${textOf(failure.context['what'])} [${alike.length} of ${state.count} items: ${naming(alike)}]`;
  const lines = [
    failure.description ?? '',
    wayOn(state, failure),
    progressOf(state),
    otherReasons(failures, failure),
  ];
  failure.description = lines
    .filter((line) => line !== '')
    .map(asHtml)
    .join('<br>');
  return failure;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function reasonOf({ context }: NodeFailure): string {
  const { code, subject, part, reason, status } = context;
  return JSON.stringify([code, subject, part, reason, status]);
}

/** The error of a run that somebody stopped, or its time limit. */
export function stopped(state: ItemRun): NodeOperationError {
  const isSending = state.run.operation.kind === 'sends';
  const lines = [
    isSending ? 'n8n does not retry it. A new run sends all items again.' : '',
    progressOf(state),
  ];
  return new NodeOperationError(state.run.context.getNode(), 'The execution was stopped', {
    description: lines.filter((line) => line !== '').join('<br>'),
  });
}

/** The item that stands for a failed one, in the form that n8n sends to the error output with its input. */
export function failedItem(failure: NodeFailure, itemIndex: number): INodeExecutionData {
  const httpCode = failure instanceof NodeApiError ? failure.httpCode : null;
  const { reason, code, unclear } = failure.context;
  return {
    json: {
      error: fullText(failure),
      details: {
        itemIndex,
        ...(typeof reason === 'string' ? { reason } : {}),
        ...(typeof code === 'string' ? { code } : {}),
        ...(unclear === true ? { unclear } : {}),
        ...(httpCode === null ? {} : { httpCode }),
      },
    },
    pairedItem: { item: itemIndex },
  };
}

/** What an item that failed without stopping the workflow says of itself. */
export function adviceOnUnclear({ context }: NodeFailure): string {
  return context['unclear'] === true ? 'It may have been carried out: look it up before a new run.' : '';
}

function wayOn({ run, done }: ItemRun, failure: NodeFailure): string {
  const { kind } = run.operation;
  if (kind === 'reads' || kind === 'lists') return '';
  const [all, did] = kind === 'sends' ? ['sends', 'sent'] : ['carries out', 'carried out'];
  const isUnclear = failure.context['unclear'] === true;
  const isInEditor = run.context.getMode() === 'manual';
  // A step that is executed again is a new run.
  if (isInEditor && done.size + run.once.ofEarlierRuns === 0 && !isUnclear)
    return 'Then execute the step again.';
  const inEditor = isInEditor ? ` 'Execute step' ${all} all items again.` : '';
  if (!offersRetry(run.context))
    return `This workflow does not save failed executions, so there is no Retry. A new run ${all} all items again.`;
  if (isUnclear)
    return `It may have been ${did}. Choose Retry in Executions: nothing is ${did} twice.${inEditor}`;
  const sameInput =
    failure.context['reason'] === 'input'
      ? ' A Retry has the same input: correct a wrong value in this node.'
      : '';
  return `Then choose Retry in Executions. Only the missing items are ${did}.${sameInput}${inEditor}`;
}

function progressOf({ run, count, done, failed }: ItemRun): string {
  const earlier = run.once.ofEarlierRuns;
  const inLoop = earlier === 0 ? '' : ` Earlier runs of the node in this execution carried out ${earlier}.`;
  if (count === 1) return inLoop.trim();
  const unclear = [...failed.values()].filter(({ context }) => context['unclear'] === true).length;
  const maybe = unclear === 0 ? '' : `, ${unclear} more may have been`;
  const surely = failed.size === unclear ? '' : `; ${failed.size - unclear} failed`;
  const items = failed.size === 0 ? '' : ` (${naming(failed.keys())})`;
  return `${done.size} of ${count} items were carried out in this run of the node${maybe}${surely}${items}.${inLoop}`;
}

const MOST_REASONS = 2;

function otherReasons(failures: readonly (readonly [number, NodeFailure])[], first: NodeFailure): string {
  const reasons = new Map(failures.map(([, failure]) => [reasonOf(failure), failure.message]));
  reasons.delete(reasonOf(first));
  const told = [...reasons.values()].slice(0, MOST_REASONS);
  const more = reasons.size - told.length;
  return told.length === 0 ? '' : `Also: ${told.join('; ')}${more > 0 ? `; and ${more} more reasons` : ''}.`;
}

/** Tells in the output panel what the items alone do not show at a glance. */
export function addHints({ run, count, before, twins, notes }: ItemRun): void {
  const { context, operation } = run;
  const messages = [
    skipped(before, count, 'carried out before, so nothing was sent for'),
    skipped(twins, count, "duplicates by their 'Idempotency Key', so nothing was sent for"),
    ...[...notes].map(([what, items]) => `In ${items.size} of ${count} items (${naming(items)}), ${what}.`),
    operation.kind === 'lists' && count > 1
      ? `The list is in the output ${count} times, once for each input item. To have it once, turn on 'Execute Once' in the settings of the node.`
      : '',
  ];
  for (const message of messages) {
    if (message !== '') context.addExecutionHints({ message: asHtml(message), location: 'outputPane' });
  }
}

function skipped({ size }: ReadonlySet<number>, count: number, why: string): string {
  const isOne = size === 1;
  return size === 0
    ? ''
    : `${size} of ${count} items ${isOne ? 'was' : 'were'} ${why} ${isOne ? 'it' : 'them'}.`;
}
