import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from 'audience-sandbox';
import type { RunningSandbox } from 'audience-sandbox';
import { N8nInstance } from '../../hosts/n8n/instance.js';
import type { N8nApi, N8nProcess } from '../../hosts/n8n/instance.js';
import { freePort } from '../../hosts/ports.js';
import { until } from '../../hosts/until.js';
import { launchBrowser } from '../sandbox/browser.js';
import { expectEachOnce, importCredential, mail, Published, rowsOf } from './whole.js';
import { signIn } from './sign-in.js';

const COUNT = 1_000;

let folder: string;
let sandbox: RunningSandbox;
let redis: ChildProcess;
let n8n: N8nInstance;
let api: N8nApi;
const processes = new Map<string, N8nProcess>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'whole-n8n-'));
  sandbox = await startSandbox();
  const port = await freePort();
  redis = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  await connected(port);
  n8n = await N8nInstance.create({
    folder,
    env: {
      EXECUTIONS_MODE: 'queue',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(port),
      // A worker that is gone is noticed after seconds, not after a minute.
      QUEUE_WORKER_LOCK_DURATION: '4000',
      QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
      QUEUE_WORKER_STALLED_INTERVAL: '2000',
    },
  });
  processes.set('main', await n8n.start());
  api = await n8n.login();
  await importCredential(n8n, sandbox);
  for (const name of ['worker-1.log', 'worker-2.log']) processes.set(name, await n8n.startWorker(name));
}, 900_000);
beforeEach(() => {
  sandbox.reset();
  // So that a worker can be killed half-way.
  sandbox.limitRate({ requestsPerSecond: 100 });
});
afterAll(async () => {
  for (const running of processes.values()) await running.stop();
  redis.kill();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Waits until Redis takes connections. */
async function connected(port: number): Promise<void> {
  await until('Redis takes connections', async () => {
    const socket = createConnection(port, '127.0.0.1');
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => {
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
    socket.destroy();
    return open ? true : undefined;
  });
}

async function halfIsOut(): Promise<void> {
  await until('half of the mails are out', () => (sandbox.emails().length >= COUNT / 2 ? true : undefined));
}

const OPTIONS = { concurrency: 5 };

test('a worker is killed half-way and n8n gives the execution up: run again, each mail arrives once', async () => {
  // n8n 2.41 lets no other worker take the job over and keeps none of the execution's data, so there is nothing
  // to retry from: a key of one's own is what stays the same.
  const options = { ...OPTIONS, idempotencyKey: 'news-of-may' };
  const nodes = { Rows: rowsOf(COUNT), Send: mail('={{ $json.email }}', options) };
  const mailing = await Published.publish({ n8n, api }, 'killed-half-way', nodes);
  await mailing.call();
  await halfIsOut();

  const busy = ['worker-1.log', 'worker-2.log'].find((log) =>
    readFileSync(join(folder, log), 'utf8').includes('started execution'),
  );
  if (busy === undefined) throw new Error('No worker says that it works.');
  await processes.get(busy)?.kill();
  processes.delete(busy);
  expect(sandbox.emails().length).toBeLessThan(COUNT);
  expect((await mailing.ended(1)).status).not.toBe('success');

  await mailing.call();
  expect((await mailing.ended(2)).status).toBe('success');
  expectEachOnce(sandbox, COUNT);
}, 600_000);

/** Presses Retry in the editor, as a person does who has looked at a failed execution. */
async function retryInEditor(workflowId: string, executionId: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await signIn(browser, n8n);
    await page.goto(`${n8n.url}/workflow/${workflowId}/executions/${executionId}`, {
      waitUntil: 'domcontentloaded',
    });
    await page.getByTestId('execution-preview-retry-button').click();
    const answered = page.waitForResponse(/\/executions\/[^/]+\/retry$/);
    await page.getByText('Retry with original workflow').click();
    await answered;
  } finally {
    await browser.close();
  }
}

test('an execution that stopped at one item is retried from the editor: each mail arrives once', async () => {
  const nodes = { Rows: rowsOf(COUNT), Send: mail('={{ $json.email }}', OPTIONS) };
  const mailing = await Published.publish({ n8n, api }, 'stopped-half-way', nodes);
  await mailing.call();
  await halfIsOut();
  sandbox.faults.next({ route: 'sendTransactionalEmail', respond: { status: 422 } });
  const failed = await mailing.ended(1);
  expect(failed.status).toBe('error');
  expect(sandbox.emails().length).toBeLessThan(COUNT);

  await retryInEditor(mailing.id, failed.id);
  expect((await mailing.ended(2)).status).toBe('success');
  expectEachOnce(sandbox, COUNT);
}, 600_000);
