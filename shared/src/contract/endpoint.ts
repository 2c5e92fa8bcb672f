import type * as z from '../zod.js';
import type { HttpMethod } from '../types.js';

/** One endpoint of the service: the client, the sandbox and the OpenAPI document read these declarations. */
export interface Endpoint<
  Response extends z.ZodMiniType = z.ZodMiniType,
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Name of the call, unique in the contract; the OpenAPI `operationId`. */
  readonly operationId: string;
  readonly method: HttpMethod;
  /** Path below the base URL, with parameters in braces: `/v1/contacts/{identifier}`. */
  readonly path: string;
  /** One line on what the call does. */
  readonly summary: string;
  /** Whether a request has an `Idempotency-Key`. */
  readonly isKeyed?: boolean;
  /** Whether a request that may have arrived may be sent again: it then changes nothing more, or has a key. */
  readonly isRepeatable: boolean;
  /** Schema of the path parameters. */
  readonly params?: Params;
  /** Schema of the query parameters. */
  readonly query?: Query;
  /** Schema of the JSON body of the request: strict, what the interface forbids does not pass. */
  readonly body?: Body;
  /** Schema of the JSON body of a 200 response: lenient, unknown fields are kept. */
  readonly response: Response;
}

/** Declares an endpoint and keeps the exact types of its schemas. */
export function defineEndpoint<
  Response extends z.ZodMiniType,
  Params extends z.ZodMiniType = z.ZodMiniType<never>,
  Query extends z.ZodMiniType = z.ZodMiniType<never>,
  Body extends z.ZodMiniType = z.ZodMiniType<never>,
>(endpoint: Endpoint<Response, Params, Query, Body>): Endpoint<Response, Params, Query, Body> {
  return endpoint;
}
