import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';
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
  type Ended,
} from './whole.js';
import { startLanguageModel, type Saying } from './language-model.js';

const WORKFLOWS = resolve(__dirname, '../../../n8n-nodes/workflows');
const COUNT = 12;
const ROUTE = 'sendTransactionalEmail';

const whole = wholeForFile({ seed: TEMPLATE_SEED, profile: { duplicates: 'replay' } });
const recipients = async () => (await whole.sandbox.emails()).map(({ to: recipient }) => recipient);
const sendTo = (prefix: string) => mail(`={{ '${prefix}-' + $json.email }}`, { concurrency: 1 });

/** Serves what the templates read. */
let source: Server;
let sourceUrl = '';
beforeAll(async () => {
  source = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', url.endsWith('.csv') ? 'text/csv' : 'application/json');
    response.end(SOURCES[url]);
  });
  sourceUrl = `http://127.0.0.1:${await listen(source)}`;
});
afterAll(() => source.close());

/** A workflow that calls another one, which sends, with rows from the one that the call names. */
async function callerOf(name: string, mode: 'once' | 'each'): Promise<Published> {
  const trigger = { type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 };
  const id = await publishWorkflow(whole.api, {
    name: `${name}-sub`,
    nodes: nodesOf({
      Start: { ...trigger, parameters: { inputSource: 'passthrough' } },
      Send: sendTo(name),
    }),
    connections: { Start: { main: [to('Send')] } },
  });
  const call = {
    ...{ type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
    parameters: { workflowId: { __rl: true, mode: 'id', value: id }, mode, options: {} },
  };
  const rest = code("return $input.all().slice($('Hook').first().json.body.from ?? 0);");
  return await Published.publish(whole, name, { Rows: rowsOf(COUNT), Rest: rest, Call: call });
}

/** Chooses Retry of the sub-workflow's own execution, and waits until so many of it have ended. */
async function retrySub({ id }: Ended, name: string, count: number): Promise<Ended> {
  await whole.api.call('POST', `/executions/${id}/retry`, z.unknown(), { loadWorkflow: false });
  return await ended(whole.api, `${name}-sub`, count);
}

/** Sends to another service than the usual one. */
async function sendBy(name: string, { url, apiKey }: RunningSandbox, usedKeyStatus = 0) {
  const data = { baseUrl: url, apiKey, usedKeyStatus };
  const credentials = {
    audienceApi: { id: await saveCredential(whole.api, name, 'audienceApi', data), name },
  };
  return { ...sendTo(name), credentials };
}

test('60 executions that begin at once, each with another row for the same address, are 60 mails', async () => {
  const send = mail('team@example.com', {}, '={{ $json.body.row }}');
  const flow = await Published.publish(whole, 'at-the-same-time', { Send: send });
  await flow.run(1, { row: 0 });
  await Promise.all(Array.from({ length: 59 }, (_, row) => flow.call({ row: row + 1 })));
  await flow.ended(60);
  const rows = (await whole.sandbox.emails()).map(({ variables }) => Number(variables['firstName']));
  expect(rows.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, row) => row));
});

