import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import type { N8nProcess } from '../../hosts/n8n/instance.js';
import { freePort } from '../../hosts/ports.js';
import { until } from '../../hosts/until.js';
import { expectEachOnce, mail, Published, rowsOf, wholeForFile } from './whole.js';

const COUNT = 600;

let port: number;
let redis: ChildProcess;
const workers = new Map<string, N8nProcess>();

// Before n8n, which connects to it.
beforeAll(async () => {
  port = await freePort();
  redis = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  await until('Redis takes connections', async () => {
    const socket = createConnection(port, '127.0.0.1');
    const isOpen = once(socket, 'connect').then(
      () => true,
      () => undefined,
    );
    return await isOpen.finally(() => socket.destroy());
  });
});
const QUEUE = () => ({
  EXECUTIONS_MODE: 'queue',
  QUEUE_BULL_REDIS_HOST: '127.0.0.1',
  QUEUE_BULL_REDIS_PORT: String(port),
  // A worker that is gone is noticed after seconds, not after a minute.
  QUEUE_WORKER_LOCK_DURATION: '4000',
  QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
  QUEUE_WORKER_STALLED_INTERVAL: '2000',
});
const whole = wholeForFile({}, { env: QUEUE });
beforeAll(async () => {
  for (const name of ['worker-1.log', 'worker-2.log']) workers.set(name, await whole.n8n.startWorker(name));
}, 300_000);
beforeEach(() => {
  // So that a worker can be killed half-way.
  whole.sandbox.limitRate({ requestsPerSecond: 100 });
});
afterAll(async () => {
  for (const running of workers.values()) await running.stop();
  redis.kill();
});

async function halfIsOut(): Promise<void> {
  await until('half of the mails are out', async () =>
    (await whole.sandbox.emails()).length >= COUNT / 2 ? true : undefined,
  );
}

const OPTIONS = { concurrency: 5 };

test('a worker is killed half-way and n8n gives the execution up: run again, each mail arrives once', async () => {
  // n8n 2.41 lets no other worker take the job over and keeps none of the execution's data, so there is nothing
  // to retry from: a key of one's own is what stays the same.
  const options = { ...OPTIONS, idempotencyKey: 'news-of-may' };
  const nodes = { Rows: rowsOf(COUNT), Send: mail('={{ $json.email }}', options) };
  const mailing = await Published.publish(whole, 'killed-half-way', nodes);
  await mailing.call();
  await halfIsOut();

  const busy = ['worker-1.log', 'worker-2.log'].find((log) =>
    readFileSync(join(whole.n8n.folder, log), 'utf8').includes('started execution'),
  );
  if (busy === undefined) throw new Error('No worker says that it works.');
  await workers.get(busy)?.kill();
  workers.delete(busy);
  expect((await whole.sandbox.emails()).length).toBeLessThan(COUNT);
  expect((await mailing.ended(1)).status).not.toBe('success');

  await mailing.call();
  expect((await mailing.ended(2)).status).toBe('success');
  await expectEachOnce(whole.sandbox, COUNT);
}, 600_000);

test('an execution that stopped at one item is retried: each mail arrives once', async () => {
  const nodes = { Rows: rowsOf(COUNT), Send: mail('={{ $json.email }}', OPTIONS) };
  const mailing = await Published.publish(whole, 'stopped-half-way', nodes);
  await mailing.call();
  await halfIsOut();
  whole.sandbox.faults.next({ route: 'sendTransactionalEmail', respond: { status: 422 } });
  const failed = await mailing.ended(1);
  expect(failed.status).toBe('error');
  expect((await whole.sandbox.emails()).length).toBeLessThan(COUNT);

  expect((await mailing.retry(failed, 2)).status).toBe('success');
  await expectEachOnce(whole.sandbox, COUNT);
}, 600_000);
