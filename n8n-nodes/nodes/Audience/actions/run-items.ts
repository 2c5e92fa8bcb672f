import { NodeApiError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { fullText, toNodeError } from '../helpers/errors.js';
import type { NodeFailure } from '../helpers/errors.js';
import { KeyRing } from '../helpers/idempotency.js';
import { Parameters } from '../helpers/parameters.js';
import type { Session } from '../transport/session.js';
import type { Call, Item, ItemOperation } from './operation.js';

/** Items under way at once unless the options say otherwise. */
export const DEFAULT_CONCURRENCY = 100;

/** How the items of one run are carried out. */
export interface RunSettings {
  /** Items under way at once. */
  readonly concurrency: number;
  /** Whether the other items are carried out before a failed one stops the workflow. */
  readonly finishOthers: boolean;
}

/**
 * Carries out an operation for every input item, several at once. The output is in the order of the input, each
 * item paired with its own.
 *
 * When a failed item is to stop the workflow, all items are checked before the first one is sent.
 */
export async function runItems(
  context: IExecuteFunctions,
  session: Session,
  operation: ItemOperation,
  settings: RunSettings,
): Promise<INodeExecutionData[]> {
  const count = context.getInputData().length;
  const continues = context.continueOnFail();
  const signal = context.getExecutionCancelSignal();
  const keys = new KeyRing(context);
  const itemAt = (index: number): Item => ({
    parameters: new Parameters(context, index),
    session,
    keys,
    signal,
  });
  const stopsEarly = !continues && !settings.finishOthers;
  const checked = stopsEarly && count > 1 ? await checkAll(context, operation, itemAt, count) : [];

  const output: INodeExecutionData[] = [];
  const failures: { itemIndex: number; failure: NodeFailure }[] = [];
  let done = 0;
  let next = 0;
  const worker = async () => {
    while (next < count && !(stopsEarly && failures.length > 0)) {
      const index = next;
      next += 1;
      try {
        const call = checked[index] ?? (await operation.prepare(itemAt(index)));
        checked[index] = undefined;
        output[index] = { json: await call(), pairedItem: { item: index } };
        done += 1;
      } catch (error) {
        const failure = toNodeError(context.getNode(), error, index);
        failures.push({ itemIndex: index, failure });
        output[index] = failedItem(failure, index);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(settings.concurrency, count) }, worker));

  if (failures.length > 0 && !continues) throw firstFailure(failures, done, count);
  return output;
}

/** The item that stands for a failed one, in the form that n8n sends to the error output with its input. */
export function failedItem(failure: NodeFailure, itemIndex: number): INodeExecutionData {
  const httpCode = failure instanceof NodeApiError ? failure.httpCode : null;
  return {
    json: {
      error: fullText(failure),
      details: { itemIndex, ...(httpCode === null ? {} : { httpCode }) },
    },
    pairedItem: { item: itemIndex },
  };
}

/** Calls that a check keeps for later; those of further items are prepared again, so that memory stays flat. */
const KEPT_CALLS = 1_000;

async function checkAll(
  context: IExecuteFunctions,
  operation: ItemOperation,
  itemAt: (index: number) => Item,
  count: number,
): Promise<(Call | undefined)[]> {
  const kept: (Call | undefined)[] = [];
  for (let index = 0; index < count; index += 1) {
    try {
      const call = await operation.prepare(itemAt(index));
      if (index < KEPT_CALLS) kept.push(call);
    } catch (error) {
      throw toNodeError(context.getNode(), error, index);
    }
  }
  return kept;
}

function firstFailure(
  failures: { itemIndex: number; failure: NodeFailure }[],
  done: number,
  count: number,
): NodeFailure {
  const ordered = [...failures].sort((a, b) => a.itemIndex - b.itemIndex);
  const [first] = ordered;
  if (first === undefined) throw new RangeError('There is no failure.');
  const { failure } = first;
  if (count === 1) return failure;
  const others = ordered.slice(1).map(({ itemIndex }) => itemIndex);
  const also =
    others.length === 0
      ? ''
      : ` ${others.length} more failed too (item ${others.slice(0, 10).join(', ')}${others.length > 10 ? ', …' : ''}).`;
  failure.description = [
    failure.description ?? '',
    `${done} of ${count} items were carried out.${also} A retry of this execution does not send them again.`,
  ]
    .join(' ')
    .trim();
  return failure;
}
