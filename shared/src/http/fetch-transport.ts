import { timed } from './abort.js';
import { lostRequest, type Transport } from './transport.js';

/** A transport over `fetch`, or what stands in for it. It returns no request or response object. */
export function fetchTransport(apiKey: string, given?: typeof globalThis.fetch): Transport {
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
        const { status, headers } = response;
        return { status, headers: Object.fromEntries(headers), body: await response.text() };
      } catch (error) {
        throw lostRequest(error);
      }
    });
  };
}
