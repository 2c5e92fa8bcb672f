// Writes openapi.json, the OpenAPI document of the contract; the build runs it.
import { writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { idempotencyKeySchema } from '../src/contract/common.js';
import type { Endpoint } from '../src/contract/endpoint.js';
import { contract } from '../src/contract/endpoints.js';

/** A JSON value, as an OpenAPI document is made of. */
type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object. */
interface JsonObject {
  [key: string]: JsonValue;
}

/**
 * The OpenAPI 3.1 document of the service, generated from the contract. It has what the interface states: errors
 * are not described there.
 */
function openApiDocument(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of Object.values(contract)) {
    const methods = (paths[endpoint.path] ??= {});
    methods[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Audience',
      version: '1',
      description:
        'Email messaging and contact service: transactional emails, contacts, contact properties, subscription groups and events.',
      contact: { name: 'The Audience developers', email: 'developers@audience.example' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://localhost:4010', description: 'The sandbox on your own machine' }],
    security: [{ apiKey: [] }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    },
  };
}

/** Groups of endpoints by the beginning of their path; the first that fits is an endpoint's. */
const TAGS = [
  {
    path: '/v1/transactional',
    name: 'transactional',
    description: 'Designs of transactional emails, and sending them',
  },
  { path: '/v1/contacts/properties', name: 'properties', description: 'Properties that contacts can have' },
  { path: '/v1/contacts', name: 'contacts', description: 'The members of the audience' },
  {
    path: '/v1/subscription-groups',
    name: 'subscriptionGroups',
    description: 'Groups that contacts can be subscribed to',
  },
  { path: '/v1/events', name: 'events', description: 'Events that trigger automations' },
];

function operation(endpoint: Endpoint): JsonValue {
  const parameters: JsonValue[] = [
    ...parametersOf(endpoint.params, 'path'),
    ...parametersOf(endpoint.query, 'query'),
  ];
  if (endpoint.isKeyed === true) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'At most 100 characters. We recommend a random UUID.',
      schema: jsonSchema(idempotencyKeySchema, 'input'),
    });
  }
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: `Interface: ${endpoint.method} ${endpoint.path}.`,
    tags: TAGS.filter(({ path }) => endpoint.path.startsWith(path))
      .slice(0, 1)
      .map(({ name }) => name),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(endpoint.body, 'input') } },
          },
        }),
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: jsonSchema(endpoint.response, 'output') } },
      },
      default: { description: 'Not described by the interface.' },
    },
  };
}

function parametersOf(schema: z.ZodMiniType | undefined, location: 'path' | 'query'): JsonValue[] {
  if (schema === undefined) return [];
  const { properties } = parametersSchema.parse(jsonSchema(schema, 'input'));
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: location,
    required: location === 'path',
    schema: field,
  }));
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): JsonValue {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, override: withoutSafeBounds });
  return jsonValueSchema.parse(JSON.parse(JSON.stringify(rest)));
}

/** That an integer is one that JavaScript can hold is no limit of the service. */
function withoutSafeBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const jsonValueSchema: z.ZodMiniType<JsonValue> = z.json();

const parametersSchema = z.object({ properties: z.record(z.string(), jsonValueSchema) });

writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(), null, 2)}\n`);
