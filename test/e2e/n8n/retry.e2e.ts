import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from 'audience-sandbox';
import type { RunningSandbox } from 'audience-sandbox';
import { z } from 'zod/v4';
import { N8nInstance } from '../../hosts/n8n/instance.js';
import type { N8nApi, N8nProcess } from '../../hosts/n8n/instance.js';
import { until } from '../../hosts/until.js';
import { importCredential, Mailing, publishWorkflow, sending } from './mailing.js';

const COUNT = 20;
const OPTIONS = { concurrency: 1 };

let folder: string;
let sandbox: RunningSandbox;
let n8n: N8nInstance;
let server: N8nProcess;
let api: N8nApi;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'whole-n8n-'));
  // The kind of service that replays: a key that is not the same sends twice without a word.
  sandbox = await startSandbox({ profile: { duplicates: 'replay' } });
  n8n = await N8nInstance.create({ folder });
  server = await n8n.start();
  api = await n8n.login();
  await importCredential(n8n, sandbox);
}, 900_000);
beforeEach(() => {
  sandbox.reset();
});
afterAll(async () => {
  await server.stop();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

test('Retry in the list of executions, twice: each mail arrives once', async () => {
  const mailing = await Mailing.publish(n8n, api, 'retried-by-hand', COUNT, { options: OPTIONS });
  sandbox.faults.next({ route: 'sendTransactionalEmail', every: 5, respond: { status: 422 }, times: 2 });
  await mailing.call();
  const failed = await mailing.ended(1);
  expect(failed.status).toBe('error');
  await api.call('POST', `/executions/${failed.id}/retry`, z.unknown(), { loadWorkflow: false });
  const second = await mailing.ended(2);
  sandbox.faults.clear();
  if (second.status === 'error') {
    await api.call('POST', `/executions/${second.id}/retry`, z.unknown(), { loadWorkflow: true });
    expect((await mailing.ended(3)).status).toBe('success');
  }
  mailing.expectEachOnce(sandbox);

  await mailing.call();
  await mailing.ended(second.status === 'error' ? 4 : 3);
  expect(sandbox.emails()).toHaveLength(2 * COUNT);
});

test('Retry On Fail: each mail arrives once', async () => {
  const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
  const mailing = await Mailing.publish(n8n, api, 'retried-by-n8n', COUNT, { node, options: OPTIONS });
  sandbox.faults.next({ route: 'sendTransactionalEmail', every: 5, respond: { status: 422 }, times: 2 });
  await mailing.call();
  expect((await mailing.ended(1)).status).toBe('success');
  mailing.expectEachOnce(sandbox);
});

test.each([
  ['at once', 5, COUNT],
  ['in batches', 10, COUNT],
  ['behind another', COUNT + 5, 2 * COUNT],
] as const)(
  'n8n is killed in a run that sends %s: Retry sends what is missing, and nothing twice',
  async (way, killedAfter, all) => {
    const mailing = await Mailing.publish(
      n8n,
      api,
      `killed-${way.replace(' ', '-')}`,
      COUNT,
      { options: OPTIONS },
      way,
    );
    sandbox.limitRate({ requestsPerSecond: 5 });
    await mailing.call();
    await until('some mails are sent', () => (sandbox.emails().length >= killedAfter ? true : undefined));
    await server.kill();
    sandbox.limitRate(undefined);
    expect(sandbox.emails().length).toBeLessThan(all);
    server = await n8n.start();
    const crashed = await mailing.ended(1);
    expect(crashed.status).toBe('crashed');
    await api.call('POST', `/executions/${crashed.id}/retry`, z.unknown(), { loadWorkflow: false });
    expect((await mailing.ended(2)).status).toBe('success');
    const recipients = sandbox.emails().map(({ to }) => to);
    expect(recipients).toHaveLength(all);
    expect(new Set(recipients).size).toBe(all);
  },
);

test('each call of an MCP client is a run of its own: the same words twice are two mails', async () => {
  const at = { position: [0, 0] };
  await publishWorkflow(api, {
    name: 'mcp',
    nodes: [
      {
        ...at,
        ...{
          id: '1',
          name: 'MCP',
          type: '@n8n/n8n-nodes-langchain.mcpTrigger',
          typeVersion: 2,
          webhookId: 'mails',
        },
        parameters: { path: 'mails', authentication: 'none' },
      },
      {
        ...at,
        ...{ id: '2', name: 'Send mail', type: 'n8n-nodes-audience.audienceTool', typeVersion: 1 },
        ...sending("={{ $fromAI('to', 'address', 'string') }}"),
      },
    ],
    connections: { 'Send mail': { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] } },
  });

  let session: string | null = null;
  const call = async (method: string, params: object, isNotice = false): Promise<string> => {
    const response = await fetch(`${n8n.url}/mcp/mails`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === null ? {} : { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...(isNotice ? {} : { id: 1 }), method, params }),
    });
    session ??= response.headers.get('mcp-session-id');
    return response.ok ? await response.text() : '';
  };
  const client = {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  await until('the MCP server is there', async () =>
    (await call('initialize', client)) === '' ? undefined : true,
  );
  await call('notifications/initialized', {}, true);
  for (const _time of ['first', 'second']) {
    const answer = await call('tools/call', { name: 'Send_mail', arguments: { to: 'ada@example.com' } });
    expect(answer).toContain('success');
  }
  expect(sandbox.emails().map(({ to }) => to)).toEqual(['ada@example.com', 'ada@example.com']);
});
