import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { UNDECLARED, withNumbers } from '../service/operation.js';
import { readAs } from '../read-as.js';
import type { Sandbox } from '../sandbox.js';

/** A response of the control plane that is not JSON. */
export interface NonJsonResponse {
  readonly mediaType: string;
  readonly description: string;
}

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

/** Request and response of an endpoint; the OpenAPI document of the control plane is made of it. */
interface Declaration<
  Query extends z.ZodMiniType,
  Body extends z.ZodMiniType,
  Response extends z.ZodMiniType,
> {
  /** What `{id}` names. */
  readonly idOf?: string;
  readonly query?: Query;
  readonly body?: Body;
  readonly acceptsYaml?: boolean;
  readonly response: Response | NonJsonResponse;
}

/** An endpoint of the control plane that has no name yet. */
interface UnnamedEndpoint extends Declaration<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType> {
  readonly method: string;
  /** Path below `/__sandbox`; a parameter is always `{id}`. */
  readonly path: string;
  readonly summary: string;
  /** Gives `undefined` when it has responded by itself. */
  handle(request: ControlRequest<Readonly<Record<string, unknown>>, unknown>): Promise<unknown>;
}

export interface ControlEndpoint extends UnnamedEndpoint {
  readonly operationId: string;
  readonly tag: string;
}

/** Endpoints of one tag, each by its `operationId`. */
export function endpoints(
  tag: string,
  all: Readonly<Record<string, UnnamedEndpoint>>,
): readonly ControlEndpoint[] {
  return Object.entries(all).map(([operationId, endpoint]) => ({ ...endpoint, operationId, tag }));
}

type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** Binds the declaration of an endpoint to what it does. */
export function controlEndpoint<
  Response extends z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniNever,
  Body extends z.ZodMiniType = z.ZodMiniNever,
>(
  route: Route,
  summary: string,
  declaration: Declaration<Query, Body, Response>,
  handle: (
    request: ControlRequest<z.output<Query>, z.output<Body>>,
  ) => z.input<Response> | undefined | Promise<z.input<Response> | undefined>,
): UnnamedEndpoint {
  const [method = '', path = ''] = route.split(' ');
  return {
    ...declaration,
    method,
    path,
    summary,
    handle: async (request) =>
      handle({
        ...request,
        query: readAs(
          declaration.query ?? UNDECLARED,
          declaration.query && withNumbers(declaration.query, request.query),
        ),
        body: readAs(declaration.body ?? UNDECLARED, request.body),
      }),
  };
}

const doneSchema = z.object({ success: z.literal(true) });

/** An endpoint whose response only tells that it was done. */
export function actionEndpoint<Body extends z.ZodMiniType = z.ZodMiniNever>(
  route: Route,
  summary: string,
  declaration: Omit<Declaration<z.ZodMiniNever, Body, typeof doneSchema>, 'response'>,
  act: (request: ControlRequest<never, z.output<Body>>) => void,
): UnnamedEndpoint {
  return controlEndpoint<typeof doneSchema, z.ZodMiniNever, Body>(
    route,
    summary,
    { ...declaration, response: doneSchema },
    (request) => {
      act(request);
      return { success: true };
    },
  );
}
