import type { Endpoint } from '../contract/endpoint.js';
import type { Problem } from '../problem.js';
import type { CallOptions, WithResponse } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import type { PreparedCall } from '../http/prepared-call.js';
import { validate } from '../issues.js';
import type * as z from '../zod.js';
import type { ApiCall, SendResult, WriteResult } from './types.js';

/** Makes an {@link ApiCall} of work that knows its response. What the work throws is the promise's. */
export function apiCall<Result>(work: () => Promise<WithResponse<Result>>): ApiCall<Result> {
  const begun = work();
  const result = begun.then(({ data }) => data);
  return Object.assign(result, {
    withResponse: () => {
      result.catch(() => undefined);
      return begun;
    },
  });
}

interface CallParts {
  /** What the call does, for messages: `update contact 'ada@example.com'`. */
  readonly action: string;
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  /** What is already known to be wrong with the body. */
  readonly problems?: readonly Problem[];
}

/**
 * Checks the parts of a request by the endpoint's schemas and makes its path.
 *
 * @throws ValidationError that names each faulty field.
 */
export function prepare<Response extends z.ZodMiniType>(
  pipeline: Pipeline,
  endpoint: Endpoint<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, Response>,
  { params, query, body, problems = [], ...parts }: CallParts,
): PreparedCall<Response> {
  const action = pipeline.redact(parts.action);
  const what = `Could not ${action}`;
  const path = endpoint.params === undefined ? endpoint.path : fillPath(endpoint, params, what);
  const search = endpoint.query === undefined ? '' : searchOf(validate(endpoint.query, query ?? {}, what));
  const call = { endpoint, path: path + search, action };
  if (endpoint.body === undefined) return call;
  return { ...call, body: validate(endpoint.body, body, what, [...problems, ...unspeakable(body, [])]) };
}

/** Makes a call that only reads. */
export function read<Response extends z.ZodMiniType>(
  pipeline: Pipeline,
  endpoint: Endpoint<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, Response>,
  parts: CallParts,
  options: CallOptions | undefined,
): ApiCall<z.infer<Response>> {
  return apiCall(async () => pipeline.run(prepare(pipeline, endpoint, parts), options));
}

/** Sends what has an idempotency key: an email or an event. */
export async function send(
  pipeline: Pipeline,
  endpoint: Endpoint,
  parts: CallParts,
  options: CallOptions | undefined,
): Promise<WithResponse<SendResult>> {
  const { deduplicated, response } = await pipeline.write(prepare(pipeline, endpoint, parts), options);
  const { idempotencyKey = '' } = response;
  return { data: { ...written(deduplicated, response), idempotencyKey }, response };
}

export function written(
  deduplicated: boolean,
  { attempts, totalRetryDelayMs }: Omit<WriteResult, 'success' | 'deduplicated'>,
): WriteResult {
  return { success: true, deduplicated, attempts, totalRetryDelayMs };
}

/** Finds fields named `__proto__`: most of JavaScript would drop them silently. */
function unspeakable(value: unknown, path: readonly string[]): Problem[] {
  if (typeof value !== 'object' || value === null || path.length > 1) return [];
  const own: Problem[] = Object.hasOwn(value, '__proto__')
    ? [{ path, code: 'unusableName', given: '__proto__' }]
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

/** A query as the end of a URL, without what is undefined. */
function searchOf(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
