import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startSandbox } from 'audience-sandbox';
import { Expression, type INode } from 'n8n-workflow';
import { createN8nEngine, type N8nEngine, type WorkflowFile } from '../hosts/n8n-engine/index.js';
import { BASE_NODES, installN8n } from '../hosts/n8n/install.js';
import {
  emailParameters,
  locator,
  NODE_TYPE,
  ours,
  people,
  to,
  TRIGGER,
} from '../integration/n8n/support.js';
import { measure, medianTaken, ratio, ratios, seconds, type Report, type Taken } from './report.js';

const ITEMS = 1_000;
const ITEMS_AT_LIMIT = 10_000;
const LIMIT = 200;

/**
 * An email per item, by this package's node and by n8n's own HTTP Request node, in n8n's engine: without a limit
 * and at a limit of requests per second; then a Retry.
 */
export async function bench(report: Report): Promise<void> {
  await installN8n((line) => process.stdout.write(`${line}\n`));
  const n8n = await createN8nEngine({
    baseNodes: { packageDir: BASE_NODES, files: ['dist/nodes/HttpRequest/HttpRequest.node.js'] },
  });
  await withServer({ latencyMs: 50 }, async (url) => {
    await withoutLimit(report, n8n, url);
    await blocking(report, n8n, url);
  });
  // The node has no option for it: it learns the rate from the service's 429 responses.
  await withServer({ latencyMs: 50, perSecond: LIMIT }, (url, server) => atLimit(report, n8n, url, server));
  await retrying(report, n8n);
  // Last, as the engine is chosen for the process: n8n's default is another than that of its library.
  await Expression.initExpressionEngine({
    engine: 'vm',
    ...{ poolSize: 1, maxCodeCacheSize: 1024, bridgeTimeout: 20_000, bridgeMemoryLimit: 128 },
  });
  await withServer({ latencyMs: 50 }, (url) =>
    withoutLimit(report, n8n, url, ", n8n's default expression engine"),
  );
  await Expression.disposeExpressionEngine();
}

/** How many requests a user's Retry makes, where the service has refused the last three items. */
async function retrying(report: Report, n8n: N8nEngine): Promise<void> {
  report.section(`n8n: requests on a Retry of ${ITEMS} items with 3 failed`);
  const sandbox = await startSandbox({
    seed: { designs: [{ id: 'welcome', name: 'Welcome', subject: '{{firstName}}' }] },
    profile: { duplicates: 'replay' },
  });
  const route = 'sendTransactionalEmail';
  sandbox.faults.next({ route, delayMs: 1, times: ITEMS - 3 });
  sandbox.faults.next({ route, respond: { status: 422 }, times: 3 });
  const file = workflow(audience());
  const credentials = { audienceApi: { baseUrl: sandbox.url, apiKey: sandbox.apiKey } };
  const failed = await n8n.execute(file, { credentials, inputItems: people(ITEMS), mode: 'trigger' });
  const before = sandbox.requests({ route }).length;
  await n8n.retry(file, failed, { credentials });
  const retried = sandbox.requests({ route }).length - before;
  const sent = (await sandbox.emails()).length;
  await sandbox.close();
  if (sent !== ITEMS) throw new Error(`${sent} of ${ITEMS} emails were sent.`);
  report.figure('Audience', `${retried}`, { atMost: 3 });
}

async function withoutLimit(report: Report, n8n: N8nEngine, url: string, engine = ''): Promise<void> {
  report.section(`n8n: ${ITEMS} items, no limit, 50 ms latency${engine}`);
  await secondsFor(n8n, audience(), 50, url);
  const ours: Taken[] = [];
  const all: Taken[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    ours.push(await measure(() => secondsFor(n8n, audience(), ITEMS, url)));
    all.push(await measure(() => secondsFor(n8n, httpRequest(url), ITEMS, url)));
  }
  const reference = medianTaken(all);
  // By the clock, the node sends at most 100 at once.
  report.figure(
    'Audience, over HTTP Request with everything at once',
    `${ratios(medianTaken(ours), reference)}; HTTP Request takes ${seconds(reference.clock)}`,
    { atMost: 1.1 },
  );
}

