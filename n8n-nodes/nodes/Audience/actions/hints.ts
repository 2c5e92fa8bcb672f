import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation } from './operation.js';

/** What a run knows and its output items do not show. */
export interface Facts {
  /** How many items the service had carried out before. */
  readonly sentBefore: number;
  /** How many items were sent although an earlier one of the run goes to the same person with the same content. */
  readonly alike: number;
  /** In how many items the expression of a field gave nothing, by the field. */
  readonly empty: ReadonlyMap<string, number>;
}

/** Tells in the output panel what the items alone do not show at a glance. */
export function addHints(
  context: IExecuteFunctions,
  operation: Operation,
  { sentBefore, alike, empty }: Facts,
): void {
  const inputs = context.getInputData().length;
  const messages = [
    sentBefore === 0 ? '' : `${items(sentBefore, inputs)} sent before, and not again.`,
    alike === 0
      ? ''
      : `${items(alike, inputs)} the same, person and content, as an earlier one of this run; each was sent. To send such once, choose 'Content in 24 Hours' in 'Send Once Per'.`,
    ...[...empty].map(
      ([field, number]) =>
        `${field} had no value in ${number} of ${inputs} item${inputs === 1 ? '' : 's'}, and was left out.`,
    ),
    operation.lists !== true || inputs === 1
      ? ''
      : `The list stands in the output ${inputs} times, once for each input item. To have it once, turn on 'Execute Once' in the settings of the node.`,
  ];
  for (const message of messages) {
    if (message !== '') context.addExecutionHints({ message, location: 'outputPane' });
  }
}

function items(number: number, all: number): string {
  return `${number} of ${all} item${all === 1 ? '' : 's'} ${number === 1 ? 'was' : 'were'}`;
}
