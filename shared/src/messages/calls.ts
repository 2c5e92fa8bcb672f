import type { HttpMethod, PropertyType } from '../types.js';
import { counted, sentence } from '../words.js';
import { wordIssue, type Problem } from './problems.js';

/** How often a call was tried. */
export interface CallProgress {
  /** How many requests were sent for this call. */
  readonly attempts: number;
  /** Time spent waiting between them, in milliseconds. */
  readonly totalRetryDelayMs: number;
}

/** What is known of a call that failed. None of it comes from a request header. */
export interface CallData extends CallProgress {
  readonly method?: HttpMethod | undefined;
  /** Name of the call, such as `sendEvent`. */
  readonly operation?: string | undefined;
  /** What was to be done, such as `update contact 'ada@example.com'`. */
  readonly action?: string | undefined;
  /** Address of the service. */
  readonly baseUrl?: string | undefined;
  /** Path as it was sent, below the base URL. */
  readonly path?: string | undefined;
  /** HTTP status of the last response, where there was one. */
  readonly status?: number | undefined;
  /** Headers of the last response, with lower-case names; without its cookies. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The beginning of the response's body. */
  readonly bodySnippet?: string | undefined;
  /** Whether the call may have succeeded. Repeat it with `idempotencyKey`: we assume that the service then does it once. */
  readonly unclear: boolean;
  /** Key that went with every attempt, where the call had one. */
  readonly idempotencyKey?: string | undefined;
  /** The wait that the response asks for (429, 5xx), in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The message in the response's body, where there is one. */
  readonly serviceMessage?: string | undefined;
  /** The system's code, such as `ECONNREFUSED`, where there was no response. */
  readonly networkCode?: string | undefined;
  /** Time limit of the last attempt, in milliseconds. */
  readonly timeLimitMs?: number | undefined;
  /** How the body of a response differs from the API. */
  readonly issue?: Problem | undefined;
  /** Type of the contact property that exists already. */
  readonly existingType?: PropertyType | undefined;
}

const checkBaseUrl = () => 'Check that the base URL is the address of the service.';
const afterAttempts = ({ attempts }: CallData) =>
  attempts > 1 ? ` after ${counted(attempts, 'attempt')}` : '';
const after = (data: CallData) =>
  `${data.networkCode === undefined ? '' : ` (${data.networkCode})`}${afterAttempts(data)}`;
const ofStatus = (data: CallData) => ` (${data.status})${afterAttempts(data)}`;
const responded = ({ baseUrl, status }: CallData) => `the service at ${baseUrl} responded ${status}, but`;
const tryAgain = ({ retryAfterMs }: CallData) => {
  const wait = waitInWords(retryAfterMs);
  return wait === undefined
    ? 'Try again later.'
    : `The service asks to wait ${wait} before this request is sent again.`;
};

/** The sentence of each end of a call, without what it was to do. */
export const CALLS = {
  keyRefused: (data) =>
    `we assume that the service at ${data.baseUrl} does not accept the API key${ofStatus(data)}`,
  notAllowed: (data) => `we assume that the API key is not allowed to do this${ofStatus(data)}`,
  notFound: (data) => `not found${ofStatus(data)}`,
  contactNotFound: (data) => `not found${ofStatus(data)}`,
  conflict: (data) => `the service reports a conflict${ofStatus(data)}`,
  refused: (data) => `the service refuses the request${ofStatus(data)}`,
  tooManyRequests: (data) => `the service refused this request for now${ofStatus(data)}`,
  serviceFailed: (data) => `the service failed${ofStatus(data)}`,
  redirect: ({ headers, status }) =>
    `the service redirects to ${headers?.['location'] ?? 'another address'} (${status})`,
  undefinedStatus: ({ status }) =>
    `the service responded with status ${status}, which the API does not define`,
  connectionRefused: (data) =>
    `nothing listens at ${data.baseUrl}${data.baseUrl?.startsWith('https:') ? ' or at the proxy in HTTPS_PROXY' : ''}${after(data)}`,
  hostNotFound: (data) => `the host of ${data.baseUrl} cannot be found${after(data)}`,
  untrusted: (data) => `no trusted connection can be made to ${data.baseUrl}${after(data)}`,
  connectionFailed: (data) => `the connection to ${data.baseUrl} failed${after(data)}`,
  noResponse: (data) => `no response from ${data.baseUrl} within ${data.timeLimitMs} ms${after(data)}`,
  aborted: () => 'the call was aborted',
  stopped: () => 'the client was stopped',
  notSuccessful: ({ status }) => `the service responded ${status}, but says that the request failed`,
  notJson: (data) =>
    `${responded(data)} its body is empty or not JSON, so it may come from a proxy in between`,
  otherShape: (data) =>
    `${responded(data)} its body does not match the API: ${data.issue === undefined ? 'it cannot be used' : wordIssue(data.issue)}`,
  otherType: ({ existingType }) => `a contact property of this name exists with type ${existingType}`,
} as const satisfies Readonly<Record<string, (data: CallData) => string>>;

