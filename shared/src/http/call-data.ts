import type { CallData } from '../messages/calls.js';
import type { Redactor } from '../redact.js';
import { shortened } from '../words.js';
import type { PreparedCall } from './prepared-call.js';
import { messageInBody } from './decode.js';
import type { TransportResponse } from './transport.js';

const SNIPPET_LENGTH = 500;

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
    // What a message was read in is not kept: it can hold more than that.
    bodySnippet: message === undefined ? snippet(body) : undefined,
    serviceMessage: snippet(message),
  };
}
