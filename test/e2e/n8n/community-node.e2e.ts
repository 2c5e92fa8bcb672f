import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4-mini';
import { readWorkflowFile } from '../../hosts/n8n-engine/workflow-file.js';
import { TEMPLATE_SEED } from '../../hosts/n8n/seed.js';
import { listen } from '../../hosts/ports.js';
import { CREDENTIAL, publishWorkflow, wholeForFile } from './whole.js';

const WORKFLOWS = resolve(__dirname, '../../../n8n-nodes/workflows');

const whole = wholeForFile({ seed: TEMPLATE_SEED });
let source: Server;
let sourceUrl: string;

beforeAll(async () => {
  [source, sourceUrl] = await startSource();
});
afterAll(() => source.close());

/** The spreadsheet and the alerts that the templates read. */
async function startSource(): Promise<[Server, string]> {
  const http = createServer((request, response) => {
    if (request.url === '/sheet.csv') {
      response.setHeader('content-type', 'text/csv');
      response.end(
        'email,firstName,company,teamSize,trial\nada@example.com,Ada,Engines,12,false\nnobody@example.com,Nobody,None,1,true\n',
      );
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify([{ severity: 'high', title: 'Disk full' }]));
  });
  return [http, `http://127.0.0.1:${await listen(http)}`];
}

const statusSchema = z.object({ status: z.string(), message: z.optional(z.string()) });

test.each([
  ['the key of the account', () => whole.sandbox.apiKey, 'OK', 'accepts'],
  ['another key', () => 'wrong', 'Error', '(401)'],
])('the credential is tested: %s', async (_what, key, due, says) => {
  const data = { baseUrl: whole.sandbox.url, apiKey: key() };
  const credentials = { ...CREDENTIAL, type: 'audienceApi', data };
  const { status, message } = await whole.api.call('POST', '/credentials/test', statusSchema, {
    credentials,
  });
  expect(status).toBe(due);
  expect(message).toContain(says);
});

test('n8n offers the node, and the same node as a tool', async () => {
  const response = await fetch(`${whole.n8n.url}/types/nodes.json`, {
    headers: { cookie: whole.api.cookie },
  });
  const types = z
    .array(z.looseObject({ name: z.string(), outputs: z.unknown() }))
    .parse(await response.json());
  const ours = types.filter(({ name }) => name.startsWith('n8n-nodes-audience.'));
  expect(ours.map(({ name, outputs }) => [name, outputs])).toEqual([
    ['n8n-nodes-audience.audience', ['main']],
    ['n8n-nodes-audience.audienceTool', ['ai_tool']],
  ]);
});

/**
 * A template that the command line can run: it has nobody to post to a form or webhook, no clock, and pins
 * no data.
 */
function runnable(file: string) {
  const workflow = { id: idOf(file), active: false, ...readWorkflowFile(join(WORKFLOWS, file)) };
  const [trigger, items] = Object.entries(GIVEN[file] ?? workflow.pinData ?? {})[0] ?? [];
  for (const node of workflow.nodes) {
    if (node.name === 'Get Spreadsheet') node.parameters['url'] = `${sourceUrl}/sheet.csv`;
    if (node.name === 'Get Alerts') node.parameters['url'] = `${sourceUrl}/alerts`;
    if (node.type === 'n8n-nodes-base.scheduleTrigger') {
      node.type = 'n8n-nodes-base.manualTrigger';
      node.typeVersion = 1;
      node.parameters = {};
    }
    if (node.name !== trigger) continue;
    node.type = 'n8n-nodes-base.code';
    node.typeVersion = 2;
    node.parameters = { jsCode: `return ${JSON.stringify(items)};` };
  }
  if (trigger === undefined) return workflow;
  const start = { id: 'start', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };
  return {
    ...workflow,
    nodes: [{ ...start, position: [-200, 0], parameters: {} }, ...workflow.nodes],
    connections: { ...workflow.connections, Start: { main: [[{ node: trigger, type: 'main', index: 0 }]] } },
  };
}

function idOf(file: string): string {
  return file.replace(/\W/g, '').slice(0, 16);
}

const ORDER = {
  ...{ orderNumber: 8, orderedAt: '2027-01-31', total: 49.9 },
  ...{ items: [{ name: 'Difference Engine' }], customer: { email: 'ada@example.com' } },
};

describe('templates that answer webhooks', () => {
  beforeAll(async () => {
    for (const file of ['order-event-from-webhook.json', 'unsubscribe-from-crm.json']) {
      const workflow = readWorkflowFile(join(WORKFLOWS, file));
      await publishWorkflow(whole.api, { ...workflow, name: file });
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

/** What the trigger of a template gives out. */
const GIVEN: Record<string, Record<string, { json: IDataObject }[]>> = {
  'welcome-email-after-form.json': {
    'On form submission': [
      { json: { 'First name': 'Katherine', Email: 'katherine@example.com', Newsletter: 'Yes' } },
    ],
  },
};

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

describe('templates run from the command line', () => {
  // Those that answer a webhook are called above.
  const files = readdirSync(WORKFLOWS).filter((file) => DUE[file] !== undefined);
  beforeAll(async () => {
    const workflows = files.map(runnable);
    await whole.n8n.cli(['import:workflow', `--input=${whole.n8n.writeFile('workflows.json', workflows)}`]);
  });

  test.each(files)('%s', async (file) => {
    const ran = whole.n8n.cli(['execute', `--id=${idOf(file)}`]);
    if (file === 'nightly-spreadsheet-sync.json') {
      const said = await ran.catch((error: unknown) => JSON.stringify(error));
      expect(said).toMatch(/Rows to look at: 1\. Row 3: .*not found/);
    } else await ran;

    const writes = whole.sandbox.requests().filter(({ method }) => method !== 'GET');
    expect(writes.map(({ route, status }) => [route, status])).toEqual(DUE[file]);
  });
});
