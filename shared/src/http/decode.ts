import { describeIssue } from '../errors.js';
import { isRecord } from '../is-record.js';
import { readWith } from '../issues.js';
import type * as z from '../zod.js';
import type { PreparedCall } from './prepared-call.js';
import type { TransportResponse } from './transport.js';

/** What came of reading a 2xx response. */
export type Decoded<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly problem: string; readonly rejected: boolean };

/** Reads the body of a 2xx response by the endpoint's schema. */
export function decodeResponse<Response extends z.ZodMiniType>(
  { method, response: schema }: Pick<PreparedCall<Response>['endpoint'], 'method' | 'response'>,
  { body }: TransportResponse,
): Decoded<z.infer<Response>> {
  const failed = (problem: string) => ({ ok: false, problem, rejected: false }) as const;
  if (body.trim() === '') return failed('its body is empty');
  const json = parseJson(body);
  if (json === undefined) return failed(describeNonJson(body));
  const read = readWith(schema, json);
  if (!read.ok) {
    const [issue] = read.issues;
    const problem = issue === undefined ? 'cannot be used' : describeIssue(issue);
    return failed(`its body is not as the API says: ${problem}`);
  }
  // Of what is read, `success` is a property like any other.
  if (method !== 'GET' && isRejection(json))
    return { ok: false, problem: 'it reports no success', rejected: true };
  return { ok: true, data: read.data };
}

/** The value of a JSON text, or `undefined` where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a response is of the kind that says that it worked. */
export function isSuccess({ status }: TransportResponse): boolean {
  return status >= 200 && status < 300;
}

/** Whether a response may say that what is to be done stands in its own way, as it is done already. */
export function refuses(response: TransportResponse): boolean {
  return isSuccess(response)
    ? isRejection(parseJson(response.body))
    : [400, 404, 409, 422].includes(response.status);
}

function isRejection(json: unknown): boolean {
  return isRecord(json) && json['success'] === false;
}

function describeNonJson(body: string): string {
  if (/^\s*</.test(body)) return 'it is a web page, not JSON, so something in between may have answered';
  return 'its body is not JSON, or was cut off';
}

/** The sentence for people in the body of an error, where one can be found; the interface describes none. */
export function messageInBody(body: string): string | undefined {
  const json = parseJson(body);
  return json === undefined ? undefined : findMessage(json, 0);
}

const MESSAGE_FIELDS = ['message', 'error', 'detail', 'title', 'errors', 'reason'];

function findMessage(value: unknown, depth: number): string | undefined {
  if (depth > 3) return undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (Array.isArray(value)) return findMessage(value[0], depth + 1);
  if (!isRecord(value)) return undefined;
  for (const field of MESSAGE_FIELDS) {
    const found = findMessage(value[field], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
