import { AttemptTimer } from './attempt-timer.js';
import { LARGEST_BODY, networkCodeOf, TransportFailure } from './transport.js';
import type { Transport } from './transport.js';

/** Settings of the fetch transport. */
export interface FetchTransportOptions {
  readonly apiKey: string;
  /** Stands in for the runtime's own `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A transport over `fetch`, for runtimes other than Node. Nothing of a request or response object leaves it. */
export function fetchTransport({ apiKey, fetch = globalThis.fetch }: FetchTransportOptions): Transport {
  const authorization = `Bearer ${apiKey}`;
  return async (request) => {
    const timer = new AttemptTimer(request);
    try {
      const response = await fetch(request.url, {
        method: request.method,
        headers: { ...request.headers, authorization },
        redirect: 'manual',
        signal: timer.signal,
        ...(request.body === undefined ? {} : { body: request.body }),
      });
      const body = await textOf(response);
      return { status: response.status, headers: Object.fromEntries(response.headers), body };
    } catch (error) {
      if (error instanceof TransportFailure) throw error;
      throw timer.failure ?? new TransportFailure('network', { networkCode: networkCodeOf(error) });
    } finally {
      timer.stop();
    }
  };
}

async function textOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > LARGEST_BODY) {
      await reader.cancel();
      throw new TransportFailure('too-large');
    }
    text += decoder.decode(value, { stream: true });
  }
}
