import type { IExecuteFunctions } from 'n8n-workflow';
import type { KeyLifetime } from '../once-only/key-ring.js';
import { asHtml } from '../helpers/errors.js';
import { naming } from '../helpers/item-numbers.js';
import type { Operation } from '../actions/operation.js';

/** What a run knows and its output items do not show. */
export interface Facts {
  /** How many items were sent before, as the service says. */
  readonly sentBefore: number;
  /** How many more may have been: the service may mean an attempt of this try whose answer got lost. */
  readonly maybeBefore: number;
  /** How many emails and events the service may still carry out for earlier tries, of items that are no longer there. */
  readonly inProgress: number;
  /** Of the keys by which it is known what was sent before. */
  readonly lifetimes: ReadonlySet<KeyLifetime>;
  /** Whether some count as sent by a key of the person's own alone. */
  readonly trustsOwnKeys: boolean;
  /** How many items went out beside an earlier one of the run that goes to the same person with the same content. */
  readonly alike: number;
  /** What an operation noted. */
  readonly notes: Notes;
}

/** What was noted, as the end of a sentence, with the items. */
export type Notes = ReadonlyMap<string, ReadonlySet<number>>;

/** Tells in the output panel what the items alone do not show at a glance. */
export function addHints(
  context: IExecuteFunctions,
  operation: Operation,
  { sentBefore, maybeBefore, inProgress, lifetimes, trustsOwnKeys, alike, notes }: Facts,
): void {
  const inputs = context.getInputData().length;
  const earlier = lifetimes.has('content') ? 'in the last 24 hours' : 'by an earlier try of this run';
  const ofOwnKey = trustsOwnKeys
    ? ' Your own key counts regardless of the content: what was sent is the content of that time. A content that was changed since did not go out; to send it, give it another key in a new run.'
    : '';
  const messages = [
    sentBefore === 0
      ? ''
      : `${items(sentBefore, inputs)} ${lifetimes.size === 0 ? 'carried out' : 'sent'} before, ${earlier}, and not again.${ofOwnKey}`,
    maybeBefore === 0
      ? ''
      : `${items(maybeBefore, inputs, 'may have been', 'may have been')} sent before, ${earlier}: the service does not tell it from an attempt of now whose answer got lost. Nothing went out twice.${ofOwnKey}`,
    sayInProgress(inProgress),
    alike === 0
      ? ''
      : `${items(alike, inputs, 'has', 'have')} the same person and content as an earlier one of this run and went out as well, so that it went out more than once. To send such once, choose 'Content in 24 Hours' in 'Send Once Per'.`,
    ...notesIn(notes, inputs),
    operation.lists !== true || inputs === 1
      ? ''
      : `The list stands in the output ${inputs} times, once for each input item. To have it once, turn on 'Execute Once' in the settings of the node.`,
  ];
  for (const message of messages) {
    if (message !== '') context.addExecutionHints({ message: asHtml(message), location: 'outputPane' });
  }
}

/** What was noted of items, in sentences. */
export function notesIn(notes: Notes, inputs: number): string[] {
  return [...notes].map(
    ([what, noted]) =>
      `In ${noted.size} of ${inputs} item${inputs === 1 ? '' : 's'} (${naming(noted)}), ${what}.`,
  );
}

function items(number: number, all: number, one = 'was', many = 'were'): string {
  return `${number} of ${all} item${all === 1 ? '' : 's'} ${number === 1 ? one : many}`;
}

/** What the service may still carry out of earlier tries. */
export function sayInProgress(inProgress: number): string {
  if (inProgress === 0) return '';
  const [what, them] = inProgress === 1 ? ['email or event', 'it'] : ['emails or events', 'them'];
  return `${inProgress} ${what} of an earlier try of this run outlasted the time-out, and this try has not asked for ${them} (content or recipient are others now, or the item failed before): the service may still carry ${them} out. Look at the contact later.`;
}
