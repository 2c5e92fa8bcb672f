import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { z } from 'zod/v4-mini';
import { readWorkflowFile } from '../../hosts/n8n-engine/workflow-file.js';
import { TEMPLATE_SEED } from '../../hosts/n8n/seed.js';
import { listen } from '../../hosts/ports.js';
import { until } from '../../hosts/until.js';
import {
  audience,
  batches,
  code,
  CREDENTIAL,
  ended,
  expectEachOnce,
  LOOP,
  mail,
  nodesOf,
  Published,
  publishWorkflow,
  rowsOf,
  saveCredential,
  to,
  wholeForFile,
} from './whole.js';

const WORKFLOWS = resolve(__dirname, '../../../n8n-nodes/workflows');

const whole = wholeForFile({ seed: TEMPLATE_SEED, profile: { duplicates: 'replay' } });
const recipients = async () => (await whole.sandbox.emails()).map(({ to: recipient }) => recipient);

test('an error workflow mails the text of the error', async () => {
  const errorWorkflow = await publishWorkflow(whole.api, {
    name: 'alerts',
    nodes: nodesOf({
      Trigger: { type: 'n8n-nodes-base.errorTrigger', typeVersion: 1, parameters: {} },
      Alert: mail('ops@example.com', {}, '=Failed: {{ $json.execution.error.message }}'),
    }),
    connections: { Trigger: { main: [to('Alert')] } },
  });
  const nodes = { Code: code('return $json.body.order.lines.map((json) => ({ json }));') };
  await (await Published.publish(whole, 'fails', nodes, undefined, { errorWorkflow })).run(1);
  expect((await ended(whole.api, 'alerts', 1)).status).toBe('success');
  expect((await whole.sandbox.emails())[0]?.variables['firstName']).toMatch(
    /^Failed: Cannot read properties of undefined/,
  );
});

test('a loop of ten batches with a bad row: corrected in the node, a Retry sends what is missing', async () => {
  const loop = await Published.publish(
    whole,
    'loop',
    {
      Rows: rowsOf(40),
      Loop: batches(4),
      Send: mail("={{ $json.row === 25 ? 'person-25(at)example.com' : $json.email }}"),
    },
    LOOP,
  );
  const failed = await loop.run(1);
  expect(failed.status).toBe('error');
  expect(failed.data).toContain('0 of 4 items were carried out in this run of the node');
  expect(await recipients()).toHaveLength(24);

  await loop.correct('Send', mail('={{ $json.email }}').parameters);
  expect((await loop.retry(failed, 2, true)).status).toBe('success');
  await expectEachOnce(whole.sandbox, 40);
});

describe('an agent', () => {
  const chatSchema = z.looseObject({
    messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  });
  let model: Server;
  let modelUrl: string;
  /** What the tool has told the model. */
  let told: string[] = [];

  /** Stands in for the interface of a model: it calls the tool without the address, then with what it is told to fill in. */
  beforeAll(async () => {
    model = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const { messages } = chatSchema.parse(JSON.parse(body));
        told = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
        const args = JSON.stringify({ to: told.length === 0 ? '' : 'ada@example.com' });
        const call = {
          id: `call-${told.length}`,
          type: 'function',
          function: { name: 'Send_mail', arguments: args },
        };
        const message =
          told.length < 2
            ? { role: 'assistant', content: null, tool_calls: [call] }
            : { role: 'assistant', content: 'The mail is sent.' };
        const finish = told.length < 2 ? 'tool_calls' : 'stop';
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            ...{ id: 'chat', object: 'chat.completion', created: 1, model: 'stand-in' },
            choices: [{ index: 0, message, finish_reason: finish }],
            usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
          }),
        );
      });
    });
    modelUrl = `http://127.0.0.1:${await listen(model)}/v1`;
  });
  afterAll(() => model.close());

  test('that forgets an address is told the argument, and sends one mail', async () => {
    const name = 'Model';
    const id = await saveCredential(whole.api, name, 'openAiApi', { apiKey: 'key', url: modelUrl });
    const send = mail("={{ $fromAI('to', 'address of the customer', 'string') }}", {}, 'friend');
    const agent = await Published.publish(
      whole,
      'agent',
      {
        Agent: {
          ...{ type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 3 },
          parameters: { promptType: 'define', text: 'Send a welcome to Ada.', options: {} },
        },
        Model: {
          ...{ type: '@n8n/n8n-nodes-langchain.lmChatOpenAi', typeVersion: 1.2 },
          parameters: { model: { __rl: true, mode: 'id', value: 'stand-in' }, options: {} },
          credentials: { openAiApi: { id, name } },
        },
        'Send mail': audience(send.parameters, 'audienceTool'),
      },
      {
        Hook: { main: [to('Agent')] },
        Model: { ai_languageModel: [to('Agent', 'ai_languageModel')] },
        'Send mail': { ai_tool: [to('Agent', 'ai_tool')] },
      },
    );
    const { status, data } = await agent.run(1);
    expect([status, status === 'success' ? '' : data]).toEqual(['success', '']);
    expect(told[0]).toContain("The argument 'to'");
    expect(told[0]).not.toContain('$fromAI');
    expect(await recipients()).toEqual(['ada@example.com']);
  });
});

