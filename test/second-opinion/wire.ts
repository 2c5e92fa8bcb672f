import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import type { WireRequest } from './check-request.js';

const CHANNEL = 'http.server.request.start';

/**
 * Hands every request that any HTTP server of this process receives over to `receive`, as soon as it is complete.
 *
 * It listens at Node's own servers, not at the sandbox: what the sandbox makes of a request has no part in it.
 *
 * @returns a function that ends it
 */
export function tapServers(receive: (request: WireRequest) => void): () => void {
  const tap = (message: unknown): void => {
    if (typeof message !== 'object' || message === null || !('request' in message)) return;
    if (message.request instanceof IncomingMessage) follow(message.request, receive);
  };
  subscribe(CHANNEL, tap);
  return () => {
    unsubscribe(CHANNEL, tap);
  };
}

/** Reads along: another listener would set the request flowing before the server listens. */
function follow(request: IncomingMessage, receive: (request: WireRequest) => void): void {
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: unknown, encoding) => {
    if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    else if (chunk === null) {
      const { method = '', url = '', headers } = request;
      receive({ method, target: url, headers, body: Buffer.concat(chunks).toString('utf8') });
    }
    return push(chunk, encoding);
  };
}
