import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { endOf } from '../../testing/ends.js';
import { testLostRequests } from '../../testing/lost-requests.js';
import { createTestRuntime } from '../../testing/test-runtime.js';
import { AudienceApi } from '../internal.js';
import { axiosTransport } from './axios-transport.js';
import { fetchTransport } from './fetch-transport.js';
import { failureOf, lostRequest, type Transport } from './transport.js';

const apiKey = 'key-of-a-test';
const agents = { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() };

/** As fetch-retry and undici's RetryAgent do it: the error is that of the last request. */
const repeatingFetch: typeof fetch = async (...request) => {
  for (let left = 2; ; left -= 1) {
    try {
      return await fetch(...request);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
};

/** A transport of a caller's own, which throws what comes. */
const ofCaller: Transport = async (request) => {
  const { method, headers, body = null } = request;
  const response = await repeatingFetch(request.url, {
    method,
    headers,
    body,
    signal: AbortSignal.timeout(500),
  });
  return { status: response.status, headers: {}, body: await response.text() };
};

describe.each<[string, boolean, () => Transport]>([
  ['axios', true, () => axiosTransport({ apiKey, ...agents, proxyFromEnv: true })],
  ['fetch', false, () => fetchTransport(apiKey)],
  ['a fetch that repeats', false, () => fetchTransport(apiKey, repeatingFetch)],
  ["a caller's transport", false, () => ofCaller],
])('over %s', (_name, isNode, transport) => {
  const send = (baseUrl: string, timeoutMs: number) => {
    const api = new AudienceApi({
      ...{ baseUrl, timeoutMs, transport: transport(), runtime: createTestRuntime() },
      ...{ maxRetries: 0, allowInsecure: true },
    });
    return endOf(api.transactional.send({ email: 'ada@example.com', transactionalId: 't' }));
  };
  testLostRequests(send, { usesProxy: isNode, isCertain: isNode });
});

/** An error with facts, as Node makes them. */
const fault = (facts: object): Error => Object.assign(new Error('fault'), facts);

test.each<[string, unknown, boolean]>([
  ['connect', fault({ code: 'EHOSTUNREACH', syscall: 'connect' }), true],
  ['lookup', fault({ code: 'EAI_AGAIN', syscall: 'getaddrinfo' }), true],
  ['certificate', fault({ code: 'CERT_HAS_EXPIRED' }), true],
  ['read', fault({ code: 'EHOSTUNREACH', syscall: 'read' }), false],
  ['write', fault({ code: 'EPROTO', syscall: 'write' }), false],
  ['a code alone', fault({ code: 'ENETUNREACH' }), false],
  ['too many files', fault({ code: 'EMFILE', syscall: 'open' }), false],
  ["a server's alert", fault({ code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA' }), false],
  ['nothing', undefined, false],
])('an error of %s', (_, cause, neverSent) => {
  const outer = new Error('fetch failed', { cause });
  const ofHost = new Error('The service failed', { cause: fault({ code: 'ERR_NETWORK', cause }) });
  for (const error of [cause, outer, ofHost]) {
    expect(failureOf(error).neverSent).toBe(neverSent);
    expect(lostRequest(error).neverSent).toBe(false);
  }
  if (cause instanceof Error)
    expect(failureOf(outer)).toHaveProperty('networkCode', Reflect.get(cause, 'code'));
  const refused = fault({ code: 'ECONNREFUSED', syscall: 'connect' });
  expect(failureOf(new Error('', { cause: new AggregateError([refused, cause]) })).neverSent).toBe(neverSent);
});
