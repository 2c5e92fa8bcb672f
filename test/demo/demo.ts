import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startSandbox, type RequestLogEntry, type RunningSandbox } from 'audience-sandbox';
import { createN8nEngine, readWorkflowFile } from '../hosts/n8n-engine/index.js';
import { Stack } from '../hosts/pulumi/cli/stack.js';
import { findCli } from '../hosts/pulumi/engine.js';
import { stackInProcess, type DemoResult, type DemoStack } from './in-process.js';

const ROOT = resolve(__dirname, '../..');
const PROGRAM = join(ROOT, 'pulumi-provider/examples/getting-started');
const WORKFLOW = join(ROOT, 'n8n-nodes/workflows/order-follow-up.json');
const PROJECT = 'audience-getting-started';

/** A step went wrong; the message says what and why. */
export class DemoFailure extends Error {}

/** Where and how the demo runs. */
export interface DemoOptions {
  /** Empty folder for program and logs, and state where the engine keeps it in a file. */
  readonly folder: string;
  /** Whether the folder stays. */
  readonly kept: boolean;
  /** Whether to keep the inbox up until Ctrl-C. */
  readonly stayUp: boolean;
}

/**
 * Runs the whole product on real parts: sandbox, Pulumi program, n8n workflow; then checks that the service
 * received exactly the calls that were due.
 *
 * @throws DemoFailure when a step goes wrong.
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const apiKey = `demo-${randomBytes(12).toString('hex')}`;
  step(1, 'The sandbox: the service on this machine');
  const sandbox = await startSandbox({ port: 0, apiKey });
  try {
    say(`It listens at ${sandbox.url}, with an API key made for this run.`);
    await declareWithPulumi(sandbox, options.folder);
    await runWorkflow(sandbox, options.folder);
    step(5, 'What the service received');
    report(sandbox.requests());
    writeFileSync(join(options.folder, 'requests.json'), `${JSON.stringify(sandbox.requests(), null, 2)}\n`);
    await checkCalls(sandbox);
    checkNoKey(options.folder, apiKey);
    say('These are exactly the calls that were due: each property once, each event once, each email once.');
    say(
      'The two 404s come before the event creates the contact: a look whether it is there, and the first update.',
    );
    await farewell(sandbox, options);
  } finally {
    await sandbox.close();
  }
}

async function declareWithPulumi(sandbox: RunningSandbox, folder: string): Promise<void> {
  const programDir = join(folder, 'program');
  cpSync(PROGRAM, programDir, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(programDir, 'node_modules'), 'junction');

  step(2, 'pulumi up: four contact properties and a contact');
  const cli = await findCli('dynamic');
  let stack: DemoStack;
  if (cli === undefined) {
    say("No Pulumi CLI on the PATH: Pulumi's mocks run the program, and a small engine calls the provider.");
    stack = await stackInProcess(programDir, sandbox);
  } else {
    say(`The engine is the ${cli.name}.`);
    stack = await Stack.create({
      ...{ programDir, project: PROJECT, stack: 'demo', stateDir: join(folder, 'state') },
      config: { 'audience:baseUrl': sandbox.url, 'audience:apiKey': { secret: sandbox.apiKey } },
    });
  }
  say('The program is pulumi-provider/examples/getting-started/index.ts.');
  const first = await up(stack, folder, 'pulumi-up-1.log');
  if (first.summary.create !== 5)
    throw unexpected('the first `pulumi up`', 'should create 5 resources', first);

  step(3, 'pulumi up again: nothing has changed, so nothing is written');
  const writes = countWrites(sandbox);
  const second = await up(stack, folder, 'pulumi-up-2.log');
  if (second.summary.same !== 5)
    throw unexpected('the second `pulumi up`', 'should leave 5 resources alone', second);
  const written = countWrites(sandbox) - writes;
  if (written > 0)
    throw new DemoFailure(
      `The second \`pulumi up\` wrote ${written} times to the service; it should write nothing.`,
    );
  say('The service received no write.');
}

async function up(stack: DemoStack, folder: string, logFile: string): Promise<DemoResult> {
  const result = await stack.up({ onLine: say });
  writeFileSync(join(folder, logFile), `${result.log.join('\n')}\n`);
  if (result.failed) throw new DemoFailure('`pulumi up` failed; its last lines above say why.');
  return result;
}

async function runWorkflow(sandbox: RunningSandbox, folder: string): Promise<void> {
  step(4, 'An n8n workflow: for three orders, send an event, update the contact, send an email');
  say("The engine is n8n's own, n8n-core, in this process.");
  say('The workflow is n8n-nodes/workflows/order-follow-up.json; n8n imports it as it is.');
  const workflow = readWorkflowFile(WORKFLOW);
  const items = Object.values(workflow.pinData ?? {})
    .flat()
    .map(({ json }) => json);
  const n8n = await createN8nEngine();
  const outcome = await n8n.execute(workflow, {
    credentials: { audienceApi: { baseUrl: sandbox.url, apiKey: sandbox.apiKey } },
    inputItems: items,
  });
  const output = Object.fromEntries(Object.entries(outcome.nodes).map(([name, node]) => [name, node.items]));
  writeFileSync(join(folder, 'n8n-output.json'), `${JSON.stringify(output, null, 2)}\n`);
  if (outcome.status !== 'success') {
    throw new DemoFailure(`The workflow failed: ${outcome.error?.message ?? 'n8n gave no reason'}`);
  }
  for (const [name, node] of Object.entries(outcome.nodes)) say(`${name}: ${node.items.length} items`);
}

/** The writes that were due: endpoint, status, how often. */
const DUE: readonly (readonly [route: string, status: number, times: number])[] = [
  ['createContactProperty', 200, 4],
  // Pulumi's contact is not there yet, so the first update finds none, and an event creates it.
  ['updateContact', 404, 1],
  ['sendEvent', 200, 1 + 3],
  ['updateContact', 200, 1 + 3],
  ['sendTransactionalEmail', 200, 3],
];

