import type { CallData, CallFacts, CallReason } from 'audience-core/internal';

const BASE_URL = "Check the 'Base URL' of the credential.";

/** What a person can do about a call that failed, by its reason. */
const WAYS_OUT: Readonly<Partial<Record<CallReason, (data: CallData) => string>>> = {
  keyRefused: () => 'Check that the key is complete, not revoked, and of this service.',
  notAllowed: () => 'Use a key with the right to do it.',
  notFound: ({ operation }) =>
    operation === 'getContact' || operation === 'updateContact'
      ? 'Check the email address or User ID; the contact has to exist already.'
      : `Check the ID. ${BASE_URL}`,
  proxyLogin: () => 'Put it into HTTPS_PROXY.',
  tooManyRequests: tryAgain,
  serviceFailed: tryAgain,
  redirect: () => 'Set the Base URL to the final address.',
  connectionRefused: () => `Check that the service runs. ${BASE_URL}`,
  hostNotFound: () => BASE_URL,
  untrusted: () => `${BASE_URL} For a certificate authority of your own, start n8n with NODE_EXTRA_CA_CERTS.`,
  proxyFailed: () => 'Check the network, and HTTPS_PROXY and NO_PROXY in the environment.',
  connectionFailed: () => 'Check the network.',
  deadline: () => 'Try again later.',
  emptyBody: () => BASE_URL,
  webPage: () => BASE_URL,
  notJson: () => BASE_URL,
  otherShape: () => BASE_URL,
  tooLarge: () => BASE_URL,
};

/** What to do about a call that failed. How to find out whether it was sent is told with the failure of the node. */
export function wayOutOfCall(facts: CallFacts): string {
  if (facts.unclear || facts.reason === undefined) return '';
  return WAYS_OUT[facts.reason]?.(facts) ?? '';
}

function tryAgain({ retryAfterMs = 0 }: CallData): string {
  return retryAfterMs === 0 ? 'Try again later.' : `Try again in ${Math.ceil(retryAfterMs / 60_000)} min.`;
}
