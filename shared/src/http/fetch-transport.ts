import { ValidationError } from '../errors.js';
import { CANNOT_BE_MADE } from '../messages/problems.js';
import { timed } from './abort.js';
import { LARGEST_BODY, lostRequest, TransportFailure, type Transport } from './transport.js';

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
        throw lostRequest(error);
      }
    });
  };
}

/** A body of a known length is read at once; any other piece by piece, as it may be endless. */
async function textOf(response: Response): Promise<string> {
  const length = Number(response.headers.get('content-length') ?? NaN);
  if (length > LARGEST_BODY) {
    await response.body?.cancel();
    throw new TransportFailure('too-large');
  }
  // A packed body is longer than its length says.
  if (length >= 0 && !response.headers.has('content-encoding')) return response.text();
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
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
