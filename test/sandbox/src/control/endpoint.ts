import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod/mini';
import { UNDECLARED, withNumbers } from '../service/operation.js';
import { readAs } from '../read-as.js';
import type { Sandbox } from '../sandbox.js';

/** What an endpoint of the control plane works with. */
export interface ControlRequest<Query, Body> {
  readonly sandbox: Sandbox;
  /** The part of the path in braces; empty where the path has none. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

export interface ControlEndpoint {
  readonly method: string;
  /** Path below `/__sandbox`; a parameter is always `{id}`. */
  readonly path: string;
  readonly hasBody: boolean;
  readonly acceptsYaml: boolean;
  handle(request: ControlRequest<Readonly<Record<string, unknown>>, unknown>): Promise<unknown>;
}

/** Result of an endpoint that has responded itself. */
export const RESPONDED = Symbol('responded');

type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** What a request can hold. */
interface Declaration<Query extends z.ZodMiniType, Body extends z.ZodMiniType> {
  readonly query?: Query;
  readonly body?: Body;
  readonly acceptsYaml?: boolean;
}

/**
 * Binds an endpoint to what it does.
 *
 * @param handle gives the body of the response; nothing stands for `{ "success": true }`
 */
export function controlEndpoint<
  Query extends z.ZodMiniType = z.ZodMiniNever,
  Body extends z.ZodMiniType = z.ZodMiniNever,
>(
  route: Route,
  { query, body, acceptsYaml = false }: Declaration<Query, Body>,
  handle: (request: ControlRequest<z.output<Query>, z.output<Body>>) => unknown,
): ControlEndpoint {
  const [method = '', path = ''] = route.split(' ');
  return {
    method,
    path,
    hasBody: body !== undefined,
    acceptsYaml,
    handle: async (request) =>
      (await handle({
        ...request,
        query: readAs(query ?? UNDECLARED, query && withNumbers(query, request.query)),
        body: readAs(body ?? UNDECLARED, request.body),
      })) ?? { success: true },
  };
}