describe("an AI Agent's tool", () => {
  let isWell = true;
  let model: Server;
  afterAll(() => model.close());
  const NOTICE = { subject: 'A ticket is open' };
  const script = (asked: string, results: readonly string[]): Saying => {
    if (asked.includes('three at once') && results.length === 0) return [NOTICE, NOTICE, NOTICE];
    // It does what it was told: not with other values, but once more with the same.
    if (results.length === 0 || results.at(-1)?.includes('may have been') === true) return [NOTICE];
    return isWell ? 'Done.' : 400;
  };
  let agents: Published;
  beforeAll(async () => {
    const { server, url } = await startLanguageModel('Tell_the_team', script);
    model = server;
    const data = { apiKey: 'none', url };
    const openAiApi = { id: await saveCredential(whole.api, 'model', 'openAiApi', data), name: 'model' };
    const langchain = '@n8n/n8n-nodes-langchain';
    const notice = mail('team@example.com', {}, "={{ $fromAI('subject', 'What it is about', 'string') }}");
    const nodes = {
      Tickets: code("return $('Hook').first().json.body.tickets.map((ticket) => ({ json: { ticket } }));"),
      Agent: {
        ...{ type: `${langchain}.agent`, typeVersion: 3 },
        parameters: { promptType: 'define', text: '={{ $json.ticket }}', options: {} },
      },
      Model: {
        ...{ type: `${langchain}.lmChatOpenAi`, typeVersion: 1.2, credentials: { openAiApi } },
        parameters: { model: { __rl: true, mode: 'id', value: 'gpt-4o-mini' }, options: { maxRetries: 0 } },
      },
      'Tell the team': audience(notice.parameters, 'audienceTool'),
    };
    agents = await Published.publish(whole, 'agents', nodes, {
      Hook: { main: [to('Tickets')] },
      Tickets: { main: [to('Agent')] },
      Model: { ai_languageModel: [to('Agent', 'ai_languageModel')] },
      'Tell the team': { ai_tool: [to('Agent', 'ai_tool')] },
    });
  }, 120_000);

  test('equal words: a mail for each ticket and call, one for a lost response, none again in a Retry', async () => {
    const tickets = ['first', 'second', 'third'];
    expect((await agents.run(1, { tickets })).status).toBe('success');
    expect(await recipients()).toHaveLength(3);

    whole.sandbox.reset();
    expect((await agents.run(2, { tickets: ['three at once'] })).status).toBe('success');
    expect(await recipients()).toHaveLength(3);

    whole.sandbox.reset();
    const page = { status: 200, body: '<h1>It works!</h1>' };
    whole.sandbox.faults.next({ route: ROUTE, respond: page, when: 'after' });
    expect((await agents.run(3, { tickets: ['lost'] })).status).toBe('success');
    expect(whole.sandbox.requests({ route: ROUTE })).toHaveLength(2);
    expect(await recipients()).toHaveLength(1);

    whole.sandbox.reset();
    isWell = false;
    const failed = await agents.run(4, { tickets: ['fails'] });
    expect(failed.status).toBe('error');
    expect(await recipients()).toHaveLength(1);
    isWell = true;
    expect((await agents.retry(failed, 5)).status).toBe('success');
    expect(await recipients()).toHaveLength(1);
  });
});

