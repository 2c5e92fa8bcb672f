import { parseJsonText } from '../contract/json.js';
import { fieldsOf } from '../is-record.js';
import { readWith } from '../issues.js';
import type { CallCode } from '../messages/calls.js';
import type { Problem } from '../messages/problems.js';
import type * as z from '../zod.js';
import type { PreparedCall } from './prepared-call.js';

/** The data of a 2xx response, or why there is none. */
type Decoded<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly code: CallCode; readonly issue?: Problem | undefined };

/** Reads the body of a 2xx response by the endpoint's schema. */
export function decodeResponse<Response extends z.ZodMiniType>(
  { method, response: schema }: Pick<PreparedCall<Response>['endpoint'], 'method' | 'response'>,
  body: string,
): Decoded<z.infer<Response>> {
  const failed = (code: CallCode, issue?: Problem) => ({ ok: false, code, issue }) as const;
  const json = parseJsonText(body);
  if (json === undefined) return failed('notJson');
  const read = readWith(schema, json);
  if (!read.ok) return failed('otherShape', read.issues[0]);
  // In what a GET reads, `success` can be a contact's property.
  if (method !== 'GET' && fieldsOf(json)['success'] === false) return failed('notSuccessful');
  return { ok: true, data: read.data };
}

/** The reason in the body of an error: its `message` or `error`, where that is a text. The interface describes none. */
export function messageInBody(body: string): string | undefined {
  const { message, error } = fieldsOf(parseJsonText(body));
  const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
  return [message, error].find(isText);
}
