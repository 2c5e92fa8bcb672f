import type { CallData } from '../messages/calls.js';
import type { Redactor } from '../redact.js';
import { shortened } from '../words.js';
import type { PreparedCall } from './prepared-call.js';
import { messageInBody } from './decode.js';
import type { TransportResponse } from './transport.js';

const SNIPPET_LENGTH = 500;
const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id'];

/** The id that the service gave a request, where it sent one. */
export function requestIdOf({ headers }: TransportResponse): string | undefined {
  return REQUEST_ID_HEADERS.map((name) => headers[name]).find((id) => id !== undefined);
}

/** What an error knows of the call that ended in it. Every text of the service is redacted. */
export function callData(
  redact: Redactor,
  { endpoint, path, action }: PreparedCall,
  known: Omit<CallData, 'headers'>,
  response: TransportResponse | undefined,
): CallData {
  const { method, operationId: operation } = endpoint;
  const call = { method, operation, action, path: redact(path), ...known };
  if (response === undefined) return call;
  const snippet = (text: string | undefined) =>
    text === undefined ? undefined : shortened(redact(text), SNIPPET_LENGTH);
  const { status, body } = response;
  const message = messageInBody(body);
  const kept = Object.entries(response.headers).filter(([name]) => name !== 'set-cookie');
  const headers = Object.fromEntries(kept.map(([name, value]): [string, string] => [name, redact(value)]));
  return {
    ...call,
    status,
    headers,
    requestId: snippet(requestIdOf(response)),
    // What a message was read in is not kept: it can hold more than that.
    bodySnippet: message === undefined ? snippet(body) : undefined,
    serviceMessage: snippet(message),
  };
}
