import { networkInterfaces } from 'node:os';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AudienceClient } from 'audience-core';
import { startSandbox } from 'audience-sandbox';
import type { RunningSandbox } from 'audience-sandbox';
import * as z from 'zod/v4';

let sandbox: RunningSandbox;
let audience: AudienceClient;
let client: Client;
beforeAll(async () => {
  sandbox = await startSandbox({ host: '0.0.0.0' });
  const url = `http://127.0.0.1:${sandbox.port}`;
  audience = new AudienceClient({ baseUrl: url, apiKey: sandbox.apiKey, maxRetries: 0 });
  client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/__sandbox/mcp`)));
});
beforeEach(() => {
  sandbox.reset();
});
afterAll(async () => {
  await client.close();
  audience.close();
  await sandbox.close();
});

const resultSchema = z.object({
  isError: z.boolean().default(false),
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
});

async function use(name: string, given: Record<string, unknown> = {}): Promise<unknown> {
  const { isError, content } = resultSchema.parse(await client.callTool({ name, arguments: given }));
  return isError ? { refused: content[0].text } : JSON.parse(content[0].text);
}

const containing = (text: string): unknown => expect.stringContaining(text);

const send = (email: string) =>
  audience.transactional.send({
    ...{ email, transactionalId: 'design-welcome' },
    dataVariables: { firstName: 'Ada' },
  });

test('its tools are the endpoints of the control plane, with their parameters', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(
    [
      ...['clearEmails', 'clearFaults', 'getEmail', 'getRequest', 'listContacts', 'listEmails', 'listEvents'],
      ...['listRequests', 'listSchema', 'getTimeline', 'reset', 'setClock', 'setFault', 'waitForEmail'],
    ].sort(),
  );
  const wait = tools.find(({ name }) => name === 'waitForEmail');
  expect(wait).toMatchObject({
    description: 'Wait for a mail; one that is there already counts.',
    inputSchema: { properties: { to: { type: 'string' }, timeoutMs: { type: 'integer', maximum: 60_000 } } },
    annotations: { readOnlyHint: true },
  });
  expect(tools.find(({ name }) => name === 'getEmail')?.inputSchema.required).toEqual(['id']);
  for (const { description } of tools) expect(description).toMatch(/^[A-Z].{15,}\.$/);
});

test('an agent waits for a mail, reads it, and the request behind it', async () => {
  const waiting = use('waitForEmail', { to: 'ada@example.com' });
  await send('ada@example.com');
  expect(await waiting).toMatchObject({ id: 'email-1', subject: 'Welcome, Ada' });
  expect(await use('getEmail', { id: 'email-1' })).toMatchObject({
    html: containing('Welcome, Ada'),
  });
  expect(await use('listEmails', { search: 'to:ada', limit: 1 })).toMatchObject({ total: 1 });
  expect(await use('listRequests', { status: 200 })).toMatchObject({
    items: [{ route: 'sendTransactionalEmail', requestBody: { email: 'ada@example.com' } }],
  });
});

test('an agent sets a fault, moves the clock, and resets', async () => {
  await use('setFault', { route: 'sendTransactionalEmail', respond: { status: 503 } });
  await expect(send('ada@example.com')).rejects.toMatchObject({ status: 503 });
  expect(await use('setClock', { time: '2030-01-01T00:00:00.000Z', stopped: true })).toEqual({
    ...{ time: '2030-01-01T00:00:00.000Z', stopped: true },
  });
  await send('ada@example.com');
  expect(sandbox.emails()).toMatchObject([{ time: '2030-01-01T00:00:00.000Z' }]);
  await use('reset');
  expect(sandbox.emails()).toEqual([]);
});

test('a wrong call gets an error of one sentence', async () => {
  expect(await use('getEmail', { id: 'email-9' })).toEqual({
    refused: "There is no email 'email-9'. It may have been deleted.",
  });
  expect(await use('setFault', { respond: { status: 100 } })).toEqual({ refused: containing('status') });
  expect(await use('reset', { all: true })).toEqual({ refused: containing('all') });
  expect(await use('getEmail')).toEqual({
    refused: "'id' is missing.",
  });
  expect(await use('loadSeed', {})).toEqual({ refused: "There is no tool 'loadSeed'." });
});

test('pages of other origins and other machines are refused', async () => {
  const open = (url: string, headers: Record<string, string>) =>
    fetch(`${url}/__sandbox/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
  const local = `http://127.0.0.1:${sandbox.port}`;
  expect((await open(local, {})).status).toBe(200);
  expect((await open(local, { origin: 'http://evil.example' })).status).toBe(403);
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  if (outside !== undefined) {
    expect((await open(`http://${outside.address}:${sandbox.port}`, {})).status).toBe(403);
  }
});
