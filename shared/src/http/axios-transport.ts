import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import axios, { AxiosHeaders } from 'axios';
import type { AxiosResponse } from 'axios';
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
  const send = axios.getAdapter('http');
  const settings = {
    httpAgent: options.httpAgent,
    httpsAgent: options.httpsAgent,
    maxRedirects: 0,
    maxContentLength: LARGEST_BODY,
    maxBodyLength: Infinity,
    responseType: 'arraybuffer',
    // axios reads a body that was cut off as if it were whole.
    decompress: false,
    validateStatus: null,
  } as const;
  return (request) => {
    // A proxy would see plain http, and with it the key. Only https goes through one, by CONNECT.
    const usesEnv = options.proxyFromEnv && request.url.startsWith('https:');
    return timed(request, async (signal) => {
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
        const headers = plainHeaders(response.headers);
        return { status: response.status, headers, body: await textOf(response.data, headers) };
      } catch (error) {
        throw failureOf(error, usesEnv && hasProxy());
      }
    });
  };
}

const unzip = promisify(gunzip);

async function textOf(data: unknown, headers: Readonly<Record<string, string>>): Promise<string> {
  if (!Buffer.isBuffer(data)) return '';
  const isZipped = data.length > 0 && /^(x-)?gzip$/i.test(headers['content-encoding'] ?? '');
  const bytes = isZipped ? await unzip(data, { maxOutputLength: LARGEST_BODY }) : data;
  return bytes.toString('utf8');
}

function failureOf(error: unknown, mayBeOfProxy: boolean): TransportFailure {
  const networkCode = networkCodeOf(error);
  const isTooLarge = error instanceof Error && error.message.startsWith('maxContentLength');
  if (isTooLarge || networkCode === 'ERR_BUFFER_TOO_LARGE') return new TransportFailure('too-large');
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
