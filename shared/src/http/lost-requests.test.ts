import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { endOf } from '../../testing/ends.js';
import { testLostRequests } from '../../testing/lost-requests.js';
import { createTestRuntime } from '../../testing/test-runtime.js';
import { AudienceApi } from '../internal.js';
import { axiosTransport } from './axios-transport.js';
import { fetchTransport } from './fetch-transport.js';
import { failureOf, type Transport } from './transport.js';

const apiKey = 'key-of-a-test';
const agents = { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() };

describe.each<[string, boolean, () => Transport]>([
  ['axios', true, () => axiosTransport({ apiKey, ...agents, proxyFromEnv: true })],
  ['fetch', false, () => fetchTransport(apiKey)],
])('over %s', (_name, usesProxy, transport) => {
  const send = (baseUrl: string, timeoutMs: number) => {
    const api = new AudienceApi({
      ...{ baseUrl, timeoutMs, transport: transport(), runtime: createTestRuntime() },
      ...{ maxRetries: 0, allowInsecure: true },
    });
    return endOf(api.transactional.send({ email: 'ada@example.com', transactionalId: 't' }));
  };
  testLostRequests(send, { usesProxy });
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
  for (const error of [cause, outer, ofHost]) expect(failureOf(error).neverSent).toBe(neverSent);
  if (cause instanceof Error)
    expect(failureOf(outer)).toHaveProperty('networkCode', Reflect.get(cause, 'code'));
  const refused = fault({ code: 'ECONNREFUSED', syscall: 'connect' });
  expect(failureOf(new Error('', { cause: new AggregateError([refused, cause]) })).neverSent).toBe(neverSent);
});
