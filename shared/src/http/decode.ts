import { isRecord } from '../is-record.js';
import { readWith } from '../issues.js';
import { wordIssue } from '../messages.js';
import type * as z from '../zod.js';
import type { PreparedCall } from './prepared-call.js';
import type { TransportResponse } from './transport.js';

/** The data of a 2xx response, or why there is none. */
type Decoded<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly problem: string; readonly rejected: boolean };

/** Reads the body of a 2xx response by the endpoint's schema. */
export function decodeResponse<Response extends z.ZodMiniType>(
  { method, response: schema }: Pick<PreparedCall<Response>['endpoint'], 'method' | 'response'>,
  { body }: TransportResponse,
): Decoded<z.infer<Response>> {
  const failed = (problem: string, rejected = false) => ({ ok: false, problem, rejected }) as const;
  if (body.trim() === '') return failed('its body is empty');
  const json = parseJson(body);
  if (json === undefined) {
    const isPage = /^\s*</.test(body);
    return failed(
      isPage
        ? 'it is a web page, not JSON, so it may come from a proxy in between'
        : 'its body is not JSON, or was cut off',
    );
  }
  const read = readWith(schema, json);
  if (!read.ok) {
    const [issue] = read.issues;
    return failed(`its body does not match the API: ${issue ? wordIssue(issue) : 'cannot be used'}`);
  }
  // In what a GET reads, `success` can be a contact's property.
  const rejected = method !== 'GET' && isRecord(json) && json['success'] === false;
  return rejected ? failed('it reports no success', true) : { ok: true, data: read.data };
}

/** The value of a JSON text, or `undefined` where it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The sentence for users in the body of an error, where one can be found; the interface describes none. */
export function messageInBody(body: string): string | undefined {
  return findMessage(parseJson(body), 0);
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