const COUNT = 20;
const sendTo = (prefix: string) => mail(`={{ '${prefix}-' + $json.email }}`, { concurrency: 1 });

test('n8n is killed in three runs: Retry sends what is missing, and nothing twice', async () => {
  const { sandbox } = whole;
  const rows = rowsOf(COUNT);
  const runs: (readonly [name: string, nodes: Record<string, object>, wires?: object])[] = [
    ['killed-at-once', { Rows: rows, Send: sendTo('once') }],
    ['killed-in-batches', { Rows: rows, Loop: batches(4), Send: sendTo('batch') }, LOOP],
    [
      'killed-behind-another',
      { Rows: rows, First: sendTo('first'), 'Rows again': rows, Send: sendTo('second') },
    ],
  ];
  for (const who of ['once-person-5', 'batch-person-10', 'second-person-5'])
    sandbox.faults.next({ route: 'sendTransactionalEmail', address: `${who}@example.com`, hang: true });
  const mailings = await Promise.all(runs.map((run) => Published.publish(whole, ...run)));
  for (const mailing of mailings) await mailing.call();
  await until('each run hangs', () => sandbox.faults.list().every(({ hits }) => hits === 1) || undefined);
  await whole.kill();
  sandbox.faults.clear();
  expect(await recipients()).toHaveLength(5 + 10 + COUNT + 5);
  await whole.start();
  for (const mailing of mailings) {
    const crashed = await mailing.ended(1);
    expect(crashed.status).toBe('crashed');
    expect((await mailing.retry(crashed, 2)).status).toBe('success');
  }
  await expectEachOnce(sandbox, 4 * COUNT);
});

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
  expect((await whole.sandbox.emails()).map((one) => one.to)).toEqual(['ada@example.com', 'ada@example.com']);
});

/** A template, with the credential of this n8n. */
function template(file: string) {
  const workflow = readWorkflowFile(join(WORKFLOWS, file));
  for (const node of workflow.nodes)
    if (node.credentials !== undefined) node.credentials = { audienceApi: CREDENTIAL };
  return workflow;
}

const ORDER = {
  ...{ orderNumber: 8, orderedAt: '2027-01-31', total: 49.9 },
  ...{ items: [{ name: 'Difference Engine' }], customer: { email: 'ada@example.com' } },
};

