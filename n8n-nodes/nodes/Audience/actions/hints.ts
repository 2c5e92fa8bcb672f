import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation } from './operation.js';

/** Tells in the output panel what the items alone do not show at a glance. */
export function addHints(context: IExecuteFunctions, operation: Operation, sentBefore: number): void {
  const inputs = context.getInputData().length;
  const messages = [
    sentBefore === 0
      ? ''
      : `${sentBefore} of ${inputs} item${inputs === 1 ? ' was' : 's were'} sent before, and not again.`,
    operation.lists !== true || inputs === 1
      ? ''
      : `The list stands in the output ${inputs} times, once for each input item. To have it once, turn on 'Execute Once' in the settings of the node.`,
  ];
  for (const message of messages) {
    if (message !== '') context.addExecutionHints({ message, location: 'outputPane' });
  }
}
