import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import axios, { AxiosHeaders, type AxiosAdapter, type AxiosResponse } from 'axios';
import { ValidationError } from '../errors.js';
import { CANNOT_BE_MADE } from '../messages/problems.js';
import { LightSignal, timed } from './abort.js';
import { proxyFor } from './proxy.js';
import { failureOf, LARGEST_BODY, TransportFailure, type Transport } from './transport.js';

/** Settings of the axios transport. `proxyFromEnv`: `HTTPS_PROXY` and `NO_PROXY` decide for https addresses. */
interface AxiosTransportOptions {
  readonly apiKey: string;
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpAgent | HttpsAgent;
  readonly proxyFromEnv: boolean;
}

/** The default transport: axios over Node's http, with connections kept alive. It returns no axios object. */
export function axiosTransport(options: AxiosTransportOptions): Transport {
  // The adapter is called directly: the rest of axios is not needed here, and costs a fifth of a call's time.
  const send = httpAdapter();
  const { apiKey, proxyFromEnv, ...agents } = options;
  const settings = {
    ...agents,
    maxRedirects: 0,
    maxContentLength: LARGEST_BODY,
    maxBodyLength: Infinity,
    responseType: 'text',
    validateStatus: null,
  } as const;
  const ownHeaders = { authorization: `Bearer ${apiKey}`, 'accept-encoding': 'gzip' };
  return (request) => {
    // A proxy would see plain http, and with it the key. Only https goes through one, by CONNECT.
    const usesEnv = proxyFromEnv && request.url.startsWith('https:');
    const signal = new LightSignal();
    return timed(request, signal, async () => {
      try {
        const response: AxiosResponse<unknown> = await send({
          ...settings,
          proxy: usesEnv && proxyFor(request.url),
          method: request.method,
          url: request.url,
          headers: new AxiosHeaders({ ...request.headers, ...ownHeaders }),
          data: request.body,
          signal,
        });
        const { status, data } = response;
        // Node gives names in lower case, and cookies as a list.
        const headers = Object.entries(response.headers).map(
          ([name, value]) => [name, String(value)] as const,
        );
        return { status, headers: Object.fromEntries(headers), body: typeof data === 'string' ? data : '' };
      } catch (error) {
        const isTooLarge = error instanceof Error && error.message.startsWith('maxContentLength');
        throw isTooLarge ? new TransportFailure('too-large') : failureOf(error);
      }
    });
  };
}

/** @throws ValidationError where axios is its build for browsers, as in jest's jsdom. */
function httpAdapter(): AxiosAdapter {
  try {
    return axios.getAdapter('http');
  } catch {
    throw new ValidationError(CANNOT_BE_MADE, [{ path: ['transport'], code: 'noNode' }]);
  }
}
