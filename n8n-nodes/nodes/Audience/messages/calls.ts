import type { CallData, CallReason } from 'audience-core/internal';

const BASE_URL = "Check the 'Base URL' of the credential.";

/** What a person can do about a call that failed, by its reason. */
export const WAYS_OUT: Readonly<Partial<Record<CallReason, string>>> = {
  keyRefused: 'Check that the key is complete, not revoked, and of this service.',
  notAllowed: 'Use a key with the right to do it.',
  proxyLogin: 'Put it into HTTPS_PROXY.',
  redirect: "Set the 'Base URL' of the credential to the final address.",
  connectionRefused: `Check that the service runs. ${BASE_URL}`,
  hostNotFound: BASE_URL,
  untrusted: `${BASE_URL} For a certificate authority of your own, start n8n with NODE_EXTRA_CA_CERTS.`,
  connectionFailed: 'Check the network, and HTTPS_PROXY if you use a proxy.',
  deadline: 'Try again later.',
  emptyBody: BASE_URL,
  webPage: BASE_URL,
  notJson: BASE_URL,
  otherShape: BASE_URL,
  tooLarge: BASE_URL,
};

/** What to do about a call that failed. How to find out whether it was sent is told with the failure of the node. */
export function wayOutOfCall({ unclear, reason, operation, retryAfterMs = 0 }: CallData): string {
  if (unclear || reason === undefined) return '';
  if (reason === 'tooManyRequests' || reason === 'serviceFailed')
    return retryAfterMs === 0 ? 'Try again later.' : `Try again in ${Math.ceil(retryAfterMs / 60_000)} min.`;
  if (reason !== 'notFound') return WAYS_OUT[reason] ?? '';
  return operation === 'getContact' || operation === 'updateContact'
    ? 'We assume that no such contact exists: check the email address or User ID.'
    : `Check the ID. ${BASE_URL}`;
}
