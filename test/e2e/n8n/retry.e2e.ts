import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from 'audience-sandbox';
import type { RunningSandbox } from 'audience-sandbox';
import { z } from 'zod/v4';
import { N8nInstance } from '../../hosts/n8n/instance.js';
import type { N8nApi, N8nProcess } from '../../hosts/n8n/instance.js';

const COUNT = 20;
const CREDENTIAL = { id: 'audienceAccount1', name: 'Audience account' };

let folder: string;
let sandbox: RunningSandbox;
let n8n: N8nInstance;
let server: N8nProcess;
let api: N8nApi;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'whole-n8n-'));
  // The kind of service that replays: a key that is not the same sends twice without a word.
  sandbox = await startSandbox({ duplicates: 'replay' });
  n8n = await N8nInstance.create({ folder });
  server = await n8n.start();
  api = await n8n.login();
  const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
  const credentials = [{ ...CREDENTIAL, type: 'audienceApi', data }];
  await n8n.cli(['import:credentials', `--input=${n8n.writeFile('credentials.json', credentials)}`]);
}, 900_000);
beforeEach(() => {
  sandbox.reset();
});
afterAll(async () => {
  await server.stop();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const savedSchema = z.object({ id: z.string(), versionId: z.string() });
const executionsSchema = z.object({
  results: z.array(z.object({ id: z.string(), status: z.string(), workflowName: z.string().nullish() })),
});

/** Publishes a workflow that sends an email to each of some people when its webhook is called. */
async function publish(path: string, settings: object): Promise<void> {
  const at = { position: [0, 0] };
  const jsCode = `return Array.from({ length: ${COUNT} }, (_, i) => ({ json: { email: 'person-' + i + '@example.com' } }));`;
  const { id, versionId } = await api.call('POST', '/workflows', savedSchema, {
    name: path,
    settings: { executionOrder: 'v1' },
    nodes: [
      {
        ...at,
        ...{ id: '1', name: 'Hook', type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: path },
        parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
      },
      {
        ...at,
        ...{ id: '2', name: 'People', type: 'n8n-nodes-base.code', typeVersion: 2 },
        parameters: { jsCode },
      },
      {
        ...at,
        ...{ id: '3', name: 'Send', type: 'n8n-nodes-audience.audience', typeVersion: 1, ...settings },
        credentials: { audienceApi: CREDENTIAL },
        parameters: {
          resource: 'email',
          operation: 'send',
          transactionalId: { __rl: true, mode: 'id', value: 'design-welcome' },
          email: '={{ $json.email }}',
          dataVariables: {
            mappingMode: 'defineBelow',
            value: { firstName: '={{ $json.email }}', planName: 'Free' },
          },
          options: { concurrency: 1 },
        },
      },
    ],
    connections: {
      Hook: { main: [[{ node: 'People', type: 'main', index: 0 }]] },
      People: { main: [[{ node: 'Send', type: 'main', index: 0 }]] },
    },
  });
  await api.call('POST', `/workflows/${id}/activate`, z.unknown(), { versionId });
}

async function until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Waited two minutes in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Calls the webhook once; n8n puts it up some time after the workflow was published. */
async function call(path: string): Promise<void> {
  await until(`the webhook of ${path} is there`, async () => {
    const { status } = await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST' });
    return status === 200 ? true : undefined;
  });
}

/** Waits until so many executions of a workflow have ended; resolves with the newest. */
async function ended(path: string, count: number): Promise<{ id: string; status: string }> {
  return await until(`execution ${count} of ${path} has ended`, async () => {
    const { results } = await api.call('GET', '/executions', executionsSchema);
    const ours = results.filter(({ workflowName }) => workflowName === path);
    const done = ours.filter(({ status }) => ['success', 'error'].includes(status));
    return done.length === count && ours.length === count ? ours[0] : undefined;
  });
}

function expectEachOnce(): void {
  const recipients = sandbox.emails().map(({ to }) => to);
  expect(new Set(recipients).size).toBe(COUNT);
  expect(recipients).toHaveLength(COUNT);
}

test('Retry in the list of executions, twice: each mail arrives once', async () => {
  await publish('retried-by-hand', {});
  sandbox.faults.next({ route: 'sendTransactionalEmail', percent: 20, seed: 3, status: 422, times: 2 });
  await call('retried-by-hand');
  const failed = await ended('retried-by-hand', 1);
  expect(failed.status).toBe('error');
  await api.call('POST', `/executions/${failed.id}/retry`, z.unknown(), { loadWorkflow: false });
  const second = await ended('retried-by-hand', 2);
  sandbox.faults.clear();
  if (second.status === 'error') {
    await api.call('POST', `/executions/${second.id}/retry`, z.unknown(), { loadWorkflow: true });
    expect((await ended('retried-by-hand', 3)).status).toBe('success');
  }
  expect(
    new Set(sandbox.requests({ route: 'sendTransactionalEmail' }).map(({ idempotencyKey }) => idempotencyKey))
      .size,
  ).toBe(COUNT);
  expectEachOnce();

  await call('retried-by-hand');
  await ended('retried-by-hand', second.status === 'error' ? 4 : 3);
  expect(sandbox.emails()).toHaveLength(2 * COUNT);
});

test('Retry On Fail: each mail arrives once', async () => {
  await publish('retried-by-n8n', { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 });
  sandbox.faults.next({ route: 'sendTransactionalEmail', percent: 20, seed: 3, status: 422, times: 2 });
  await call('retried-by-n8n');
  expect((await ended('retried-by-n8n', 1)).status).toBe('success');
  expectEachOnce();
});
