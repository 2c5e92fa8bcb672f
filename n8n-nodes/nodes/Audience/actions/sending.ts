import { ConflictError } from 'audience-core';
import type { CallOptions, SendResult } from 'audience-core';
import type { IDataObject } from 'n8n-workflow';
import { isExpression } from '../expressions/expressions.js';
import { InputProblem } from '../messages/errors.js';
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
  const choice = keyChoice(item);
  const dispatch = once.dispatchOf(itemIndex, choice, sending);
  noteKey(dispatch.idempotencyKey);
  const call = async (): Promise<IDataObject[]> => {
    const { deduplicated } = await send({ ...dispatch, signal });
    return [{ success: true, ...what, ...(deduplicated ? { deduplicated } : {}) }];
  };
  return () =>
    once.carryOut(itemIndex, call, sending).catch((error: unknown) => {
      throw choice.by === 'person' && isOfOtherContent(error) ? keyOfOtherContent(choice.key) : error;
    });
}

function isOfOtherContent(error: unknown): boolean {
  return error instanceof ConflictError && error.message.includes('belongs to a request with other content');
}

function keyOfOtherContent(key: string): InputProblem {
  const what = `The idempotency key '${key}' was used for another content in the last 24 hours`;
  return new InputProblem(what, 'Use another key for this one. This item was not sent.');
}

function keyChoice({ parameters }: Item): KeyChoice {
  const name = 'options.idempotencyKey';
  const key = parameters.identifier(name);
  if (key !== undefined) return { by: 'person', key };
  const stored = parameters.stored(name);
  if (isExpression(stored)) throw parameters.missing(parameters.subject(name), stored);
  return { by: parameters.choice('options.sendOnce', ['run', 'content']) };
}
