import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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

const WORKFLOWS = resolve(__dirname, '../../../n8n-nodes/workflows');
const COUNT = 12;
const ROUTE = 'sendTransactionalEmail';
const THREE_DAYS = 3 * 24 * 3_600_000;

const whole = wholeForFile({ seed: TEMPLATE_SEED, profile: { duplicates: 'replay' } });
const recipients = async () => (await whole.sandbox.emails()).map(({ to: recipient }) => recipient);
const sendTo = (prefix: string) => mail(`={{ '${prefix}-' + $json.email }}`, { concurrency: 1 });

/** Serves what the workflows read, while it is up. */
let source: Server;
let sourceUrl = '';
let isUp = true;
beforeAll(async () => {
  source = createServer(({ url = '' }, response) => {
    response.statusCode = isUp ? 200 : 500;
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

describe('n8n is killed in seven runs', () => {
  let refusing: RunningSandbox;
  beforeAll(async () => {
    refusing = await startSandbox({ seed: TEMPLATE_SEED, profile: { duplicates: 'refuse' } });
  });
  afterAll(() => refusing.close());

  /** Sends with progress saved; the service refuses a used key, and the credential may say how. */
  async function saved(name: string, usedKeyStatus: number) {
    const data = { baseUrl: refusing.url, apiKey: refusing.apiKey, usedKeyStatus };
    const credentials = {
      audienceApi: { id: await saveCredential(whole.api, name, 'audienceApi', data), name },
    };
    return { ...sendTo(name), credentials };
  }

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
      ['documented', { First: first, Rows: rows, Send: await saved('documented', 409) }, undefined, keeps],
      ['refused', { First: first, Rows: rows, Send: await saved('refused', 0) }, undefined, keeps],
    ];
    const mailings = await Promise.all(runs.map((run) => Published.publish(whole, ...run)));
    const caller = await callerOf('killed', 'once');
    const hang = { route: ROUTE, hang: true } as const;
    for (const who of ['once-person-5', 'batch-person-10', 'second-person-5', 'killed-person-5'])
      sandbox.faults.next({ ...hang, address: `${who}@example.com` });
    // These arrive, and nobody is told.
    sandbox.faults.next({ ...hang, address: 'saved-person-5@example.com', when: 'after' });
    for (const who of ['documented', 'refused'])
      refusing.faults.next({ ...hang, address: `${who}-person-5@example.com`, when: 'after' });
    for (const mailing of [...mailings, caller]) await mailing.call();
    const faults = () => [...sandbox.faults.list(), ...refusing.faults.list()];
    await until('each run hangs', () => faults().every(({ hits }) => hits === 1) || undefined);
    await whole.kill();
    for (const service of [sandbox, refusing]) service.faults.clear();
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

/** Puts back the time at which an execution began, as n8n stores it. */
function backdate({ id }: Ended, milliseconds: number): void {
  const database = new DatabaseSync(join(whole.n8n.folder, '.n8n', 'database.sqlite'));
  const row = database.prepare('SELECT data FROM execution_data WHERE executionId = ?').get(id);
  const data = z.object({ data: z.string() }).parse(row).data;
  const earlier = data.replaceAll(
    /("establishedAt":)(\d+)/g,
    (_all, name: string, at: string) => `${name}${Number(at) - milliseconds}`,
  );
  expect(earlier).not.toBe(data);
  database.prepare('UPDATE execution_data SET data = ? WHERE executionId = ?').run(earlier, id);
  database.close();
}

test('an earlier node fails: each Retry sends all an hour later, and nothing three days later', async () => {
  const parameters = { url: `${sourceUrl}/people.json`, options: {} };
  const get = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
  const workflow = await Published.publish(whole, 'earlier', { Get: get, Send: sendTo('any') });
  let runs = 0;
  const failed = async (milliseconds: number): Promise<Ended> => {
    isUp = false;
    const one = await workflow.run((runs += 1));
    isUp = true;
    expect(one.status).toBe('error');
    backdate(one, milliseconds);
    return one;
  };
  for (const ofSaved of [false, true]) {
    const { status } = await workflow.retry(await failed(3_600_000), (runs += 1), ofSaved);
    expect(status).toBe('success');
    await expectEachOnce(whole.sandbox, COUNT);
    whole.sandbox.reset();
  }
  const { status, data } = await workflow.retry(await failed(THREE_DAYS), (runs += 1));
  expect(status).toBe('error');
  expect(data).toContain('the execution began 72 hours ago');
  expect(data).toContain('start the workflow with the missing items only');
  expect(await recipients()).toEqual([]);
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
    const known = { userId: '42', firstName: 'Ada' };
    expect(await whole.sandbox.contact('ada@example.com')).toMatchObject(known);
    expect((await whole.sandbox.emails()).map(({ subject }) => subject)).toEqual([
      'How is your Difference Engine?',
    ]);
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
  '/people.json': JSON.stringify([...Array(COUNT).keys()].map((row) => ({ email: `p${row}@example.com` }))),
};
