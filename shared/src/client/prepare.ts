import type { Endpoint } from '../contract/endpoint.js';
import type { ValidationIssue } from '../errors.js';
import type { PreparedCall } from '../http/prepared-call.js';
import type { Pipeline } from '../http/pipeline.js';
import { validate } from '../issues.js';
import type * as z from '../zod.js';

export interface CallParts {
  /** What is to be done, for messages: `update contact 'ada@example.com'`. */
  readonly action: string;
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  /** What is already known to be wrong with the body. */
  readonly issues?: readonly ValidationIssue[];
}

/**
 * Checks the parts of a request by the endpoint's schemas and makes its path.
 *
 * @throws ValidationError that names each faulty field.
 */
export function prepare<Response extends z.ZodMiniType>(
  pipeline: Pick<Pipeline, 'redact'>,
  endpoint: Endpoint<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, Response>,
  { action, params, query, body, issues = [] }: CallParts,
): PreparedCall<Response> {
  // A key that stands where an identifier should is in no error.
  const what = `Could not ${pipeline.redact(action)}`;
  const path = endpoint.params === undefined ? endpoint.path : fillPath(endpoint, params, what);
  const search = endpoint.query === undefined ? '' : searchOf(validate(endpoint.query, query ?? {}, what));
  return {
    endpoint,
    path: path + search,
    action,
    ...(endpoint.body === undefined
      ? {}
      : { body: validate(endpoint.body, body, what, [...issues, ...unspeakable(body, [])]) }),
  };
}

/** An own field `__proto__` is no field to most of JavaScript, which would drop it without a word. */
function unspeakable(value: unknown, path: readonly string[]): ValidationIssue[] {
  if (typeof value !== 'object' || value === null || path.length > 1) return [];
  const own = Object.hasOwn(value, '__proto__')
    ? [{ path: [...path, '__proto__'], message: 'is a name that cannot be used' }]
    : [];
  return [...own, ...Object.entries(value).flatMap(([name, inner]) => unspeakable(inner, [...path, name]))];
}

function fillPath(endpoint: Endpoint, params: unknown, what: string): string {
  const checked = endpoint.params === undefined ? {} : validate(endpoint.params, params, what);
  const values = new Map(Object.entries(checked ?? {}));
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
}

/** A query as the end of a URL; what is undefined is left out. */
export function searchOf(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
