import { AudienceError } from 'audience-core';
import type { SendResult } from 'audience-core';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { isTool } from '../helpers/execution.js';
import { SEND_ONCE } from '../helpers/idempotency.js';
import type { KeyedOptions, KeysKept, Sending } from '../helpers/idempotency.js';
import { isEmpty } from '../helpers/values.js';
import type { Call, Item, Operation } from './operation.js';

/** Options of an operation that sends. */
export const SENDING_OPTIONS: readonly INodeProperties[] = [
  {
    displayName: 'Delivery Details',
    name: 'deliveryDetails',
    type: 'boolean',
    default: false,
    description:
      'Whether the output tells how it went out: whether it was sent before as far as the service says so, its idempotency key, and the number of tries',
  },
  {
    displayName: 'Idempotency Key',
    name: 'idempotencyKey',
    type: 'string',
    default: '',
    placeholder: 'e.g. order-1001-receipt',
    description:
      "A name of your own for this very email or event, such as the number of the order. The same key sends the same design to the same person once within 24 hours, whatever runs. Leave empty to let 'Send Once Per' decide.",
  },
  {
    displayName: 'Send Once Per',
    name: 'sendOnce',
    type: 'options',
    options: [
      {
        name: 'Content in 24 Hours',
        value: 'content',
        description:
          'The same content to the same person goes out once within 24 hours, whatever runs. Some services take half a minute to tell that it was sent before.',
      },
      {
        name: 'Run of the Workflow',
        value: 'run',
        description:
          'A retry of a run sends nothing again; a new run does. To a sub-workflow, a retry of the workflow above it is a new run.',
      },
    ],
    default: 'run',
    description: 'When the same content counts as sent already',
  },
];

/**
 * What to pass to the service so that this email or event goes out once: the person's own key, or one derived
 * from what stays the same when n8n carries out the same item again.
 *
 * @throws InputProblem for a key that cannot be meant.
 */
export function sendingOptions({ parameters, keys, signal }: Item, sending: Sending): KeyedOptions {
  const name = 'options.idempotencyKey';
  const own = parameters.asItIs(name);
  const sendOnce = parameters.choice('options.sendOnce', SEND_ONCE);
  if (own.isSet && (own.byExpression || !isEmpty(own.value)))
    return {
      ...keys.forOwnKey(
        own.value,
        parameters.missingInKey(name, String(own.value)),
        parameters.itemIndex,
        sending,
      ),
      signal,
    };
  return sendOnce === 'content'
    ? { ...keys.forContent(parameters.itemIndex, sending), signal }
    : { ...keys.forRun(parameters.itemIndex, sending), signal };
}

/** Where the keys of an operation's items count, as the form of the first one says; `undefined` where nothing is sent. */
export function keptByForm({ options }: Operation, context: IExecuteFunctions): KeysKept | undefined {
  if (options?.some((option) => SENDING_OPTIONS.includes(option)) !== true) return undefined;
  const stored = (name: string): unknown =>
    context.getNodeParameter(`options.${name}`, 0, '', { rawExpressions: true });
  return stored('sendOnce') === 'content' || stored('idempotencyKey') !== '' ? 'in-all-runs' : 'in-this-run';
}

/**
 * The last step of an operation that sends.
 *
 * @param what names the email or event in the output.
 * @param options with which it is sent.
 * @throws InputProblem for an option that cannot be read, before anything is sent.
 */
export function sendingCall(
  { parameters, keys, noteSentBefore }: Item,
  what: IDataObject,
  options: KeyedOptions,
  send: () => Promise<SendResult>,
): Call {
  const withDetails = parameters.flag('options.deliveryDetails');
  const { itemIndex } = parameters;
  return async () => {
    const known = keys.resultOf(itemIndex, options.idempotencyKey);
    const result =
      known ??
      (await send().catch((error: unknown) => {
        const isOver = error instanceof AudienceError && !error.unclear;
        if (isOver && error.idempotencyKey !== undefined) keys.forget(error.idempotencyKey, itemIndex);
        throw error;
      }));
    keys.settle(itemIndex, result);
    const { deduplicated, idempotencyKey, attempts } = result;
    // With a key that nothing before can have used, an earlier attempt of this very call had been carried out.
    const isOwn = options.keyScope === 'call' && attempts > 1;
    const sentBefore = known !== undefined || (deduplicated && !isOwn);
    if (sentBefore) noteSentBefore();
    const details = withDetails ? { delivery: { deduplicated: sentBefore, idempotencyKey, attempts } } : {};
    // A model reads the output and no hint.
    const told = sentBefore && isTool(parameters.context.getNode()) ? { deduplicated: true } : {};
    return [{ success: true, ...what, ...told, ...details }];
  };
}
