import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from 'audience-sandbox';
import type { RunningSandbox } from 'audience-sandbox';
import { z } from 'zod/v4';
import { N8nInstance } from '../../hosts/n8n/instance.js';
import type { N8nApi, N8nProcess } from '../../hosts/n8n/instance.js';
import { until } from '../../hosts/until.js';
import { CREDENTIAL, importCredential, publishWorkflow, sending } from './mailing.js';

const ALMOST_A_DAY = 24 * 3_600_000 - 10_000;

let folder: string;
let sandbox: RunningSandbox;
let n8n: N8nInstance;
let server: N8nProcess;
let api: N8nApi;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'whole-n8n-'));
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

const code = (jsCode: string) => ({ type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } });
const audience = (parameters: object) => ({
  ...{ type: 'n8n-nodes-audience.audience', typeVersion: 1, credentials: { audienceApi: CREDENTIAL } },
  parameters,
});
const mail = (email: string, options: object = {}) => audience(sending(email, { ...options }).parameters);
const hook = (path: string) => ({
  ...{ type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: path },
  parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
});
const to = (node: string) => [{ node, type: 'main', index: 0 }];
const rowsOf = (count: number) =>
  code(
    `return Array.from({ length: ${count} }, (_, row) => ({ json: { row, email: 'person-' + row + '@example.com' } }));`,
  );

/** Nodes by their names, for a workflow. */
function nodesOf(nodes: Readonly<Record<string, object>>): object[] {
  return Object.entries(nodes).map(([name, node]) => ({ id: name, name, position: [0, 0], ...node }));
}

/** Publishes a workflow that goes from a webhook through nodes, one behind the other, unless wired otherwise. */
async function publish(
  path: string,
  nodes: Readonly<Record<string, object>>,
  wires?: object,
): Promise<string> {
  const names = ['Hook', ...Object.keys(nodes)];
  const chain = names
    .slice(0, -1)
    .map((name, at): [string, object] => [name, { main: [to(names[at + 1] ?? '')] }]);
  return await publishWorkflow(api, {
    name: path,
    nodes: nodesOf({ Hook: hook(path), ...nodes }),
    connections: wires ?? Object.fromEntries(chain),
  });
}

