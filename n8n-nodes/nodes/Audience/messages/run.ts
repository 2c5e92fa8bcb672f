import { fill, type CallCode, type CallData } from 'audience-core/internal';

const BASE_URL = "Check the 'Base URL' of the credential.";

/** What a user can do about a call that failed, by its code. */
export const WAYS_OUT: Readonly<Partial<Record<CallCode, string>>> = {
  keyRefused: 'Check that the key is complete, not revoked, and belongs to this service.',
  notAllowed: 'Use a key with the right to do it.',
  notFound: `Check the ID. ${BASE_URL}`,
  contactNotFound: 'We assume that no such contact exists: check the email address or User ID.',
  redirect: "Set the 'Base URL' of the credential to the final address.",
  connectionRefused: `Check that the service runs. ${BASE_URL}`,
  hostNotFound: BASE_URL,
  untrusted: `${BASE_URL} For a certificate authority of your own, start n8n with NODE_EXTRA_CA_CERTS.`,
  connectionFailed: 'Check the network, and HTTPS_PROXY if you use a proxy.',
  noResponse: 'Try again later.',
  notJson: BASE_URL,
  otherShape: BASE_URL,
};

/** What to do about a call that failed. How to find out whether it was sent is told with the failure of the node. */
export function wayOutOfCall(code: CallCode, { unclear, retryAfterMs = 0 }: CallData): string {
  if (unclear) return '';
  if (code === 'tooManyRequests' || code === 'serviceFailed')
    return retryAfterMs === 0 ? 'Try again later.' : `Try again in ${Math.ceil(retryAfterMs / 60_000)} min.`;
  return WAYS_OUT[code] ?? '';
}

/** What a run says beside the errors of its items; `{did}` is sent or carried out, `{does}` sends or carries out. */
export const OF_RUN = {
  'execute-again': 'Execute the step again.',
  'no-record': 'n8n kept no record of this node: if it ran before, the item may have been {did}.',
  maybe: 'It may have been {did}.',
  retry: 'In Executions, choose the arrow beside this one: only the missing items are {did}.',
  'retry-sub-workflow':
    'Retry the execution of the sub-workflow itself: in Executions, choose the arrow beside it. A Retry of the workflow that called it {does} everything again.',
  'same-key': 'It has the same key: nothing is sent twice while the service remembers it (emails: 24 hours).',
  'same-input': 'A Retry has the same input: correct a wrong value in this node.',
  'look-and-start':
    "Look it up in the service's own log. If it is not there, start {workflow} with the missing items only. If you set an 'Idempotency Key', write another one.",
  'all-again': "'Execute step' and 'Execute workflow' are new runs: all items are {did} again.",
  'no-retry':
    'This workflow does not save failed executions, so there is no Retry. A new run {does} everything: start {workflow} with the missing items only.',
  'look-it-up': "It may have been sent: look it up in the service's own log before you send it again.",
  'stopped-sending':
    'n8n does not retry a stopped execution. A new run sends everything: start {workflow} with the missing items only.',
  progress: '{done} of {count} items were carried out in this run of the node{maybe}{surely}{items}.',
  'done-before': 'Nothing was sent for {size} of {count} items: they were carried out before.',
  note: 'In {size} of {count} items ({items}), {what}.',
  'rows-changed':
    'n8n kept no record of this node. If it ran before, rows that have changed since then were sent again.',
} as const;

/** What a user has to start for a new run. A sub-workflow starts only when it is called. */
export function workflowToStart(isSubWorkflow = false): string {
  return isSubWorkflow ? 'the workflow that called it' : 'the workflow';
}

/** A sentence with its facts. */
export function wordRun(code: keyof typeof OF_RUN, facts: object = {}): string {
  return fill(OF_RUN[code], facts);
}
