import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Operation } from './operation.js';

/** Tells in the output panel what the items alone do not show at a glance. */
export function addHints(
  context: IExecuteFunctions,
  operation: Operation,
  output: readonly INodeExecutionData[],
): void {
  const inputs = context.getInputData().length;
  const repeated = output.filter(({ json }) => json['deduplicated'] === true).length;
  const messages = [
    repeated === 0 ? '' : `${repeated} of ${inputs} items were sent before, and not again.`,
    operation.lists !== true || inputs === 1
      ? ''
      : `The list stands in the output ${inputs} times, once for each input item. To have it once, turn on 'Execute Once' in the settings of the node.`,
  ];
  for (const message of messages) {
    if (message !== '') context.addExecutionHints({ message, location: 'outputPane' });
  }
}
