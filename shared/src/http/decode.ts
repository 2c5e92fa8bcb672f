import { parseJsonText } from '../contract/json.js';
import { isRecord } from '../is-record.js';
import { readWith } from '../issues.js';
import type { CallReason } from '../messages.js';
import type { Problem } from '../problem.js';
import type * as z from '../zod.js';
import type { PreparedCall } from './prepared-call.js';
import type { TransportResponse } from './transport.js';

/** The data of a 2xx response, or why there is none. */
type Decoded<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly reason: CallReason; readonly issue?: Problem | undefined };

/** Reads the body of a 2xx response by the endpoint's schema. */
export function decodeResponse<Response extends z.ZodMiniType>(
  { method, response: schema }: Pick<PreparedCall<Response>['endpoint'], 'method' | 'response'>,
  { body }: TransportResponse,
): Decoded<z.infer<Response>> {
  const failed = (reason: CallReason, issue?: Problem) => ({ ok: false, reason, issue }) as const;
  if (body.trim() === '') return failed('emptyBody');
  const json = parseJson(body);
  if (json === undefined) return failed(/^\s*</.test(body) ? 'webPage' : 'notJson');
  const read = readWith(schema, json);
  if (!read.ok) return failed('otherShape', read.issues[0]);
  if (method !== 'GET')
    // In what a GET reads, `success` can be a contact's property.
    return isRecord(json) && json['success'] === false
      ? failed('notSuccessful')
      : { ok: true, data: read.data };
  const rounded = roundedIn(body);
  return rounded === undefined ? { ok: true, data: read.data } : failed('otherShape', rounded);
}

/** A whole number that JavaScript would change: an id in a contact would become another one. */
function roundedIn(body: string): Problem | undefined {
  const { lost } = /\d{16}/.test(body) ? parseJsonText(body) : {};
  return lost?.code === 'roundedNumber' ? { path: [], ...lost } : undefined;
}

/** The value of a JSON text, or `undefined` where it is none. A byte order mark in front is no part of it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
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
