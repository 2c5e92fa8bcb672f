import type { z } from 'zod/v4';

/** HTTP methods the interface uses. */
export type HttpMethod = 'GET' | 'POST' | 'PUT';

/**
 * How an endpoint behaves when the same call arrives twice.
 *
 * - `idempotent`: repeating it changes nothing more (GET, PUT).
 * - `keyed`: it takes an `Idempotency-Key` header, which makes repeating it safe.
 * - `unsafe`: it takes no key; after an unclear failure the caller must look before repeating.
 */
export type Repeatability = 'idempotent' | 'keyed' | 'unsafe';

/**
 * One endpoint of the service, declared once. The client's methods, the sandbox's routes and the OpenAPI
 * document are all read from declarations of this shape.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** Name of the call, unique in the contract; the OpenAPI `operationId`. */
  readonly operationId: string;
  readonly method: HttpMethod;
  /** Path below the base URL, with parameters in braces: `/v1/contacts/{identifier}`. */
  readonly path: string;
  /** One line on what the call does. */
  readonly summary: string;
  /** Heading of the interface document that describes it. */
  readonly section: string;
  /** Resource the endpoint belongs to. */
  readonly tag: string;
  readonly repeatability: Repeatability;
  /** Schema of the path parameters. */
  readonly params?: Params;
  /** Schema of the query parameters. */
  readonly query?: Query;
  /** Schema of the JSON body of the request: strict, what the interface forbids does not pass. */
  readonly body?: Body;
  /** Schema of the JSON body of a 200 answer: lenient, unknown fields are kept. */
  readonly answer: Answer;
}

/** Declares an endpoint and keeps the exact types of its schemas. */
export function defineEndpoint<
  Answer extends z.ZodType,
  Params extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
>(endpoint: Endpoint<Params, Query, Body, Answer>): Endpoint<Params, Query, Body, Answer> {
  return endpoint;
}
