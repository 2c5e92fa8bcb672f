import {
  AudienceError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  ValidationError,
} from 'audience-core';
import type { CallOptions, SendResult } from 'audience-core';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { KeyScope } from '../once-only/execution.js';
import { canAddress } from 'audience-core/internal';
import { isTool } from '../helpers/host.js';
import { fieldsIn, onlyFields } from '../once-only/contact-changes.js';
import type { Standing } from '../once-only/contact-changes.js';
import { MayBeDone } from '../helpers/errors.js';
import { shortHash } from '../helpers/hash.js';
import { KEY_LIFETIMES } from '../once-only/key-ring.js';
import type { ItemKey, KeyLifetime, Sending } from '../once-only/key-ring.js';
import type { Dispatch, Unclear } from '../once-only/tries.js';
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
      'Whether the output tells how it went out: whether it was sent before as far as the service says so, its idempotency key, and the number of attempts',
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
          'The same content to the same person goes out once within 24 hours, whatever runs. So a new run cannot set the fields of a contact back to what they were in that time. Some services take half a minute to tell that it was sent before.',
      },
      {
        name: 'Run of the Workflow',
        value: 'run',
        description:
          'Each item of a run goes out once. A retry of the run sends nothing again; a new run does. To a sub-workflow, a retry of the workflow above it is a new run.',
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
function itemKey({ parameters, keys }: Item, sending: Sending): ItemKey {
  const name = 'options.idempotencyKey';
  const own = parameters.asItIs(name);
  const sendOnce = parameters.choice('options.sendOnce', KEY_LIFETIMES);
  const { itemIndex } = parameters;
  if (own.isSet && (own.byExpression || !isEmpty(own.value))) {
    const missing = parameters.missingInKey(name, String(own.value));
    return keys.forOwnKey(own.value, missing, itemIndex, sending);
  }
  return sendOnce === 'content' ? keys.forContent(itemIndex, sending) : keys.forRun(itemIndex, sending);
}

/** Of the keys of an operation's items, as the form of the first one says; `undefined` where nothing is sent. */
export function lifetimeByForm({ options }: Operation, context: IExecuteFunctions): KeyLifetime | undefined {
  if (options?.some((option) => SENDING_OPTIONS.includes(option)) !== true) return undefined;
  const stored = (name: string): unknown =>
    context.getNodeParameter(`options.${name}`, 0, '', { rawExpressions: true });
  return stored('sendOnce') === 'content' || stored('idempotencyKey') !== '' ? 'content' : 'run';
}

/**
 * The last step of an operation that sends.
 *
 * @param what names the email or event in the output.
 * @throws InputProblem for an option that cannot be read and for a key that cannot be meant, before anything is sent.
 */
export function sendingCall(
  item: Item,
  what: IDataObject,
  sending: Sending,
  send: (options: CallOptions) => Promise<SendResult>,
): Call {
  const { parameters, keys, signal, contactNames, noteSentBefore } = item;
  const { itemIndex } = parameters;
  const key = itemKey(item, sending);
  const withDetails = parameters.flag('options.deliveryDetails');
  const isOfTool = isTool(parameters.context.getNode());

  const outputOf = (named: IDataObject, { idempotencyKey, attempts }: SendResult, deduplicated: boolean) => {
    const details = withDetails ? { delivery: { deduplicated, idempotencyKey, attempts } } : {};
    // A model reads the output and no hint.
    return [{ success: true, ...named, ...(deduplicated && isOfTool ? { deduplicated } : {}), ...details }];
  };

  const setsSomething = fieldsIn(sending.sets).length > 0;
  // With a key of one's own the content may be another one than went out.
  const change = shortHash([key.idempotencyKey, sending.sets]);

  keys.unclear.expect(keys.tries?.unclearOf(itemIndex)?.dispatch?.idempotencyKey ?? key.idempotencyKey);
  if (setsSomething) keys.changes.expect(contactNames(), change, sending.sets, itemIndex);

  return async () => {
    const names = setsSomething ? contactNames() : [];
    const standing = keys.changes.begin(names, change, sending.sets, itemIndex);
    // Only the very same finds out whether the service has it.
    const unclear = keys.tries?.unclearOf(itemIndex);
    const dispatch = unclear?.dispatch ?? { idempotencyKey: key.idempotencyKey, hash: key.hash, what, send };
    const { idempotencyKey } = dispatch;
    const scopeIfUnclear = keys.unclear.scopeOf(idempotencyKey);
    const keyScope = scopeIfUnclear ?? key.keyScope;
    const result = await dispatch
      .send({ idempotencyKey, ifKeyIsUsed: keyScope === 'content' ? 'sent-before' : 'fail', signal })
      .catch((error: unknown) => {
        throw noteFailure(
          item,
          { dispatch, standing, unclear, scopeIfUnclear, lifetime: key.lifetime },
          error,
        );
      });
    const wasUnclear = result.attempts > 1;
    if (keys.settle(itemIndex, dispatch, result)) item.warn(wasUnclear ? MAYBE_BY_OWN_KEY : BY_OWN_KEY);
    // Nothing before can have used a key of this call.
    const sentBefore = result.deduplicated && !(wasUnclear && keyScope === 'call');
    if (sentBefore) noteSentBefore(!wasUnclear);
    const isOfAnotherRun =
      key.lifetime === 'content' && result.deduplicated && !wasUnclear && standing.state === 'new';
    if (isOfAnotherRun) {
      // It sets nothing now, and is nothing that this run has done.
      standing.undo();
    } else {
      await setAgain(item, sending, standing.again);
      keys.changes.end(names, change, standing.again, itemIndex);
    }
    return outputOf(dispatch.what, result, sentBefore);
  };
}

const BY_OWN_KEY =
  "only the 'Idempotency Key' says that it was sent before: what was sent is the content of that time. A content that was changed since did not go out; to send it, give it another key in a new run";

const MAYBE_BY_OWN_KEY =
  "the 'Idempotency Key' is used, by an attempt of now whose answer got lost, or with the content of an earlier time: look up which one was sent before you give it another key";

/** An email or event that was under way, and what earlier tries know of it. */
interface UnderWay {
  readonly dispatch: Dispatch;
  readonly standing: Standing;
  readonly unclear: Unclear | undefined;
  readonly scopeIfUnclear: KeyScope | undefined;
  readonly lifetime: KeyLifetime;
}

/** Notes for later tries how sending has failed, and gives the error for this one. */
function noteFailure(
  { keys, parameters: { itemIndex } }: Item,
  { dispatch, standing, unclear, scopeIfUnclear, lifetime }: UnderWay,
  error: unknown,
): unknown {
  const { idempotencyKey } = dispatch;
  const isClear = error instanceof AudienceError && !error.unclear;
  // That the key is used, or that this attempt is refused, tells nothing of what was sent then.
  if (unclear !== undefined && (isClear || error instanceof ConflictError)) {
    if (error.code === 'timeout') keys.unclear.note(idempotencyKey, error);
    return unclear.error;
  }
  if (isClear && scopeIfUnclear !== undefined) return new MayBeDone(error);
  if (isClear) {
    keys.forget(idempotencyKey, itemIndex);
    standing.undo();
    return error;
  }
  keys.noteUnclear(itemIndex, dispatch, error);
  const told =
    scopeIfUnclear === 'anything' && error instanceof ConflictError
      ? stillInProgress(error, lifetime)
      : error;
  keys.tries?.noteUnclear(itemIndex, { dispatch, error: told });
  return told;
}

/** A used key, of which an earlier request may still be in progress: time alone tells. */
function stillInProgress(error: ConflictError, lifetime: KeyLifetime): ConflictError {
  return new ConflictError(
    `It is not clear whether the service did carry it out: an earlier request ended without an answer (a time-out, a Stop or a cut connection), and the service, which refuses its key (409), may still be working on it. The same again an hour after that finds out: by then the node takes the service's word for it. A new run${lifetime === 'run' ? '' : ' with another key'} may send it twice.`,
    error,
  );
}

/** What no later try can mend. */
const PERMANENT = [NotFoundError, InvalidRequestError, ValidationError];

/**
 * Sets those fields of an item once more that an older item of the contact has set since, by an update: no automation
 * begins, and nobody is mailed.
 *
 * @throws MayBeDone where it fails and a later try can do it; where none can, it is told.
 */
async function setAgain(item: Item, { recipient, sets }: Sending, fields: readonly string[]): Promise<void> {
  const [email, userId] = recipient;
  // An address may be somebody else's by now.
  const identifier = [userId, item.contactUserId()].find(canAddress) ?? email;
  if (fields.length === 0) return;
  const { api } = item.session;
  const { context, form } = item.parameters;
  const named = fields.map((field) => form.nameOf(field.split('.'))).join(', ');
  const behind = `${named} may have the ${fields.length === 1 ? 'value' : 'values'} of an older item, as this item's could not be set again`;
  if (identifier === undefined) {
    item.warn(`${behind}: look at the contact`);
    return;
  }
  await api.contacts
    .update(identifier, onlyFields(sets, fields), { signal: item.signal })
    .catch((error: unknown) => {
      if (!(error instanceof AudienceError)) throw error;
      if (!PERMANENT.some((kind) => error instanceof kind) && !context.continueOnFail())
        throw new MayBeDone(error, `It was sent, but ${behind}`, true);
      item.warn(`${behind}: look at the contact`);
    });
}