async function call(path: string, body: object = {}): Promise<void> {
  await until(`the webhook of ${path} is there`, async () => {
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(`${n8n.url}/webhook/${path}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    return status === 200 ? true : undefined;
  });
}

const executionsSchema = z.object({
  results: z.array(z.object({ id: z.string(), status: z.string(), workflowName: z.string().nullish() })),
});
const dataSchema = z.object({ data: z.string() });

/** Waits until so many executions of a workflow have ended; resolves with the newest and all that it says. */
async function ended(name: string, count: number): Promise<{ id: string; status: string; data: string }> {
  const newest = await until(`execution ${count} of ${name} has ended`, async () => {
    const { results } = await api.call('GET', '/executions', executionsSchema);
    const ours = results.filter(({ workflowName }) => workflowName === name);
    const isOver = ['success', 'error', 'crashed'].includes(ours[0]?.status ?? '');
    return ours.length === count && isOver ? ours[0] : undefined;
  });
  const { data } = await api.call('GET', `/executions/${newest.id}`, dataSchema);
  return { ...newest, data };
}

async function retry(id: string, loadWorkflow: boolean): Promise<void> {
  await api.call('POST', `/executions/${id}/retry`, z.unknown(), { loadWorkflow });
}

test('one key, and an address in two spellings: the list goes out, each address once', async () => {
  const rows = code(
    `return Array.from({ length: 30 }, (_, i) => ({ json: { email: (i % 2 ? 'Person-' : 'person-') + (i >> 1) + '@example.com' } }));`,
  );
  const send = audience({
    ...sending('={{ $json.email }}', { idempotencyKey: 'may-newsletter' }).parameters,
    dataVariables: { mappingMode: 'defineBelow', value: { firstName: 'friend', planName: 'Free' } },
  });
  await publish('spellings', { Rows: rows, Send: send });
  await call('spellings');
  expect((await ended('spellings', 1)).status).toBe('success');
  expect(sandbox.emails()).toHaveLength(15);
});

test('an update with nothing to change fails for a contact that does not exist', async () => {
  const update = audience({
    ...{ resource: 'contact', operation: 'update' },
    contact: { __rl: true, mode: 'email', value: 'nobody@example.com' },
    fields: { mappingMode: 'defineBelow', value: { companyName: '' } },
  });
  await publish('nothing-to-change', { Update: update });
  await call('nothing-to-change');
  const { status, data } = await ended('nothing-to-change', 1);
  expect(status).toBe('error');
  expect(data).toContain('404');
});

test('a daily mail that starts ten seconds early each day goes out each day, and once with a key of the day', async () => {
  await publish('daily', { Send: mail('ada@example.com') });
  await publish('daily-key', {
    Send: mail('bob@example.com', { idempotencyKey: '=digest-{{ $json.body.day }}' }),
  });
  for (let day = 1; day <= 3; day += 1) {
    await call('daily', { day });
    await ended('daily', day);
    for (const time of [0, 1]) {
      await call('daily-key', { day });
      expect((await ended('daily-key', 2 * day - 1 + time)).status).toBe('success');
    }
    sandbox.clock.advance(ALMOST_A_DAY);
  }
  const recipients = sandbox.emails().map(({ to: recipient }) => recipient);
  expect(recipients.filter((one) => one === 'ada@example.com')).toHaveLength(3);
  expect(recipients.filter((one) => one === 'bob@example.com')).toHaveLength(3);
});

test('an error workflow mails the text of the error', async () => {
  const alert = audience({
    ...sending('ops@example.com').parameters,
    dataVariables: {
      mappingMode: 'defineBelow',
      value: {
        firstName: '=Failed: {{ $json.execution.error.message }}',
        planName: '={{ $json.workflow.name }}',
      },
    },
  });
  const errorWorkflow = await publishWorkflow(api, {
    name: 'alerts',
    nodes: nodesOf({
      Trigger: { type: 'n8n-nodes-base.errorTrigger', typeVersion: 1, parameters: {} },
      Alert: alert,
    }),
    connections: { Trigger: { main: [to('Alert')] } },
  });
  await publishWorkflow(api, {
    name: 'fails',
    settings: { executionOrder: 'v1', errorWorkflow },
    nodes: nodesOf({
      Hook: hook('fails'),
      Code: code('return $json.body.order.lines.map((json) => ({ json }));'),
    }),
    connections: { Hook: { main: [to('Code')] } },
  });
  await call('fails');
  await ended('fails', 1);
  expect((await ended('alerts', 1)).status).toBe('success');
  expect(sandbox.emails()[0]?.dataVariables['firstName']).toMatch(
    /^Failed: Cannot read properties of undefined/,
  );
});

test('a loop of ten batches with a bad row: corrected in the node, a Retry sends what is missing', async () => {
  const address = "={{ $json.row === 25 ? 'person-25(at)example.com' : $json.email }}";
  const workflow = {
    Rows: rowsOf(40),
    Loop: {
      type: 'n8n-nodes-base.splitInBatches',
      typeVersion: 3,
      parameters: { batchSize: 4, options: {} },
    },
    Send: mail(address),
  };
  const wires = {
    Hook: { main: [to('Rows')] },
    Rows: { main: [to('Loop')] },
    Loop: { main: [[], to('Send')] },
    Send: { main: [to('Loop')] },
  };
  const id = await publish('loop', workflow, wires);
  await call('loop');
  const failed = await ended('loop', 1);
  expect(failed.status).toBe('error');
  expect(failed.data).toContain('0 of 4 items were carried out in this run of the node');
  expect(failed.data).toContain('Earlier runs of the node in this execution carried out 24.');
  expect(sandbox.emails()).toHaveLength(24);

  const corrected = { ...workflow, Send: mail('={{ $json.email }}') };
  await api.call('PATCH', `/workflows/${id}?forceSave=true`, z.unknown(), {
    ...{ nodes: nodesOf({ Hook: hook('loop'), ...corrected }), connections: wires },
  });
  await retry(failed.id, true);
  expect((await ended('loop', 2)).status).toBe('success');
  const recipients = sandbox.emails().map(({ to: recipient }) => recipient);
  expect([recipients.length, new Set(recipients).size]).toEqual([40, 40]);
});
