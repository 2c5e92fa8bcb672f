import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INodeExecutionData } from 'n8n-workflow';
import { fullText, sentences } from '../helpers/errors.js';
import type { NodeFailure } from '../helpers/errors.js';
import { isTool, offersRetry } from '../helpers/host.js';
import { naming } from '../helpers/item-numbers.js';
import { afterStop, howToGoOn } from '../once-only/retry-messages.js';
import { sayInProgress, notesIn } from './hints.js';
import type { Notes } from './hints.js';
import type { Run } from './run-items.js';
import type { RunOptions } from '../actions/run-options.js';

/** How far a run has come that failed or was stopped. */
export interface RunState {
  readonly run: Run;
  /** How many items there are. */
  readonly count: number;
  readonly done: ReadonlyMap<number, unknown>;
  readonly failed: ReadonlyMap<number, NodeFailure>;
  /** Items that were under way when the first one failed. */
  readonly caught: readonly number[];
  /** Items that were sent before, as the service says. */
  readonly sentBefore: ReadonlySet<number>;
  /** Items that may have been: the service may mean an attempt of this try whose answer got lost. */
  readonly maybeBefore: ReadonlySet<number>;
  /** What an operation noted. */
  readonly notes: Notes;
  /** The same, where it is to be told although the run fails. */
  readonly warnings: Notes;
  /** How many emails and events of earlier tries the service may still carry out. */
  readonly inProgress: number;
  readonly options: RunOptions;
}

/** The failure of the first item that failed, with what else is known of the run. */
export function firstFailure(state: RunState): NodeFailure {
  const { run, count, done, failed, caught, options } = state;
  const [[first, failure] = []] = [...failed].sort(([a], [b]) => a - b);
  if (first === undefined || failure === undefined) throw new RangeError('There is no failure.');
  const { isLaterBatch } = run.keys;
  const { context } = run;
  const isToCorrect = isRefused(failure);
  const how = wayToGoOn(run, isToCorrect);
  const toldHow = how === '' || failure.description?.includes(how) === true ? '' : how;
  if (count === 1 && !isLaterBatch) {
    // Each item may be an execution of a sub-workflow: those of the others are not known here.
    const isOfOthers = context.getMode() === 'integrated' && !isTool(context.getNode());
    failure.description = sentences([
      failure.description ?? '',
      isOfOthers ? toldHow : '',
      sayInProgress(state.inProgress),
    ]);
    return failure;
  }
  const unclear = failedWith(state, 'unclear', true);
  const waiting = failedWith(state, 'reason', 'waiting');
  const others = [...failed.keys()].filter(
    (index) => index !== first && !unclear.includes(index) && !waiting.includes(index),
  );
  const finished = caught.filter((index) => done.has(index));
  const told = [
    progressOf(state),
    isLaterBatch ? 'Those of earlier batches of this run are not counted here.' : '',
    others.length === 0 ? '' : `${others.length} more failed too (${naming(others)}).`,
    otherReasons(
      failure,
      others.flatMap((index) => failed.get(index) ?? []),
    ),
    waiting.length === 0
      ? ''
      : `${waiting.length} more ${waiting.length === 1 ? 'waits' : 'wait'} for an item of the same contact that failed (${naming(waiting)}).`,
    finished.length === 0 || options.finishOthers
      ? ''
      : `Under way at that moment, and carried out: ${naming(finished)}.`,
    ...notesIn(state.warnings, count),
    sayInProgress(state.inProgress),
  ];
  const what = failure.description ?? '';
  if (isNothingDone(state)) failure.description = sentences([what, ...told]);
  else failure.description = sentences(isToCorrect ? [what, toldHow, ...told] : [toldHow, ...told, what]);
  return failure;
}

/** Whether neither this try has done anything, as far as is known, nor an earlier one. */
function isNothingDone(state: RunState): boolean {
  const { isLaterBatch, isLaterTry } = state.run.keys;
  return state.done.size + failedWith(state, 'unclear', true).length === 0 && !isLaterBatch && !isLaterTry;
}

/** The first of the failures that say something else. */
function otherReasons(first: NodeFailure, failures: readonly NodeFailure[]): string {
  const reasonOf = ({ message }: NodeFailure): string => message.replace(/ to '.*?'| \[item \d+\]$/g, '');
  const reasons = new Map<string, string>();
  for (const failure of failures) {
    const reason = reasonOf(failure);
    if (!reasons.has(reason)) reasons.set(reason, failure.message);
  }
  reasons.delete(reasonOf(first));
  const told = [...reasons.values()].slice(0, MOST_REASONS);
  return told.length === 0
    ? ''
    : `Other reasons${reasons.size > told.length ? ', the first ones' : ''}: ${told.join('; ')}.`;
}

const MOST_REASONS = 3;

/** Items whose failure says this of them. */
function failedWith({ failed }: RunState, what: 'unclear' | 'done' | 'reason', value: unknown): number[] {
  return [...failed].filter(([, { context }]) => context[what] === value).map(([index]) => index);
}

function progressOf(state: RunState): string {
  const { run, count, sentBefore } = state;
  const unclear = failedWith(state, 'unclear', true);
  const { isLaterTry } = run.keys;
  const done = state.done.size + failedWith(state, 'done', true).length;
  const orFound = isLaterTry || sentBefore.size > 0 ? ' or found to be' : '';
  return sentences([
    `${done} of ${count} items ${done === 1 ? 'was' : 'were'} carried out${orFound}${unclear.length === 0 ? '.' : `; ${unclear.length} more may have been (${naming(unclear)}).`}`,
    isLaterTry ? 'This is a later try: what earlier ones carried out of the rest is not counted here.' : '',
  ]);
}

function wayToGoOn({ context, keys }: Run, isToCorrect: boolean): string {
  return keys.isForgotten
    ? ''
    : howToGoOn(context.getMode(), offersRetry(context), keys.lifetime, isToCorrect);
}

/** The error of a run that somebody stopped, or its time limit. */
export function stopped(state: RunState): NodeOperationError {
  const notes = [
    progressOf(state),
    ...notesIn(state.warnings, state.count),
    sayInProgress(state.inProgress),
    isNothingDone(state) ? '' : afterStop(state.run.keys.lifetime),
  ];
  return new NodeOperationError(
    state.run.context.getNode(),
    'The execution was stopped, by somebody or by its time limit',
    {
      description: sentences(notes),
    },
  );
}

const REFUSALS = ['input', 'invalid_request', 'not_found', 'authentication', 'permission'];

/** Whether an item is refused for what it is: it has to be corrected. */
function isRefused({ context }: NodeFailure): boolean {
  const reason: unknown = context['reason'];
  return context['unclear'] !== true && REFUSALS.some((one) => one === reason);
}

/** The item that stands for a failed one, in the form that n8n sends to the error output with its input. */
export function failedItem(failure: NodeFailure, itemIndex: number): INodeExecutionData {
  const httpCode = failure instanceof NodeApiError ? failure.httpCode : null;
  const { reason, unclear } = failure.context;
  return {
    json: {
      error: fullText(failure),
      details: {
        itemIndex,
        ...(typeof reason === 'string' ? { reason } : {}),
        ...(unclear === true ? { unclear } : {}),
        ...(httpCode === null ? {} : { httpCode }),
      },
    },
    pairedItem: { item: itemIndex },
  };
}