async function atLimit(report: Report, n8n: N8nEngine, url: string, server: ChildProcess): Promise<void> {
  report.section(`n8n: ${ITEMS_AT_LIMIT} items, ${LIMIT} requests a second, 50 ms latency`);
  const ideal = ITEMS_AT_LIMIT / LIMIT;
  const started = performance.now();
  const firstEmail = once(server, 'message').then(() => (performance.now() - started) / 1_000);
  const ours = await secondsFor(n8n, audience(), ITEMS_AT_LIMIT, url);
  const checked = await firstEmail;
  report.figure('Audience', `${ours.toFixed(1)} s, ${ratio(ours, ideal)} of the time that the limit allows`, {
    atMost: 1.03,
  });
  // All items are checked before the first is sent.
  report.figure('until the first email', `${checked.toFixed(1)} s`);
  report.figure('from the first email on', `${ratio(ours - checked, ideal)} of this time`);
}

/**
 * For how long the process does nothing else in one piece: in the editor, that is everybody's n8n standing still. Both
 * by the clock, which counts the time that other programs take from a busy machine, and by the thread's own work.
 */
async function blocking(report: Report, n8n: N8nEngine, url: string): Promise<void> {
  report.section('n8n: longest time that the process is blocked in one piece, 2,000 items');
  for (const [name, node] of [
    ['Audience', audience()],
    ['HTTP Request', httpRequest(url)],
  ] as const) {
    const { clockMs, workMs } = await longestBlock(() => secondsFor(n8n, node, 2_000, url));
    const target = name === 'Audience' ? { atMost: 60 } : undefined;
    report.figure(name, `${clockMs.toFixed(0)} ms of elapsed time, ${workMs.toFixed(0)} ms of work`, target);
  }
}

async function longestBlock(work: () => Promise<unknown>): Promise<{ clockMs: number; workMs: number }> {
  const now = () => {
    const { user, system } = process.threadCpuUsage();
    return { clock: performance.now(), work: (user + system) / 1_000 };
  };
  let last = now();
  const longest = { clockMs: 0, workMs: 0 };
  const look = () => {
    const next = now();
    longest.clockMs = Math.max(longest.clockMs, next.clock - last.clock);
    longest.workMs = Math.max(longest.workMs, next.work - last.work);
    last = next;
  };
  const looking = setInterval(look, 5);
  await work().finally(() => clearInterval(looking));
  look();
  return longest;
}

async function secondsFor(n8n: N8nEngine, node: NodeUnderTest, count: number, url: string): Promise<number> {
  const started = performance.now();
  const outcome = await n8n.execute(workflow(node), {
    credentials: { audienceApi: { baseUrl: url, apiKey: 'key' } },
    inputItems: people(count),
    mode: 'trigger',
  });
  const seconds = (performance.now() - started) / 1_000;
  const done = outcome.nodes['Send']?.items.length ?? 0;
  if (outcome.error !== undefined || done !== count) {
    throw new Error(`${done} of ${count} items were done. ${outcome.error?.message ?? ''}`);
  }
  return seconds;
}

type NodeUnderTest = Pick<INode, 'type' | 'typeVersion' | 'parameters'>;

function audience(): NodeUnderTest {
  const parameters = {
    ...emailParameters({}, { firstName: 'Ada' }),
    transactionalId: locator('id', 'welcome'),
  };
  return { type: NODE_TYPE, typeVersion: 1, parameters };
}

function httpRequest(url: string): NodeUnderTest {
  return {
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: {
      method: 'POST',
      url: `${url}/v1/transactional`,
      sendHeaders: true,
      headerParameters: { parameters: [{ name: 'Authorization', value: 'Bearer key' }] },
      sendBody: true,
      specifyBody: 'json',
      jsonBody:
        '={{ JSON.stringify({ transactionalId: "welcome", email: $json.email, dataVariables: { firstName: "Ada" } }) }}',
    },
  };
}

function workflow(node: NodeUnderTest): WorkflowFile {
  const send = ours('Send', node.parameters, node);
  return { nodes: [TRIGGER, send], connections: { [TRIGGER.name]: to([send.name]) } };
}

async function withServer(
  { latencyMs, perSecond = 0 }: { latencyMs: number; perSecond?: number },
  work: (url: string, server: ChildProcess) => Promise<void>,
): Promise<void> {
  const server = fork(join(__dirname, 'n8n-server.ts'), [String(latencyMs), String(perSecond)], {
    execArgv: ['--import', 'tsx'],
  });
  try {
    const message: unknown[] = await once(server, 'message');
    await work(`http://127.0.0.1:${Number(message[0])}`, server);
  } finally {
    server.disconnect();
  }
}
