import {
  NodeApiError,
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';
import type { Form } from '../form/labels.js';
import { isTool, offersRetry } from '../host/host.js';
import { wordRun, workflowToStart } from '../messages/run.js';
import { asHtml, naming, sentences } from '../messages/text.js';
import type { Operation } from '../item/operation.js';
import { fullText, type NodeFailure } from '../node-error.js';
import type { OnceOnly } from '../once-only/once-only.js';
import type { Session } from '../service/session.js';

/** An operation over the input items of one run of the node. */
export interface Run {
  readonly context: IExecuteFunctions;
  readonly session: Session;
  readonly operation: Operation;
  readonly form: Form;
  readonly once: OnceOnly;
  /** How many items may be under way at once. */
  readonly concurrency: number;
}

/** What has become of the items of a run, by their indexes. */
export class Outcome {
  readonly count: number;
  readonly done = new Map<number, readonly IDataObject[]>();
  readonly failed = new Map<number, NodeFailure>();
  readonly before = new Set<number>();
  /** What the operations noted, as ends of sentences, with the items. */
  readonly notes = new Map<string, Set<number>>();

  constructor(readonly run: Run) {
    this.count = run.context.getInputData().length;
  }
}

/** The failure of the first item that failed. Its message says how far the run came: n8n may show nothing else. */
export function firstFailure(state: Outcome): NodeFailure {
  const [[, failure] = []] = [...state.failed].sort(([a], [b]) => a - b);
  if (failure === undefined) throw new RangeError('There is no failure.');
  if (isTool(state.run.context.getNode())) return failure;
  const progress = progressOf(state);
  const inMessage = state.done.size > 0;
  if (inMessage) failure.message = `${failure.message}. ${progress}`;
  const advice = [failure.description ?? '', wayOn(state, failure)];
  failure.description = inLines([...advice, inMessage ? '' : progress]);
  return failure;
}

function inLines(texts: readonly string[]): string {
  const lines = texts.filter((text) => text !== '');
  return lines.map(asHtml).join('<br>');
}

/** The error of a run that somebody stopped, or its time limit. */
export function stopped(state: Outcome): NodeOperationError {
  const isSending = state.run.operation.kind === 'sends';
  const workflow = workflowToStart(state.run.once.run.isSubWorkflow);
  const advice = isSending ? wordRun('stopped-sending', { workflow }) : '';
  const description = inLines([advice, progressOf(state)]);
  return new NodeOperationError(state.run.context.getNode(), 'The execution was stopped', { description });
}

/** The item that stands for a failed one, in the form that n8n sends to the error output with its input. */
export function failedItem(failure: NodeFailure, itemIndex: number): INodeExecutionData {
  const { reason, code, unclear } = failure.context;
  const httpCode = failure instanceof NodeApiError ? (failure.httpCode ?? undefined) : undefined;
  const details = { itemIndex, reason, code, unclear: unclear === true || undefined, httpCode };
  return { json: { error: fullText(failure), details }, pairedItem: { item: itemIndex } };
}

/** Codes of responses that a Retry with the same key would meet again. */
const REFUSALS: readonly unknown[] = ['conflict', 'refused', 'notFound', 'contactNotFound'];

function wayOn({ run, done }: Outcome, failure: NodeFailure): string {
  const { kind } = run.operation;
  if (kind === 'reads' || kind === 'lists') return '';
  const [did, does] = kind === 'sends' ? ['sent', 'sends'] : ['carried out', 'carries out'];
  const { unclear, reason, code } = failure.context;
  if (code === 'forgotten') return '';
  const { isLost, isSubWorkflow } = run.once.run;
  const isUnclear = unclear === true;
  const isInEditor = run.context.getMode() === 'manual';
  const maybe = isLost ? wordRun('no-record', { did }) : isUnclear ? wordRun('maybe', { did }) : '';
  const workflow = workflowToStart(isSubWorkflow);
  if (isUnclear && kind === 'sends' && REFUSALS.includes(reason))
    return sentences([maybe, wordRun('look-and-start', { workflow })]);
  // A step that is executed again is a new run.
  if (isInEditor && done.size === 0 && run.once.run.number === 0 && !isUnclear)
    return wordRun('execute-again');
  if (!offersRetry(run.context)) return sentences([maybe, wordRun('no-retry', { does, workflow })]);
  const isKeyed = isUnclear && kind === 'sends';
  return sentences([
    maybe,
    wordRun(isSubWorkflow ? 'retry-sub-workflow' : 'retry', { did, does }),
    isKeyed ? wordRun('same-key') : '',
    reason === 'input' || REFUSALS.includes(reason) ? wordRun('same-input') : '',
    isInEditor ? wordRun('all-again', { did }) : '',
  ]);
}

function progressOf({ count, done, failed }: Outcome): string {
  if (count === 1) return '';
  const unclear = [...failed.values()].filter(({ context }) => context['unclear'] === true).length;
  const maybe = unclear === 0 ? '' : `, ${unclear} more may have been`;
  const surely = failed.size === unclear ? '' : `; ${failed.size - unclear} failed`;
  const items = failed.size === 0 ? '' : ` (${naming(failed.keys())})`;
  return wordRun('progress', { done: done.size, count, maybe, surely, items });
}

/** Tells in the output panel what the items alone do not show at a glance. */
export function addHints({ run, count, before, notes }: Outcome): void {
  const { isLost, number } = run.once.run;
  const messages = [
    isLost && number !== 'tool' && run.operation.kind === 'sends' ? wordRun('rows-changed') : '',
    before.size > 0 ? wordRun('done-before', { size: before.size, count }) : '',
    ...[...notes].map(([what, items]) =>
      wordRun('note', { size: items.size, count, items: naming(items), what }),
    ),
  ];
  for (const message of messages) {
    if (message !== '') run.context.addExecutionHints({ message: asHtml(message), location: 'outputPane' });
  }
}