describe('templates that answer webhooks', () => {
  beforeAll(async () => {
    for (const file of ['order-event-from-webhook.json', 'unsubscribe-from-crm.json']) {
      await publishWorkflow(whole.api, { ...template(file), name: file });
    }
  });

  /** n8n puts a webhook up some time after its workflow was published. */
  async function post(path: string, body: unknown): Promise<{ status: number; text: string }> {
    for (let tries = 0; ; tries += 1) {
      const response = await fetch(`${whole.n8n.url}/webhook/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!text.includes('is not registered') || tries > 100) return { status: response.status, text };
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  const UNSUBSCRIBED = { unsubscribed: true };
  const NOT_UNSUBSCRIBED = { unsubscribed: false };
  const NOT_RECEIVED = { received: false };

  test.each([
    ['crm-opt-out', { email: 'ada@example.com', optedOut: true }, 200, UNSUBSCRIBED],
    ['crm-opt-out', { email: 'ada@example.com', optedOut: 'true' }, 200, UNSUBSCRIBED],
    ['crm-opt-out', { email: 'ada@example.com', optedOut: false }, 200, NOT_UNSUBSCRIBED],
    ['crm-opt-out', { email: 'nobody@example.com', optedOut: true }, 200, NOT_UNSUBSCRIBED],
    ['crm-opt-out', { optedOut: true }, 400, NOT_UNSUBSCRIBED],
    ['crm-opt-out', { email: 'no address', optedOut: true }, 400, NOT_UNSUBSCRIBED],
    ['crm-opt-out', { email: 'ada@example.com', optedOut: 'no' }, 200, NOT_UNSUBSCRIBED],
    ['crm-opt-out', { email: 'ada@example.com', optedOut: 'banana' }, 400, NOT_UNSUBSCRIBED],
    ['crm-opt-out', [{ email: 'ada@example.com', optedOut: true }], 400, NOT_UNSUBSCRIBED],
    ['crm-opt-out', {}, 400, NOT_UNSUBSCRIBED],
    ['order-placed', { ...ORDER, orderNumber: 7 }, 200, { received: true }],
    ['order-placed', { ...ORDER, items: [] }, 400, NOT_RECEIVED],
    ['order-placed', { ...ORDER, orderNumber: '' }, 400, NOT_RECEIVED],
    ['order-placed', { ...ORDER, customer: {} }, 400, NOT_RECEIVED],
    ['order-placed', { ...ORDER, orderNumber: 9, total: 'x' }, 400, NOT_RECEIVED],
    ['order-placed', {}, 400, NOT_RECEIVED],
  ])('%s with %j answers %i', async (path, body, status, says) => {
    const answer = await post(path, body);
    expect(answer).toMatchObject({ status });
    expect(JSON.parse(answer.text)).toMatchObject(says);
  });

  test.each([
    ['crm-opt-out', { email: 'ada@example.com', optedOut: true }],
    ['order-placed', { ...ORDER, orderNumber: 10 }],
  ])('%s asks to be posted again while the service is down', async (path, body) => {
    whole.sandbox.faults.next({ every: 1, respond: { status: 403 } });
    expect(await post(path, body)).toMatchObject({ status: 503 });
  });
});

/** What each template calls. */
const DUE: Record<string, [string, number][]> = {
  'alert-digest.json': [['sendTransactionalEmail', 200]],
  'nightly-spreadsheet-sync.json': [
    ['updateContact', 200],
    ['updateContact', 404],
  ],
  'order-follow-up.json': [
    ...Array.from({ length: 3 }, (): [string, number] => ['sendEvent', 200]),
    ...Array.from({ length: 3 }, (): [string, number] => ['updateContact', 200]),
    ...Array.from({ length: 3 }, (): [string, number] => ['sendTransactionalEmail', 200]),
  ],
  'welcome-email-after-form.json': [['sendTransactionalEmail', 200]],
};

describe('other templates, with a webhook in place of their trigger', () => {
  let source: Server;
  let sourceUrl: string;
  /** Serves the spreadsheet and the alerts that they read. */
  beforeAll(async () => {
    source = createServer(({ url }, response) => {
      const isSheet = url === '/sheet.csv';
      response.setHeader('content-type', isSheet ? 'text/csv' : 'application/json');
      response.end(isSheet ? SHEET : JSON.stringify([{ severity: 'high', title: 'Disk full' }]));
    });
    sourceUrl = `http://127.0.0.1:${await listen(source)}`;
  });
  afterAll(() => source.close());

  test.each(Object.entries(DUE))('%s', async (file, due) => {
    const { nodes, connections, pinData = {} } = template(file);
    const [pinned = [{ json: {} }]] = Object.values(pinData);
    const given = file === 'welcome-email-after-form.json' ? [{ json: FORM }] : pinned;
    const trigger = nodes.find(({ type }) => /trigger$/i.test(type));
    if (trigger === undefined) throw new Error(`${file} has no trigger.`);
    Object.assign(trigger, code(`return ${JSON.stringify(given)};`));
    for (const node of nodes) {
      if (node.name === 'Get Spreadsheet') node.parameters['url'] = `${sourceUrl}/sheet.csv`;
      if (node.name === 'Get Alerts') node.parameters['url'] = `${sourceUrl}/alerts`;
    }
    const byName = Object.fromEntries(nodes.map((node) => [node.name, node]));
    const wires = { ...connections, Hook: { main: [to(trigger.name)] } };
    const { status, data } = await (
      await Published.publish(whole, file.split('.')[0] ?? '', byName, wires)
    ).run(1);
    if (file === 'nightly-spreadsheet-sync.json') {
      expect(data).toMatch(/Rows to look at: 1\. Row 3: .*not found/);
    } else expect(status).toBe('success');

    const writes = whole.sandbox.requests().filter(({ method }) => method !== 'GET');
    expect(writes.map(({ route, status: answer }) => [route, answer])).toEqual(due);
  });
});

const FORM = { 'First name': 'Katherine', Email: 'katherine@example.com', Newsletter: 'Yes' };
const SHEET = `email,firstName,company,teamSize,trial
ada@example.com,Ada,Engines,12,false
nobody@example.com,Nobody,None,1,true
`;
