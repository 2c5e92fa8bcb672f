import type { CallOptions, SendResult } from 'audience-core';
import type { IDataObject } from 'n8n-workflow';
import { isExpression } from '../expressions/expressions.js';
import type { KeyChoice } from '../once-only/once-only.js';
import type { Sending } from '../once-only/key.js';
import type { Call, Item } from '../run/operation.js';

/**
 * The last step of an operation that sends.
 *
 * @param what names the email or event in the output.
 * @throws InputProblem for a key that lacks a part, and in a Retry of a call that the service may have forgotten.
 */
export function sendingCall(
  item: Item,
  what: IDataObject,
  sending: Sending,
  send: (options: CallOptions) => Promise<SendResult>,
): Call {
  const { once, signal, noteKey } = item;
  const { itemIndex } = item.parameters;
  const dispatch = once.dispatchOf(itemIndex, keyChoice(item), sending);
  noteKey(dispatch.idempotencyKey);
  const call = async (): Promise<IDataObject[]> => {
    const { deduplicated } = await send({ ...dispatch, signal });
    return [{ success: true, ...what, ...(deduplicated ? { deduplicated } : {}) }];
  };
  return () => once.carryOut(itemIndex, call, sending);
}

function keyChoice({ parameters }: Item): KeyChoice {
  const name = 'options.idempotencyKey';
  const key = parameters.identifier(name);
  if (key !== undefined) return { by: 'person', key };
  const stored = parameters.stored(name);
  if (isExpression(stored)) throw parameters.missing(parameters.subject(name), stored);
  return { by: parameters.choice('options.sendOnce', ['run', 'content']) };
}