describe('n8n is killed in eight runs', () => {
  let refusing: RunningSandbox;
  let other: RunningSandbox;
  beforeAll(async () => {
    refusing = await startSandbox({ seed: TEMPLATE_SEED, profile: { duplicates: 'refuse' } });
    other = await startSandbox({ seed: TEMPLATE_SEED, profile: { duplicates: 'replay' } });
  });
  afterAll(async () => {
    await refusing.close();
    await other.close();
  });

  test('a Retry sends what is missing, and nothing twice; of a sub-workflow it sends nothing', async () => {
    const { sandbox } = whole;
    const rows = rowsOf(COUNT);
    const first = audience({ resource: 'email', operation: 'getAll', limit: 1 });
    const keeps = { saveExecutionProgress: true };
    const runs: (readonly [
      name: string,
      nodes: Record<string, object>,
      wires?: object,
      settings?: object,
    ])[] = [
      ['at-once', { Rows: rows, Send: sendTo('once') }],
      ['in-batches', { Rows: rows, Loop: batches(4), Send: sendTo('batch') }, LOOP],
      ['behind-another', { Rows: rows, First: sendTo('first'), 'Rows again': rows, Send: sendTo('second') }],
      ['saved', { First: first, Rows: rows, Send: sendTo('saved') }, undefined, keeps],
      [
        'documented',
        { First: first, Rows: rows, Send: await sendBy('documented', refusing, 409) },
        undefined,
        keeps,
      ],
      ['refused', { First: first, Rows: rows, Send: await sendBy('refused', refusing) }, undefined, keeps],
    ];
    const mailings = await Promise.all(runs.map((run) => Published.publish(whole, ...run)));
    const volatile = await Published.publish(whole, 'volatile', {
      Rows: rows,
      Queued: code('return $input.all().map(({ json }) => ({ json: { ...json, queuedAt: new Date() } }));'),
      Send: await sendBy('volatile', other),
    });
    const caller = await callerOf('killed', 'once');
    const hang = { route: ROUTE, hang: true } as const;
    for (const who of ['once-person-5', 'batch-person-10', 'second-person-5', 'killed-person-5'])
      sandbox.faults.next({ ...hang, address: `${who}@example.com` });
    // These arrive, and nobody is told.
    sandbox.faults.next({ ...hang, address: 'saved-person-5@example.com', when: 'after' });
    for (const who of ['documented', 'refused'])
      refusing.faults.next({ ...hang, address: `${who}-person-5@example.com`, when: 'after' });
    other.faults.next({ ...hang, address: 'volatile-person-5@example.com' });
    for (const mailing of [...mailings, volatile, caller]) await mailing.call();
    const services = [sandbox, refusing, other];
    const faults = () => services.flatMap((service) => service.faults.list());
    await until('each run hangs', () => faults().every(({ hits }) => hits === 1) || undefined);
    await whole.kill();
    for (const service of services) service.faults.clear();
    expect(await recipients()).toHaveLength(5 + 10 + COUNT + 5 + 6 + 5);

    await whole.start();
    for (const mailing of mailings) {
      const crashed = await mailing.ended(1);
      expect(crashed.status).toBe('crashed');
      const retried = await mailing.retry(crashed, 2);
      // Nobody has said what its 409 means: a person has to look.
      const isUnclear = mailing === mailings.at(-1);
      expect(retried.status).toBe(isUnclear ? 'error' : 'success');
      if (isUnclear) expect(retried.data).toContain('May have failed to send');
    }
    await expectEachOnce(refusing, COUNT + 6);
    // Its rows are others in the Retry, and it says so.
    const again = await volatile.retry(await volatile.ended(1), 2);
    expect(again.status).toBe('success');
    expect(again.data).toContain('rows that have changed since then were sent again');
    expect(await other.emails()).toHaveLength(5 + COUNT);
    let last = await ended(whole.api, 'killed-sub', 1);
    for (const count of [2, 3]) {
      last = await retrySub(last, 'killed', count);
      expect(last.status).toBe('error');
      expect(last.data).toContain('lost-run');
    }
    await expectEachOnce(sandbox, 5 * COUNT + 5);
    // What the message says: start the caller again, without those who have their mail.
    expect((await caller.run(2, { from: 5 })).status).toBe('success');
    await expectEachOnce(sandbox, 6 * COUNT);
  });
});