/** How a call ended, as a code. */
export type CallCode = keyof typeof CALLS;

/** What to do about it, where the call certainly changed nothing. */
const WAYS_OUT: Readonly<Partial<Record<CallCode, (data: CallData) => string>>> = {
  keyRefused: () => 'Check that the key is complete, not revoked, and of this service.',
  notAllowed: () => 'Use a key with the right to do it. If you use a proxy, check that it allows this host.',
  notFound: ({ baseUrl }) => `Check the id, and that ${baseUrl} is the address of the service.`,
  contactNotFound: () => 'We assume that no such contact exists: check the email address or userId.',
  tooManyRequests: tryAgain,
  serviceFailed: tryAgain,
  redirect: () => 'The base URL is not the address of the service: set it to the final address.',
  connectionRefused: () => 'Check that the service runs and that the base URL is right.',
  hostNotFound: () => 'Check the base URL and the network.',
  untrusted: () =>
    'For a certificate authority of your own, start the program with NODE_EXTRA_CA_CERTS=file. Else check the base URL.',
  connectionFailed: () => 'Check the network, and HTTPS_PROXY in the environment if you use a proxy.',
  noResponse: () => 'Try again later.',
  notJson: checkBaseUrl,
  otherShape: checkBaseUrl,
  otherType: () => 'Use it as it is, or choose another name.',
};

/** Why a call failed, without what it was to do: `the service reports a conflict (409)`. */
export function wordCause(code: CallCode, data: CallData): string {
  const cause: (data: CallData) => string = CALLS[code];
  return cause({ ...data, attempts: 1 });
}

/** What happened to a call, without a full stop: `Could not send event 'signup': not found (404)`. */
export function wordCallEnd(code: CallCode, data: CallData): string {
  const cause: (data: CallData) => string = CALLS[code];
  return `${data.unclear ? 'May have failed to' : 'Could not'} ${data.action ?? 'make the call'}: ${cause(data)}`;
}

/** An error of a call in words: what happened, what the service says, and what to do. */
export function wordCall(code: CallCode, data: CallData): string {
  const isEnded = code === 'aborted' || code === 'stopped';
  const nothing = isEnded && data.attempts === 0 ? 'Nothing was sent.' : '';
  const isOfKey = data.unclear && code !== 'redirect';
  const advice = isOfKey ? howToFindOut(code, data) : (WAYS_OUT[code]?.(data) ?? nothing);
  return [sentence(wordCallEnd(code, data)), quoteOfService(data), advice]
    .filter((part) => part !== '')
    .join(' ');
}

function howToFindOut(code: CallCode, data: CallData): string {
  const { idempotencyKey, method, operation, status = 0 } = data;
  if (idempotencyKey === undefined) {
    return method === 'PUT'
      ? 'Check whether it worked, or repeat it: that sets the same values.'
      : 'Check whether it worked before you repeat it.';
  }
  const wait = waitInWords(data.retryAfterMs);
  const asked = wait === undefined ? '' : `The service asks to wait ${wait}. `;
  const isEmail = operation === 'sendTransactionalEmail';
  const lookUp = `look it up in the service's own log of ${isEmail ? 'emails' : 'events'} (the API has no list of them)`;
  const isTemporary = code === 'tooManyRequests' || code === 'serviceFailed';
  if (status >= 300 && status < 500 && !isTemporary)
    return `${asked}An earlier request with this key may have succeeded: ${lookUp}. If nothing was sent, send it with a new key.`;
  const within = isEmail ? ' within 24 hours' : '';
  const once = isEmail ? 'we assume that this sends no second email' : 'this makes no duplicate event';
  const stored =
    status >= 500 ? ` If it fails in the same way, ${lookUp}. Use a new key if nothing was sent.` : '';
  return `${asked}Repeat it${within} with this error's idempotencyKey: ${once}.${stored}`;
}

/** What the service itself says, in a sentence; empty where it says nothing. */
export function quoteOfService({ serviceMessage }: CallData): string {
  return serviceMessage === undefined ? '' : `The service says: "${serviceMessage.replace(/[."]+$/, '')}".`;
}

/** A wait in words: `90 s`, `12 min`, `5 h`; nothing where none was asked for, or one of more than a day. */
function waitInWords(milliseconds = 0): string | undefined {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds === 0 || seconds > 86_400) return undefined;
  if (seconds <= 120) return `${seconds} s`;
  return seconds <= 7_200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}
