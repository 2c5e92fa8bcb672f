import type { Endpoint } from '../contract/endpoint.js';
import type { PreparedCall } from '../http/prepared-call.js';
import type { CallOptions, WithResponse } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import { fieldsOf } from '../is-record.js';
import { validate } from '../issues.js';
import type { CallProgress } from '../messages/calls.js';
import type { Problem } from '../messages/problems.js';
import type * as z from '../zod.js';
import { checkCallOptions } from './call-options.js';
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
 * Makes a call without an idempotency key.
 *
 * @throws ValidationError that names each faulty field.
 */
export async function call<Response extends z.ZodMiniType>(
  pipeline: Pipeline,
  endpoint: Endpoint<Response>,
  parts: CallParts,
  options: CallOptions | undefined,
): Promise<WithResponse<z.infer<Response>>> {
  return pipeline.run(prepare(pipeline, endpoint, parts, options), options);
}

/** Checks the parts of a request by the endpoint's schemas, and the options, and makes its path. */
function prepare<Response extends z.ZodMiniType>(
  pipeline: Pipeline,
  endpoint: Endpoint<Response>,
  { params, query, body, problems = [], ...parts }: CallParts,
  options: CallOptions | undefined,
): PreparedCall<Response> {
  const action = pipeline.redact(parts.action);
  const what = `Could not ${action}`;
  const values = endpoint.params && fieldsOf(validate(endpoint.params, params, what));
  const valueOf = (_: string, name: string) => encodeURIComponent(String(values?.[name]));
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, valueOf);
  const search = endpoint.query === undefined ? '' : searchOf(validate(endpoint.query, query ?? {}, what));
  const checked = endpoint.body && validate(endpoint.body, body, what, problems);
  if (options !== undefined) checkCallOptions(options, what);
  return { endpoint, path: path + search, action, body: checked };
}

/** Sends what has an idempotency key: an email or an event. */
export async function send(
  pipeline: Pipeline,
  endpoint: Endpoint,
  parts: CallParts,
  options: CallOptions | undefined,
): Promise<WithResponse<SendResult>> {
  const { deduplicated, response } = await pipeline.send(
    prepare(pipeline, endpoint, parts, options),
    options,
  );
  const { idempotencyKey = '' } = response;
  return { data: { ...written(response, deduplicated), idempotencyKey }, response };
}

/** What a write resolves with. */
export function written({ attempts, totalRetryDelayMs }: CallProgress, deduplicated = false): WriteResult {
  return { success: true, deduplicated, attempts, totalRetryDelayMs };
}

/** What is sent and for which contact, for messages: `send event 'signup' for ada@example.com`. */
export function sendingOf(kind: 'email' | 'event', message: unknown): string {
  const { transactionalId, eventName, email, userId } = fieldsOf(message);
  const [name, before] = kind === 'email' ? [transactionalId, 'to'] : [eventName, 'for'];
  const what = typeof name === 'string' ? `send ${kind} '${name}'` : `send an ${kind}`;
  const recipient = typeof email === 'string' ? email : userId;
  return typeof recipient === 'string' ? `${what} ${before} ${recipient}` : what;
}

/** A query as the end of a URL, without what is undefined. */
function searchOf(query: unknown): string {
  const given = Object.entries(fieldsOf(query)).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length === 0 ? '' : `?${search.toString()}`;
}
