import { asHtml, naming } from '../messages/text.js';
import type { RunState } from './state.js';

/** Tells in the output panel what the items alone do not show at a glance. */
export function addHints({ run, count, before, twins, notes }: RunState): void {
  const { context, operation } = run;
  const messages = [
    skipped(before, count, 'carried out before, so nothing was sent for'),
    skipped(twins, count, "duplicates by their 'Idempotency Key', so nothing was sent for"),
    ...[...notes].map(([what, items]) => `In ${items.size} of ${count} items (${naming(items)}), ${what}.`),
    operation.kind === 'lists' && count > 1
      ? `The list is in the output ${count} times, once for each input item. To have it once, turn on 'Execute Once' in the settings of the node.`
      : '',
  ];
  for (const message of messages) {
    if (message !== '') context.addExecutionHints({ message: asHtml(message), location: 'outputPane' });
  }
}

function skipped({ size }: ReadonlySet<number>, count: number, why: string): string {
  const isOne = size === 1;
  return size === 0
    ? ''
    : `${size} of ${count} items ${isOne ? 'was' : 'were'} ${why} ${isOne ? 'it' : 'them'}.`;
}
