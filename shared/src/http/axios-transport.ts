import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import axios, { AxiosHeaders } from 'axios';
import type { AxiosResponse } from 'axios';
import { AttemptTimer } from './attempt-timer.js';
import { LARGEST_BODY, networkCodeOf, TransportFailure } from './transport.js';
import type { Transport } from './transport.js';

/** Settings of the axios transport. */
export interface AxiosTransportOptions {
  readonly apiKey: string;
  /** Agent for http addresses, such as one that keeps connections alive. */
  readonly httpAgent: HttpAgent;
  /** Agent for https addresses: give one for a proxy or a certificate authority of your own. */
  readonly httpsAgent: HttpAgent | HttpsAgent;
}

/** The default transport: axios over Node's http, with connections kept alive. No axios object leaves it. */
export function axiosTransport(options: AxiosTransportOptions): Transport {
  const authorization = `Bearer ${options.apiKey}`;
  // The adapter is asked directly: of what axios does around it (merging defaults, interceptors, transforming
  // bodies) nothing is used here, and it takes a fifth of a call's time.
  const send = axios.getAdapter('http');
  const settings = {
    httpAgent: options.httpAgent,
    httpsAgent: options.httpsAgent,
    // Proxies come in as agents: axios' own support reads the environment and sends https in the open.
    proxy: false,
    maxRedirects: 0,
    maxContentLength: LARGEST_BODY,
    maxBodyLength: Infinity,
    responseType: 'text',
    responseEncoding: 'utf8',
    validateStatus: null,
  } as const;
  return async (request) => {
    const timer = new AttemptTimer(request);
    try {
      const response: AxiosResponse<unknown> = await send({
        ...settings,
        method: request.method,
        url: request.url,
        headers: new AxiosHeaders({ ...request.headers, authorization }),
        data: request.body,
        signal: timer.signal,
      });
      return {
        status: response.status,
        headers: plainHeaders(response.headers),
        body: typeof response.data === 'string' ? response.data : '',
      };
    } catch (error) {
      throw timer.failure ?? failureOf(error);
    } finally {
      timer.stop();
    }
  };
}

function failureOf(error: unknown): TransportFailure {
  if (error instanceof Error && error.message.startsWith('maxContentLength'))
    return new TransportFailure('too-large');
  const networkCode = networkCodeOf(error);
  const wasCut = networkCode === 'ECONNRESET' || networkCode === 'EPIPE';
  return new TransportFailure('network', { networkCode, staleSocket: wasCut && wasReused(error) });
}

function wasReused(error: unknown): boolean {
  if (!axios.isAxiosError(error)) return false;
  const request: unknown = error.request;
  return typeof request === 'object' && request !== null && Reflect.get(request, 'reusedSocket') === true;
}

function plainHeaders(headers: object): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') plain[name.toLowerCase()] = value;
    else if (Array.isArray(value)) plain[name.toLowerCase()] = value.join(', ');
  }
  return plain;
}
