import type { RequestLogEntry } from '../../src/account/records.js';
import { quoted } from '../../src/shell.js';

/** What is needed of a request to send it again. */
export type Repeatable = Pick<RequestLogEntry, 'method' | 'path' | 'key' | 'requestBody'>;

/** The request as a line for a shell. The API key stays in the environment. */
export function asCurl(request: Repeatable, baseUrl: string): string {
  const { method, path, key, requestBody } = request;
  const hasBody = requestBody !== null && requestBody !== undefined;
  return [
    `curl ${quoted(originOf(baseUrl) + path)}`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $AUDIENCE_API_KEY"',
    ...(key === null ? [] : [`-H ${quoted(`Idempotency-Key: ${key}`)}`]),
    ...(hasBody ? ["-H 'Content-Type: application/json'", `-d ${quoted(textOf(requestBody))}`] : []),
  ].join(' \\\n  ');
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}
