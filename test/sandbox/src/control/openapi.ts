import * as z from 'zod/mini';
import type { ControlEndpoint } from './endpoint.js';

/** OpenAPI 3.1 document of the control plane, made of the declarations of its endpoints. */
export function controlOpenApiDocument(
  endpoints: readonly ControlEndpoint[],
  prefix: string,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    (paths[prefix + endpoint.path] ??= {})[endpoint.method.toLowerCase()] = describeOperation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Audience sandbox: control plane',
      version: '1',
      description:
        'Seed, reset, inbox, request log, clock, faults and profile of a sandbox. It needs no API key.',
      contact: { name: 'The Audience developers', email: 'developers@audience.example' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://localhost:4010', description: 'The sandbox on your own machine' }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        Error: {
          type: 'object',
          required: ['success', 'message'],
          properties: { success: { const: false }, message: { type: 'string' } },
        },
      },
    },
  };
}

function describeOperation(endpoint: ControlEndpoint): Record<string, unknown> {
  const parameters = [
    ...(endpoint.idOf === undefined
      ? []
      : [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: `Id of ${endpoint.idOf}.`,
            schema: { type: 'string', minLength: 1 },
          },
        ]),
    ...queryParameters(endpoint.query),
  ];
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: `${endpoint.summary}.`,
    tags: [endpoint.tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined ? {} : { requestBody: requestBody(endpoint.body, endpoint.acceptsYaml) }),
    responses: {
      200: { description: 'Done.', content: responseContent(endpoint.response) },
      400: failure('The request breaks a rule; the message names the field.'),
      403: failure('The request comes from a page of another origin.'),
      ...(endpoint.body === undefined
        ? {}
        : { 413: failure('The body is larger than 1 MiB.'), 415: failure('The body is no JSON.') }),
      ...(endpoint.idOf === undefined && endpoint.operationId !== 'waitForEmail'
        ? {}
        : { 404: failure('There is none.') }),
    },
  };
}

function queryParameters(query: z.ZodMiniType | undefined): Record<string, unknown>[] {
  if (!(query instanceof z.ZodMiniObject)) return [];
  return Object.entries<unknown>(query.shape).flatMap(([name, field]) =>
    field instanceof z.ZodMiniType
      ? [
          {
            name,
            in: 'query',
            required: false,
            description: z.globalRegistry.get(field)?.description ?? name,
            schema: jsonSchema(z.clone(field), 'input'),
          },
        ]
      : [],
  );
}

function requestBody(body: z.ZodMiniType, acceptsYaml = false): Record<string, unknown> {
  const schema = jsonSchema(body, 'input');
  return {
    required: true,
    content: { 'application/json': { schema }, ...(acceptsYaml ? { 'application/yaml': { schema } } : {}) },
  };
}

function responseContent(response: ControlEndpoint['response']): Record<string, unknown> {
  return response instanceof z.ZodMiniType
    ? { 'application/json': { schema: jsonSchema(response, 'output') } }
    : { [response.mediaType]: { schema: { type: 'string', description: response.description } } };
}

function failure(description: string): Record<string, unknown> {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return z.json().parse(rest);
}
