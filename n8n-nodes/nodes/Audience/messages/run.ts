import { fill } from 'audience-core/internal';

/** What a run says beside the errors of its items; `{did}` is sent or carried out, `{does}` sends or carries out. */
export const OF_RUN = {
  'execute-again': 'Execute the step again.',
  'no-record': 'n8n kept no record of this node: if it ran before, the item may have been {did}.',
  maybe: 'It may have been {did}.',
  retry: 'In Executions, choose the arrow beside this one: only the missing items are {did}.',
  'retry-sub-workflow':
    'Retry the execution of the sub-workflow itself: in Executions, choose the arrow beside it. A Retry of the workflow that called it {does} everything again.',
  'same-key': 'This one has the same key: within a day, nothing is sent twice.',
  'same-key-of-event':
    'This one has the same key: nothing is sent twice, unless the service has forgotten the key.',
  'same-input': 'A Retry has the same input: correct a wrong value in this node.',
  'look-and-start':
    "Look it up. If it was not, start a new run, with another 'Idempotency Key' if you set one.",
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
export function wordRun(code: keyof typeof OF_RUN, facts: object = {}): string {
  return fill(OF_RUN[code], facts);
}
