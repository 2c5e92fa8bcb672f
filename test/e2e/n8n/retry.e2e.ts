import { until } from '../../hosts/until.js';
import {
  audience,
  batches,
  expectEachOnce,
  LOOP,
  mail,
  nodesOf,
  Published,
  publishWorkflow,
  rowsOf,
  to,
  wholeForFile,
} from './whole.js';

const COUNT = 20;

// The kind of service that replays: a key that is not the same sends twice without a word.
const whole = wholeForFile({ profile: { duplicates: 'replay' } });
const SEND = mail('={{ $json.email }}', { concurrency: 1 });

test('Retry in the list of executions, twice: each mail arrives once', async () => {
  const mailing = await Published.publish(whole, 'retried-by-hand', { Rows: rowsOf(COUNT), Send: SEND });
  const { faults } = whole.sandbox;
  faults.next({ route: 'sendTransactionalEmail', every: 5, respond: { status: 422 }, times: 2 });
  const failed = await mailing.run(1);
  expect(failed.status).toBe('error');
  let last = await mailing.retry(failed, 2);
  faults.clear();
  let count = 2;
  if (last.status === 'error') {
    count = 3;
    last = await mailing.retry(last, count, true);
  }
  expect(last.status).toBe('success');
  expectEachOnce(whole.sandbox, COUNT);

  await mailing.run(count + 1);
  expect(whole.sandbox.emails()).toHaveLength(2 * COUNT);
});

test.each([
  ['at-once', 5, COUNT, { Rows: rowsOf(COUNT), Send: SEND }, undefined],
  ['in-batches', 10, COUNT, { Rows: rowsOf(COUNT), Loop: batches(4), Send: SEND }, LOOP],
  [
    'behind-another',
    COUNT + 5,
    2 * COUNT,
    {
      Rows: rowsOf(COUNT),
      First: mail("={{ 'first-' + $json.email }}", { concurrency: 1 }),
      'Rows again': rowsOf(COUNT),
      Send: SEND,
    },
    undefined,
  ],
] as const)(
  'n8n is killed in a run that sends %s: Retry sends what is missing, and nothing twice',
  async (way, killedAfter, all, nodes, wires) => {
    const { sandbox } = whole;
    const mailing = await Published.publish(whole, `killed-${way}`, nodes, wires);
    sandbox.limitRate({ requestsPerSecond: 5 });
    await mailing.call();
    await until('some mails are sent', () => (sandbox.emails().length >= killedAfter ? true : undefined));
    await whole.kill();
    sandbox.limitRate(undefined);
    expect(sandbox.emails().length).toBeLessThan(all);
    await whole.start();
    const crashed = await mailing.ended(1);
    expect(crashed.status).toBe('crashed');
    expect((await mailing.retry(crashed, 2)).status).toBe('success');
    expectEachOnce(sandbox, all);
  },
);

test('each call of an MCP client is a run of its own: the same words twice are two mails', async () => {
  await publishWorkflow(whole.api, {
    name: 'mcp',
    nodes: nodesOf({
      MCP: {
        ...{ type: '@n8n/n8n-nodes-langchain.mcpTrigger', typeVersion: 2, webhookId: 'mails' },
        parameters: { path: 'mails', authentication: 'none' },
      },
      'Send mail': audience(
        mail("={{ $fromAI('to', 'address', 'string') }}", {}, 'friend').parameters,
        'audienceTool',
      ),
    }),
    connections: { 'Send mail': { ai_tool: [to('MCP', 'ai_tool')] } },
  });

  let session: string | null = null;
  const call = async (method: string, params: object, isNotice = false): Promise<string> => {
    const response = await fetch(`${whole.n8n.url}/mcp/mails`, {
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
  expect(whole.sandbox.emails().map((one) => one.to)).toEqual(['ada@example.com', 'ada@example.com']);
});