async function checkCalls(sandbox: RunningSandbox): Promise<void> {
  const writes = sandbox.requests().filter(({ method }) => method !== 'GET');
  for (const [route, status, times] of DUE) {
    const received = writes.filter((call) => call.route === route && call.status === status);
    if (received.length !== times) {
      throw new DemoFailure(
        `The service answered ${received.length} calls of ${route} with ${status}; ${times} were due.`,
      );
    }
  }
  const due = DUE.reduce((sum, [, , times]) => sum + times, 0);
  if (writes.length !== due) {
    throw new DemoFailure(`The service received ${writes.length} writes; ${due} were due.`);
  }
  const sent = (await sandbox.emails()).filter(({ transactionalId }) => transactionalId !== null);
  const people = new Set(sent.map(({ to }) => to));
  if (sent.length !== 3 || people.size !== 3) {
    throw new DemoFailure(
      `The inbox holds ${sent.length} emails to ${people.size} people; 3 to 3 were due, each once.`,
    );
  }
}

/** Nothing that the run wrote may hold the API key: no state, no log. */
function checkNoKey(folder: string, apiKey: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && readFileSync(path).includes(apiKey)) {
      throw new DemoFailure(`The API key stands in ${path}, where it must not be.`);
    }
  }
}

function countWrites(sandbox: RunningSandbox): number {
  return sandbox.requests().filter(({ method }) => method !== 'GET').length;
}

function report(calls: readonly RequestLogEntry[]): void {
  const counts = new Map<string, number>();
  for (const { method, route, status } of calls) {
    const line = `${method.padEnd(4)} ${(route ?? 'unknown').padEnd(24)} ${status ?? 'no response'}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  for (const [line, count] of counts) say(`${String(count).padStart(3)} x ${line}`);
}

async function farewell(sandbox: RunningSandbox, options: DemoOptions): Promise<void> {
  step(6, 'What to do next');
  if (options.kept) say(`Program and logs are in ${options.folder}.`);
  say('Declare your own properties: pulumi-provider/README.md. Build a workflow: n8n-nodes/README.md.');
  if (!options.stayUp) {
    say(
      'The inbox is a web page; it goes with this demo. `npm run sandbox` starts one that stays, at http://127.0.0.1:4010/.',
    );
    return;
  }
  say(`The inbox with the three emails: ${sandbox.url}/`);
  say('It stays up until you press Ctrl-C.');
  await new Promise<void>((stop) => process.once('SIGINT', () => stop()));
}

function unexpected(what: string, should: string, result: DemoResult): DemoFailure {
  const { create, update, replace, same } = result.summary;
  return new DemoFailure(
    `In the state after ${what} something is off: it ${should}, and did: ${create} created, ${update} updated, ${replace} replaced, ${same} unchanged.`,
  );
}

function step(number: number, title: string): void {
  process.stdout.write(`\n[${number}/6] ${title}\n`);
}

function say(line: string): void {
  process.stdout.write(`      ${line}\n`);
}
