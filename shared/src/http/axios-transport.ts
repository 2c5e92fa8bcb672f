import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import axios, { AxiosHeaders } from 'axios';
import type { AxiosResponse } from 'axios';
import { TransportFailure } from './transport.js';
import type { Transport, TransportRequest } from './transport.js';

/** Settings of the axios transport. */
export interface AxiosTransportOptions {
  readonly apiKey: string;
  /** Agent for http addresses, such as one that keeps connections alive. */
  readonly httpAgent: HttpAgent;
  /** Agent for https addresses: give one for a proxy or a certificate authority of your own. */
  readonly httpsAgent: HttpAgent | HttpsAgent;
}

/** Largest body that is read, in bytes; no answer of the service comes near it. */
const LARGEST_BODY = 32 * 1024 * 1024;

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
    maxBodyLength: LARGEST_BODY,
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
        body: textOf(response.data),
      };
    } catch (error) {
      throw timer.failure(error);
    } finally {
      timer.stop();
    }
  };
}

/** Ends an attempt when its time is up or the caller aborts; both through one signal. */
class AttemptTimer {
  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #abort = () => {
    this.#controller.abort();
  };
  #timedOut = false;

  constructor(request: TransportRequest) {
    this.#callerSignal = request.signal;
    this.#callerSignal?.addEventListener('abort', this.#abort, { once: true });
    this.#timer = setTimeout(() => {
      this.#timedOut = true;
      this.#controller.abort();
    }, request.timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#abort);
  }

  failure(error: unknown): TransportFailure {
    if (this.#timedOut) return new TransportFailure('timeout');
    if (this.#callerSignal?.aborted === true) return new TransportFailure('aborted');
    const networkCode = networkCodeOf(error);
    return new TransportFailure('network', {
      networkCode,
      staleSocket: (networkCode === 'ECONNRESET' || networkCode === 'EPIPE') && wasReused(error),
    });
  }
}

function networkCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.cause instanceof Error) {
    const inner = networkCodeOf(error.cause);
    if (inner !== undefined) return inner;
  }
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
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

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : '';
}
