import { ValidationError } from '../errors.js';
import { CANNOT_BE_MADE } from '../messages.js';
import { timed } from './abort.js';
import { failureOf, LARGEST_BODY, TransportFailure, type Transport } from './transport.js';

/**
 * A transport over `fetch`, or what stands in for it. It returns no request or response object.
 *
 * @throws ValidationError where the runtime has no `fetch` or `TextDecoder`, as in jest's jsdom.
 */
export function fetchTransport(apiKey: string, given?: typeof globalThis.fetch): Transport {
  if (typeof (given ?? globalThis.fetch) !== 'function' || typeof TextDecoder !== 'function')
    throw new ValidationError(CANNOT_BE_MADE, [{ path: ['fetch'], code: 'noFetch' }]);
  const authorization = `Bearer ${apiKey}`;
  return (request) => {
    const controller = new AbortController();
    return timed(request, controller, async () => {
      try {
        // Looked up for each request: tests install a double late.
        const fetch = given ?? globalThis.fetch;
        const response = await fetch(request.url, {
          method: request.method,
          headers: { ...request.headers, authorization },
          redirect: 'manual',
          signal: controller.signal,
          ...(request.body === undefined ? {} : { body: request.body }),
        });
        const body = await textOf(response);
        return { status: response.status, headers: Object.fromEntries(response.headers), body };
      } catch (error) {
        throw failureOf(error);
      }
    });
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
