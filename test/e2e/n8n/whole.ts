import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type RunningSandbox, type SandboxOptions } from 'audience-sandbox';
import { z } from 'zod/v4-mini';
import { N8nInstance, type N8nApi, type N8nProcess } from '../../hosts/n8n/instance.js';
import { until } from '../../hosts/until.js';

/** The credential of the workflows. n8n gives it an id when it is created. */
export const CREDENTIAL = { id: '', name: 'Audience account' };

/** A whole n8n that is logged in, with the credential of a sandbox, once it is started. */
class Whole {
  n8n!: N8nInstance;
  sandbox!: RunningSandbox;
  api!: N8nApi;
  #server: N8nProcess | undefined;

  async start(): Promise<void> {
    this.#server = await this.n8n.start();
  }

  /** Kills n8n, as a crash does. */
  async kill(): Promise<void> {
    await this.#server?.kill();
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }
}

/** What a file of tests wants beside the usual. */
interface WholeOptions {
  /** Further environment variables for n8n. */
  readonly env?: () => Record<string, string>;
  /** Whether n8n has the credential; true unless given. */
  readonly hasCredential?: boolean;
}

/** One for all tests of a file; its sandbox begins anew with each. */
export function wholeForFile(
  options: SandboxOptions = {},
  { env = () => ({}), hasCredential = true }: WholeOptions = {},
): Whole {
  const whole = new Whole();
  const folder = mkdtempSync(join(tmpdir(), 'whole-n8n-'));
  beforeAll(async () => {
    whole.sandbox = await startSandbox(options);
    whole.n8n = await N8nInstance.create({ folder, env: env() });
    await whole.start();
    whole.api = await whole.n8n.login();
    if (!hasCredential) return;
    const { url, apiKey } = whole.sandbox;
    CREDENTIAL.id = await saveCredential(whole.api, CREDENTIAL.name, 'audienceApi', { baseUrl: url, apiKey });
  }, 900_000);
  beforeEach(() => {
    whole.sandbox.reset();
  });
  afterAll(async () => {
    await whole.stop();
    await whole.sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return whole;
}

/** Creates a credential, and gives its id. */
export async function saveCredential(api: N8nApi, name: string, type: string, data: object): Promise<string> {
  const { id } = await api.call('POST', '/credentials', z.object({ id: z.string() }), { name, type, data });
  return id;
}

/** A node, as a workflow has it beside its name. */
interface Node {
  readonly type: string;
  readonly typeVersion: number;
  readonly parameters: object;
}

/** A node of ours. */
export function audience(parameters: object, type = 'audience'): Node & { credentials: object } {
  return {
    ...{ type: `n8n-nodes-audience.${type}`, typeVersion: 1, credentials: { audienceApi: CREDENTIAL } },
    parameters,
  };
}

/** A node that sends the welcome email. */
export function mail(email: string, options: object = {}, firstName = email) {
  return audience({
    ...{ resource: 'email', operation: 'send', email, options },
    transactionalId: { __rl: true, mode: 'id', value: 'design-welcome' },
    dataVariables: { mappingMode: 'defineBelow', value: { firstName, planName: 'Free' } },
  });
}

/** A Code node. */
export function code(jsCode: string): Node {
  return { type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
}

/** A Code node that makes so many rows. */
export function rowsOf(count: number): Node {
  return code(
    `return Array.from({ length: ${count} }, (_, row) => ({ json: { row, email: 'person-' + row + '@example.com' } }));`,
  );
}

/** A node that loops over its input in batches. */
export function batches(batchSize: number): Node {
  return {
    ...{ type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
    parameters: { batchSize, options: {} },
  };
}

/** What leads to a node. */
export function to(node: string, type = 'main'): object[] {
  return [{ node, type, index: 0 }];
}

/** Wires that lead from the webhook into a loop, through 'Send', and back. */
export const LOOP = {
  Hook: { main: [to('Rows')] },
  Rows: { main: [to('Loop')] },
  Loop: { main: [[], to('Send')] },
  Send: { main: [to('Loop')] },
};

/** Nodes by their names, for a workflow. */
export function nodesOf(nodes: Readonly<Record<string, object>>): object[] {
  return Object.entries(nodes).map(([name, node]) => ({ id: name, name, position: [0, 0], ...node }));
}

const savedSchema = z.object({ id: z.string(), versionId: z.string() });

/** Creates a workflow and publishes it; answers with its id. */
export async function publishWorkflow(api: N8nApi, workflow: object): Promise<string> {
  const settings = { executionOrder: 'v1' };
  const { id, versionId } = await api.call('POST', '/workflows', savedSchema, { settings, ...workflow });
  await api.call('POST', `/workflows/${id}/activate`, z.unknown(), { versionId });
  return id;
}

const executionsSchema = z.object({
  results: z.array(z.object({ id: z.string(), status: z.string(), workflowName: z.nullish(z.string()) })),
});
const dataSchema = z.object({ data: z.string() });

/** How an execution ended. */
export interface Ended {
  readonly id: string;
  readonly status: string;
  /** All that n8n stored of it. */
  readonly data: string;
}

/** A published workflow that begins with a webhook. */
export class Published {
  private constructor(
    readonly id: string,
    private readonly name: string,
    private readonly whole: Pick<Whole, 'n8n' | 'api'>,
  ) {}

  /** Publishes a workflow that goes from a webhook through nodes, one behind the other, unless wired otherwise. */
  static async publish(
    whole: Pick<Whole, 'n8n' | 'api'>,
    name: string,
    nodes: Readonly<Record<string, object>>,
    wires?: object,
    settings: object = {},
  ): Promise<Published> {
    const hook = { ...{ type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: name } };
    const parameters = { httpMethod: 'POST', path: name, responseMode: 'onReceived', options: {} };
    const all = { Hook: { ...hook, parameters }, ...nodes };
    const names = Object.keys(all);
    const chain = names.slice(1).map((next, at): [string, object] => [names[at] ?? '', { main: [to(next)] }]);
    const workflow = { name, nodes: nodesOf(all), connections: wires ?? Object.fromEntries(chain) };
    const id = await publishWorkflow(whole.api, {
      ...workflow,
      settings: { executionOrder: 'v1', ...settings },
    });
    return new Published(id, name, whole);
  }

  /** Calls the webhook once; n8n puts it up some time after the workflow was published. */
  async call(body: object = {}): Promise<void> {
    await until(`the webhook of ${this.name} is there`, async () => {
      const headers = { 'content-type': 'application/json', connection: 'close' };
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      const { status } = await fetch(`${this.whole.n8n.url}/webhook/${this.name}`, request);
      return status === 200 ? true : undefined;
    });
  }

  /** Waits until so many executions of it have ended; resolves with the newest. */
  async ended(count: number): Promise<Ended> {
    return await ended(this.whole.api, this.name, count);
  }

  /** Calls it, and waits until so many executions have ended: this is the last of them. */
  async run(count: number, body: object = {}): Promise<Ended> {
    await this.call(body);
    return await this.ended(count);
  }

  /** Chooses Retry in the list of executions, with the original workflow. */
  async retry({ id }: Ended, count: number): Promise<Ended> {
    await this.whole.api.call('POST', `/executions/${id}/retry`, z.unknown(), { loadWorkflow: false });
    return await this.ended(count);
  }

  /** Waits until the parameters of a node that are saved, as JSON, have a text in them. */
  async saved(name: string, text: string): Promise<void> {
    await until(`${text} is saved`, async () => {
      const node = (await this.nodes()).find((one) => one.name === name);
      return JSON.stringify(node).includes(text) ? true : undefined;
    });
  }

  private async nodes() {
    const nodeSchema = z.looseObject({ name: z.string() });
    const workflowSchema = z.object({ nodes: z.array(nodeSchema) });
    return (await this.whole.api.call('GET', `/workflows/${this.id}`, workflowSchema)).nodes;
  }
}

/** Waits until so many executions of a workflow have ended; resolves with the newest. */
export async function ended(api: N8nApi, name: string, count: number): Promise<Ended> {
  const newest = await until(`execution ${count} of ${name} has ended`, async () => {
    const { results } = await api.call('GET', '/executions?limit=100', executionsSchema);
    const ours = results.filter(({ workflowName }) => workflowName === name);
    const isOver = ['success', 'error', 'crashed', 'canceled'].includes(ours[0]?.status ?? '');
    return ours.length === count && isOver ? ours[0] : undefined;
  });
  const { data } = await api.call('GET', `/executions/${newest.id}`, dataSchema);
  return { ...newest, data };
}

/** Each of so many has got one mail. */
export async function expectEachOnce(sandbox: RunningSandbox, count: number): Promise<void> {
  const recipients = (await sandbox.emails()).map(({ to: recipient }) => recipient);
  expect([recipients.length, new Set(recipients).size]).toEqual([count, count]);
}