test.each(['once', 'each'] as const)(
  'a sub-workflow fails, called %s: its own Retry sends what is missing, that of its caller sends all again',
  async (mode) => {
    const name = `failed-${mode}`;
    const caller = await callerOf(name, mode);
    const address = `${name}-person-5@example.com`;
    whole.sandbox.faults.next({ route: ROUTE, address, times: 1, respond: { status: 422 } });
    const failed = await caller.run(1);
    expect(failed.status).toBe('error');
    const runs = mode === 'once' ? 1 : 6;
    const sub = await ended(whole.api, `${name}-sub`, runs);
    for (const { data } of [failed, sub]) {
      expect(data).toContain('Retry the execution of the sub-workflow itself');
      expect(data).not.toContain('only the missing');
    }
    expect((await retrySub(sub, name, runs + 1)).status).toBe('success');
    // Called for each item, the caller has not reached the others.
    const sent = mode === 'once' ? COUNT : 6;
    await expectEachOnce(whole.sandbox, sent);
    expect((await caller.retry(failed, 2)).status).toBe('success');
    expect(await recipients()).toHaveLength(sent + COUNT);
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
  const mailTo = (address: string) => call('tools/call', { name: 'Send_mail', arguments: { to: address } });
  expect(await mailTo('')).toContain("The argument 'to'");
  for (const _time of ['first', 'second']) expect(await mailTo('ada@example.com')).toContain('success');
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
  ...{ orderNumber: 8, orderedAt: '2027-01-31', total: '49.90' },
  items: [{ name: 'Difference Engine' }],
  customer: { id: 42, email: 'ada@example.com', firstName: 'Ada' },
};

describe('templates that answer webhooks', () => {
  beforeAll(async () => {
    for (const file of ['order-event-from-webhook.json', 'unsubscribe-from-crm.json']) {
      await publishWorkflow(whole.api, { ...template(file), name: file });
    }
  });

  /** n8n puts a webhook up some time after its workflow was published. */
  const post = async (path: string, body: unknown) =>
    await until(`the webhook ${path} is there`, async () => {
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(`${whole.n8n.url}/webhook/${path}`, request);
      const text = await response.text();
      return text.includes('is not registered') ? undefined : { status: response.status, text };
    });

  const UNSUBSCRIBED = { unsubscribed: true };
  const NOT_UNSUBSCRIBED = { unsubscribed: false };
  const NOT_RECEIVED = { received: false };

  test.each([
    ['crm-opt-out', { email: 'ada@example.com', optedOut: true }, 200, UNSUBSCRIBED],
    ['crm-opt-out', { email: 'ada@example.com', optedOut: 'true' }, 200, UNSUBSCRIBED],
    ['crm-opt-out', { email: 'ada@example.com', optedOut: 'no' }, 200, NOT_UNSUBSCRIBED],
    ['crm-opt-out', { email: 'nobody@example.com', optedOut: true }, 200, NOT_UNSUBSCRIBED],
    ['crm-opt-out', { optedOut: true }, 400, NOT_UNSUBSCRIBED],
    ['crm-opt-out', { email: 'no address', optedOut: true }, 400, NOT_UNSUBSCRIBED],
    ['crm-opt-out', { email: 'ada@example.com', optedOut: 'banana' }, 400, NOT_UNSUBSCRIBED],
    ['crm-opt-out', [{ email: 'ada@example.com', optedOut: true }], 400, NOT_UNSUBSCRIBED],
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

  test('an order that is posted twice counts once', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { status, text } = await post('order-placed', ORDER);
      expect([status, JSON.parse(text)]).toEqual([200, { received: true }]);
    }
    const orderedAt = Date.UTC(2027, 0, 31) / 1000;
    expect(await whole.sandbox.events()).toMatchObject([
      { properties: { orderNumber: '8', productName: 'Difference Engine', total: 49.9, orderedAt } },
    ]);
    expect(await whole.sandbox.contact('ada@example.com')).toMatchObject({ firstName: 'Ada' });
    expect((await whole.sandbox.emails()).map(({ subject }) => subject)).toEqual([
      'How is your Difference Engine?',
    ]);
  });

  test.each([
    ['Carl', 'Dora'],
    ['Dora', 'Carl'],
  ])('orders of two guests, for whom the shop writes one ID, are two contacts: %s, %s', async (...guests) => {
    for (const [index, firstName] of guests.entries()) {
      const customer = { id: 0, email: `${firstName.toLowerCase()}@example.com`, firstName };
      const { status } = await post('order-placed', {
        ...ORDER,
        orderNumber: `${firstName}-${index}`,
        customer,
      });
      expect(status).toBe(200);
      const optOut = { email: 'carl@example.com', optedOut: true };
      if (firstName === 'Carl') expect((await post('crm-opt-out', optOut)).status).toBe(200);
    }
    for (const [address, subscribed] of [
      ['carl@example.com', false],
      ['dora@example.com', true],
    ] as const)
      expect(await whole.sandbox.contact(address)).toMatchObject({
        email: address,
        subscribed,
        userId: null,
      });
  });

  test.each([
    ['crm-opt-out', { email: 'ada@example.com', optedOut: true }],
    ['order-placed', { ...ORDER, orderNumber: 10 }],
  ])('%s asks to be posted again while the service is down', async (path, body) => {
    whole.sandbox.faults.next({ every: 1, respond: { status: 403 } });
    expect(await post(path, body)).toMatchObject({ status: 503 });
  });
});

/** What each template calls, with a part of what it sends. */
const DUE: Record<string, readonly (readonly [route: string, status: number, sent: object])[]> = {
  'alert-digest.json': [
    [
      ROUTE,
      200,
      {
        email: 'on-call@example.com',
        dataVariables: { count: 2, alerts: 'high: Disk full, low: Certificate ends' },
      },
    ],
  ],
  'nightly-spreadsheet-sync.json': [
    ['updateContact', 200, { companyName: 'Engines', teamSize: 12, isTrialUser: false }],
    ['updateContact', 404, { companyName: 'None', teamSize: 1, isTrialUser: true }],
  ],
  'order-follow-up.json': ['sendEvent', 'updateContact', ROUTE].flatMap((route) =>
    [1, 2, 3].map(() => [route, 200, {}] as const),
  ),
  'welcome-email-after-form.json': [
    [
      ROUTE,
      200,
      {
        email: 'katherine@example.com',
        dataVariables: { firstName: 'Katherine' },
        subscriptionGroups: { 'group-newsletter': true },
      },
    ],
    [ROUTE, 200, { email: 'dorothy@example.com', dataVariables: { firstName: 'Dorothy' } }],
  ],
};

/** What a form that stands before a template gives. */
const FORMS = [
  { json: { 'First name': 'Katherine', Email: 'katherine@example.com', Newsletter: 'Yes' } },
  { json: { 'First name': 'Dorothy', Email: 'dorothy@example.com', Newsletter: 'No' } },
];

test.each(Object.entries(DUE))('%s, with a webhook in place of its trigger', async (file, due) => {
  const { nodes, connections, pinData = {} } = template(file);
  const [pinned = [{ json: {} }]] = Object.values(pinData);
  const given = file === 'welcome-email-after-form.json' ? FORMS : pinned;
  const trigger = nodes.find(({ type }) => /trigger$/i.test(type));
  if (trigger === undefined) throw new Error(`${file} has no trigger.`);
  Object.assign(trigger, code(`return ${JSON.stringify(given)};`));
  for (const node of nodes) {
    if (node.name === 'Get Spreadsheet') node.parameters['url'] = `${sourceUrl}/sheet.csv`;
    if (node.name === 'Get Alerts') node.parameters['url'] = `${sourceUrl}/alerts.json`;
  }
  const byName = Object.fromEntries(nodes.map((node) => [node.name, node]));
  const wires = { ...connections, Hook: { main: [to(trigger.name)] } };
  const workflow = await Published.publish(whole, file.split('.')[0] ?? '', byName, wires);
  const { status, data } = await workflow.run(1);
  if (file === 'nightly-spreadsheet-sync.json') {
    expect(data).toMatch(/Rows to look at: 2\. Row 3: .*but is 'many'/);
    expect(data).toContain("Could not update contact 'nobody@example.com': not found (404)");
  } else expect(status).toBe('success');

  const writes = whole.sandbox.requests().filter(({ method }) => method !== 'GET');
  // Who wants no newsletter is not subscribed to it.
  if (file === 'welcome-email-after-form.json')
    expect(JSON.stringify(writes[1]?.requestBody)).not.toContain('subscriptionGroups');
  expect(writes.map((one) => [one.route, one.status, one.requestBody])).toMatchObject(due);
  // The date is the email's key.
  if (file !== 'alert-digest.json') return;
  expect((await workflow.run(2)).status).toBe('success');
  expect(await recipients()).toEqual(['on-call@example.com']);
});

const SOURCES: Readonly<Record<string, string>> = {
  '/sheet.csv': `email,firstName,company,teamSize,trial
ada@example.com,Ada,Engines,12,false
grace@example.com,Grace,,many,true
nobody@example.com,Nobody,None,1,true
`,
  '/alerts.json': JSON.stringify([
    { severity: 'high', title: 'Disk full' },
    { severity: 'low', title: 'Certificate ends' },
  ]),
};
