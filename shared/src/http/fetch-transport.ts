import { timed } from './timed.js';
import { LARGEST_BODY, networkCodeOf, TransportFailure, type Transport } from './transport.js';

/** A transport over `fetch`, or what stands in for it. It returns no request or response object. */
export function fetchTransport(apiKey: string, fetch = globalThis.fetch): Transport {
  const authorization = `Bearer ${apiKey}`;
  return (request) =>
    timed(request, async (signal) => {
      try {
        const response = await fetch(request.url, {
          method: request.method,
          headers: { ...request.headers, authorization },
          redirect: 'manual',
          signal,
          ...(request.body === undefined ? {} : { body: request.body }),
        });
        const body = await textOf(response);
        return { status: response.status, headers: Object.fromEntries(response.headers), body };
      } catch (error) {
        if (error instanceof TransportFailure) throw error;
        throw new TransportFailure('network', { networkCode: networkCodeOf(error) });
      }
    });
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
