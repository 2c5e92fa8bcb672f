import type { Endpoint } from '../contract/endpoint.js';
import type { z } from 'zod/v4';
import type { TransportResponse } from './transport.js';

/** What came of reading a 2xx answer. */
export type Decoded<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly problem: string; readonly rejected: boolean };

/** Reads the body of a 2xx answer by the endpoint's schema. */
export function decodeAnswer<Answer extends z.ZodType>(
  endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, Answer>,
  response: TransportResponse,
): Decoded<z.infer<Answer>> {
  const failed = (problem: string) => ({ ok: false, problem, rejected: false }) as const;
  if (response.body.trim() === '') return failed('its body is empty');
  const json = parseJson(response.body);
  if (json === undefined) return failed(describeNonJson(response.body));
  const parsed = endpoint.answer.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place = issue === undefined || issue.path.length === 0 ? 'its body' : `'${issue.path.join('.')}'`;
    return failed(`${place} is not as the interface says (${issue?.message ?? 'unknown'})`);
  }
  if (isRejection(json)) return { ok: false, problem: 'it reports no success', rejected: true };
  return { ok: true, answer: parsed.data };
}

/** The value of a JSON text, or `undefined` where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRejection(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'success' in json && json.success === false;
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
  if (typeof value !== 'object' || value === null) return undefined;
  for (const field of MESSAGE_FIELDS) {
    const found = findMessage(Reflect.get(value, field), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
