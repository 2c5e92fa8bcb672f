import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { ControlEndpoint } from '../control/endpoint.js';
import { controlTable } from '../control/table.js';
import { sandboxErrorOf } from '../http/reply.js';
import type { Sandbox } from '../sandbox.js';
import { readAs } from '../read-as.js';

/** What agents are given of the control plane, by operationId: what they need while they write and try a program. */
const TOOLS = [
  ...['listEmails', 'getEmail', 'waitForEmail', 'clearEmails'],
  ...['listRequests', 'getRequest', 'listEvents', 'listContacts', 'getTimeline', 'listSchema'],
  ...['setFault', 'clearFaults', 'setClock', 'reset'],
];

const NOTHING = z.strictObject({});
const ID = z.object({ id: z.string().min(1) });

const endpoints = new Map(
  controlTable.flatMap((endpoint) =>
    TOOLS.includes(endpoint.operationId) ? [[endpoint.operationId, endpoint] as const] : [],
  ),
);

/** Handles one request of an MCP client. Nothing is kept from one to the next. */
export async function handleMcp(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  // The tools have JSON Schemas, which the SDK's newer class does not accept.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const server = new Server(
    { name: 'audience-sandbox', version: '1' },
    {
      capabilities: { tools: {} },
      instructions:
        'A sandbox of the Audience service: every email, event and request that a program sent is here. Send from the program first, then read.',
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...endpoints.values()].map(toolOf) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const endpoint = endpoints.get(params.name);
    if (endpoint === undefined) return failed(`There is no tool '${params.name}'.`);
    try {
      const result = await call(endpoint, params.arguments ?? {}, { sandbox, message: request, response });
      return { content: [{ type: 'text', text: JSON.stringify(result) }] };
    } catch (error) {
      return failed(sandboxErrorOf(error).message);
    }
  });
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, body);
}

async function call(
  endpoint: ControlEndpoint,
  given: Readonly<Record<string, unknown>>,
  context: { sandbox: Sandbox; message: IncomingMessage; response: ServerResponse },
): Promise<unknown> {
  const { id, ...rest } = given;
  const fields = endpoint.idOf === undefined ? given : rest;
  if (endpoint.query === undefined && endpoint.body === undefined) readAs(NOTHING, fields);
  const result = await endpoint.handle({
    ...context,
    id: endpoint.idOf === undefined ? '' : readAs(ID, { id }).id,
    query: endpoint.query === undefined ? {} : fields,
    body: fields,
  });
  await context.sandbox.account.journal.written();
  return result;
}

function toolOf(endpoint: ControlEndpoint): Tool {
  const { operationId, summary, idOf, query, body, method } = endpoint;
  const given = inputSchema.parse(z.toJSONSchema(query ?? body ?? NOTHING, { io: 'input' }));
  return {
    name: operationId,
    description: `${summary}.`,
    inputSchema: {
      type: 'object',
      properties: {
        ...(idOf === undefined ? {} : { id: { type: 'string', description: `Id of ${idOf}.` } }),
        ...given.properties,
      },
      required: [...(idOf === undefined ? [] : ['id']), ...given.required],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: method === 'GET' },
  };
}

const inputSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
});

function failed(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: message }] };
}
