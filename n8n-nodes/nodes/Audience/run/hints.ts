import { asHtml } from '../helpers/errors.js';
import { naming } from '../helpers/item-numbers.js';
import type { RunState } from './run-failure.js';

/** What was noted, as the end of a sentence, with the items. */
export type Notes = ReadonlyMap<string, ReadonlySet<number>>;

/** Tells in the output panel what the items alone do not show at a glance. */
export function addHints(state: RunState): void {
  const { count, sentBefore, maybeBefore } = state;
  const { context, operation, keys } = state.run;
  const { lifetimes } = keys;
  const alike = [...keys.alike].filter((both) => both.every((one) => state.done.has(one))).length;
  const earlier = lifetimes.has('content') ? 'in the last 24 hours' : 'by an earlier try of this run';
  const messages = [
    sentBefore.size === 0
      ? ''
      : `${items(sentBefore.size, count)} ${lifetimes.size === 0 ? 'carried out' : 'sent'} before, ${earlier}, and not again.`,
    maybeBefore.size === 0
      ? ''
      : `${items(maybeBefore.size, count, 'may have been', 'may have been')} sent before, ${earlier}: the service does not tell it from an attempt of now whose answer got lost. Nothing went out twice.`,
    sayInProgress(state.inProgress),
    alike === 0
      ? ''
      : `${items(alike, count, 'has', 'have')} the same person and content as an earlier one of this run and went out as well, so that it went out more than once. To send such once, choose 'Content in 24 Hours' in 'Send Once Per'.`,
    ...notesIn(new Map([...state.notes, ...state.warnings]), count),
    operation.lists !== true || count === 1
      ? ''
      : `The list stands in the output ${count} times, once for each input item. To have it once, turn on 'Execute Once' in the settings of the node.`,
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
  return `${inProgress} ${what} of an earlier try of this run ended without an answer, and this try has not asked for ${them} (content or recipient are others now, or the item failed before): the service may still carry ${them} out. Look at the contact later.`;
}
