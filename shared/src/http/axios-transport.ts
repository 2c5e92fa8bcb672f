import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import axios, { AxiosHeaders, type AxiosResponse } from 'axios';
import { LightSignal, timed } from './abort.js';
import { failureOf, type Transport } from './transport.js';

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
  const send = axios.getAdapter('http');
  const { apiKey, proxyFromEnv, ...agents } = options;
  const settings = {
    ...agents,
    maxRedirects: 0,
    maxContentLength: Infinity,
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
          ...(usesEnv ? {} : { proxy: false }),
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
        throw failureOf(error);
      }
    });
  };
}
