import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { UNDECLARED, withNumbers } from '../service/operation.js';
import { readAs } from '../service/problem.js';
import type { Sandbox } from '../sandbox.js';

/** What a handler of the control plane answers with when it is not JSON. */
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

/** Declaration of an endpoint: what the OpenAPI document of the control plane is made of. */
export interface ControlDeclaration<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
> {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/__sandbox`; a parameter is always `{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** What `{id}` names. */
  readonly idOf?: string;
  readonly query?: Query;
  readonly body?: Body;
  /** Whether the body may be YAML as well as JSON. */
  readonly takesYaml?: boolean;
  readonly response: Response | NonJsonResponse;
}

/** An endpoint of the control plane. A handler that answers by itself gives `undefined`. */
export interface ControlEndpoint extends ControlDeclaration<z.ZodType, z.ZodType, z.ZodType> {
  handle(request: ControlRequest<Readonly<Record<string, unknown>>, unknown>): Promise<unknown>;
}

/** Binds the declaration of an endpoint to what it does. */
export function controlEndpoint<
  Response extends z.ZodType,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
>(
  declaration: ControlDeclaration<Query, Body, Response>,
  handle: (
    request: ControlRequest<z.output<Query>, z.output<Body>>,
  ) => z.input<Response> | undefined | Promise<z.input<Response> | undefined>,
): ControlEndpoint {
  return {
    ...declaration,
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
export function actionEndpoint<Body extends z.ZodType = z.ZodNever>(
  declaration: Omit<ControlDeclaration<z.ZodNever, Body, typeof doneSchema>, 'response'>,
  act: (request: ControlRequest<never, z.output<Body>>) => void,
): ControlEndpoint {
  return controlEndpoint<typeof doneSchema, z.ZodNever, Body>(
    { ...declaration, response: doneSchema },
    (request) => {
      act(request);
      return { success: true };
    },
  );
}
