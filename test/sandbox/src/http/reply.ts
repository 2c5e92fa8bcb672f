import { STATUS_CODES, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { SandboxError } from '../sandbox-error.js';
import { reasonOf } from '../reason.js';

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  sendText(response, status, JSON.stringify(body), 'application/json; charset=utf-8', headers);
}

/** Responds with text of a media type, or with nothing. Further headers win, if their names are in small letters. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  mediaType: string | undefined,
  headers: OutgoingHttpHeaders = {},
): void {
  // A 204 and a 304 have no body, not even an empty one.
  const hasBody = status !== 204 && status !== 304;
  response.writeHead(status, {
    ...(mediaType === undefined || !hasBody ? {} : { 'content-type': mediaType }),
    ...(hasBody ? { 'content-length': Buffer.byteLength(text) } : {}),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(text);
}

export function failureBody(message: string): { success: false; message: string } {
  return { success: false, message };
}

/** The error of the response: itself where it is one of ours, a plain 500 for anything else. */
export function sandboxErrorOf(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error;
  return new SandboxError({ code: 'sandbox_failed', reason: reasonOf(error) }, 500);
}

/** Standard words for a status: `503 Service Unavailable`. */
export function statusText(status: number): string {
  return [String(status), STATUS_CODES[status]].filter((part) => part !== undefined).join(' ');
}
