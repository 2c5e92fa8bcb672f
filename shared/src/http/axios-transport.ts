import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import axios, { AxiosHeaders } from 'axios';
import type { AxiosAdapter, AxiosResponse } from 'axios';
import { ValidationError } from '../errors.js';
import { CANNOT_BE_MADE } from '../messages.js';
import { LightSignal } from './light-signal.js';
import { timed } from './timed.js';
import { LARGEST_BODY, networkCodeOf, TransportFailure, type Transport } from './transport.js';

/** Settings of the axios transport. */
export interface AxiosTransportOptions {
  readonly apiKey: string;
  /** Agent for http addresses. */
  readonly httpAgent: HttpAgent;
  /** Agent for https addresses. */
  readonly httpsAgent: HttpAgent | HttpsAgent;
  /** Whether `HTTPS_PROXY` and `NO_PROXY` decide for https addresses. */
  readonly proxyFromEnv: boolean;
}

/** The default transport: axios over Node's http, with connections kept alive. It returns no axios object. */
export function axiosTransport(options: AxiosTransportOptions): Transport {
  const authorization = `Bearer ${options.apiKey}`;
  // The adapter is called directly: the rest of axios is not needed here, and costs a fifth of a call's time.
  const send = httpAdapter();
  const settings = {
    httpAgent: options.httpAgent,
    httpsAgent: options.httpsAgent,
    maxRedirects: 0,
    maxContentLength: LARGEST_BODY,
    maxBodyLength: Infinity,
    responseType: 'text',
    validateStatus: null,
  } as const;
  return (request) => {
    // A proxy would see plain http, and with it the key. Only https goes through one, by CONNECT.
    const usesEnv = options.proxyFromEnv && request.url.startsWith('https:');
    const signal = new LightSignal();
    return timed(request, signal, async () => {
      try {
        const response: AxiosResponse<unknown> = await send({
          ...settings,
          ...(usesEnv ? {} : { proxy: false }),
          method: request.method,
          url: request.url,
          headers: new AxiosHeaders({ ...request.headers, authorization, 'accept-encoding': 'gzip' }),
          data: request.body,
          signal,
        });
        const { status, data } = response;
        return {
          status,
          headers: plainHeaders(response.headers),
          body: typeof data === 'string' ? data : '',
        };
      } catch (error) {
        throw failureOf(error, usesEnv && hasProxy());
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

function failureOf(error: unknown, mayBeOfProxy: boolean): TransportFailure {
  const networkCode = networkCodeOf(error);
  const isTooLarge = error instanceof Error && error.message.startsWith('maxContentLength');
  if (isTooLarge) return new TransportFailure('too-large');
  const wasCut = networkCode === 'ECONNRESET' || networkCode === 'EPIPE';
  const staleSocket = wasCut && wasReused(error);
  return new TransportFailure('network', { networkCode, staleSocket, mayBeOfProxy });
}

function hasProxy(): boolean {
  const names = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
  return names.some((name) => (process.env[name] ?? '') !== '');
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
