import { filled, type Facts } from './text.js';

/** What a run says beside the errors of its items; `{did}` is sent or carried out. */
export const OF_RUN = {
  'execute-again': 'Execute the step again.',
  retry: 'Choose Retry in Executions: only the missing items are {did}.',
  'same-input': 'A Retry has the same input: correct a wrong value in this node.',
  unclear: 'It may have been {did}. Choose Retry in Executions: nothing is {did} twice.',
  'unclear-refused':
    "It may have been {did}: look it up. If it was not, start a new run, with another 'Idempotency Key' if you set one.",
  'all-again':
    "'Execute step' and 'Execute workflow' start anew: all items without an 'Idempotency Key' are {did} again.",
  'no-retry':
    'This workflow does not save failed executions, so there is no Retry. In a new run, all items are {did} again.',
  'look-it-up': 'It may have been carried out: look it up before a new run.',
  'stopped-sending': 'n8n does not retry it. In a new run, all items are sent again.',
  progress: '{done} of {count} items were carried out in this run of the node{maybe}{surely}{items}.',
  earlier: 'Earlier runs of the node in this execution carried out {earlier}.',
  'done-before': 'Nothing was sent for {size} of {count} items: they were carried out before.',
  twins: "Nothing was sent for {size} of {count} items: they are duplicates by their 'Idempotency Key'.",
  note: 'In {size} of {count} items ({items}), {what}.',
  'list-repeated':
    "The list is in the output {count} times, once for each input item. To have it once, turn on 'Execute Once' in the settings of the node.",
} as const;

/** A sentence with its facts. */
export function wordRun(code: keyof typeof OF_RUN, facts: Facts = {}): string {
  return filled(OF_RUN[code], facts);
}
