import type { RunningSandbox } from 'audience-sandbox';
import { z } from 'zod/v4';
import type { N8nApi, N8nInstance } from '../../hosts/n8n/instance.js';
import { until } from '../../hosts/until.js';

/** The credential of the workflows, by which they name it. */
export const CREDENTIAL = { id: 'audienceAccount1', name: 'Audience account' };

/** Gives an instance the credential for a sandbox. */
export async function importCredential(n8n: N8nInstance, { url, apiKey }: RunningSandbox): Promise<void> {
  const credentials = [{ ...CREDENTIAL, type: 'audienceApi', data: { baseUrl: url, apiKey } }];
  await n8n.cli(['import:credentials', `--input=${n8n.writeFile('credentials.json', credentials)}`]);
}

const savedSchema = z.object({ id: z.string(), versionId: z.string() });
const executionsSchema = z.object({
  results: z.array(z.object({ id: z.string(), status: z.string(), workflowName: z.string().nullish() })),
});

/** Creates a workflow and publishes it; answers with its id. */
export async function publishWorkflow(api: N8nApi, workflow: object): Promise<string> {
  const settings = { executionOrder: 'v1' };
  const { id, versionId } = await api.call('POST', '/workflows', savedSchema, { settings, ...workflow });
  await api.call('POST', `/workflows/${id}/activate`, z.unknown(), { versionId });
  return id;
}

/** What a node that sends an email to this address has beside its name. */
export function sending(email: string, options: SendSettings['options'] = {}) {
  return {
    credentials: { audienceApi: CREDENTIAL },
    parameters: {
      resource: 'email',
      operation: 'send',
      transactionalId: { __rl: true, mode: 'id', value: 'design-welcome' },
      email,
      dataVariables: { mappingMode: 'defineBelow', value: { firstName: email, planName: 'Free' } },
      options,
    },
  };
}

const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });

const WIRES: Readonly<Record<Way, object>> = {
  'at once': { People: to('Send') },
  'in batches': {
    People: to('Loop'),
    Loop: { main: [[], [{ node: 'Send', type: 'main', index: 0 }]] },
    Send: to('Loop'),
  },
  'behind another': { People: to('First'), First: to('People again'), 'People again': to('Send') },
};

/** Settings of the node that sends, and its options. */
export interface SendSettings {
  readonly node?: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** How the people get to the node that sends: all at once, in batches of a loop, or behind another that sends as well. */
export type Way = 'at once' | 'in batches' | 'behind another';

/** A published workflow that sends an email to each of many people when its webhook is called. */
export class Mailing {
  private constructor(
    readonly workflowId: string,
    private readonly path: string,
    private readonly n8n: N8nInstance,
    private readonly api: N8nApi,
    private readonly count: number,
  ) {}

  static async publish(
    n8n: N8nInstance,
    api: N8nApi,
    path: string,
    count: number,
    { node = {}, options }: SendSettings,
    way: Way = 'at once',
  ): Promise<Mailing> {
    const at = { position: [0, 0] };
    const jsCode = `return Array.from({ length: ${count} }, (_, i) => ({ json: { email: 'person-' + i + '@example.com' } }));`;
    const id = await publishWorkflow(api, {
      name: path,
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
          ...{ id: '3', name: 'Send', type: 'n8n-nodes-audience.audience', typeVersion: 1, ...node },
          ...sending('={{ $json.email }}', options),
        },
        {
          ...at,
          ...{ id: '4', name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
          parameters: { batchSize: 4, options: {} },
        },
        {
          ...at,
          ...{ id: '5', name: 'First', type: 'n8n-nodes-audience.audience', typeVersion: 1 },
          ...sending("={{ 'first-' + $json.email }}", {}),
        },
        {
          ...at,
          ...{ id: '6', name: 'People again', type: 'n8n-nodes-base.code', typeVersion: 2 },
          parameters: { jsCode },
        },
      ],
      connections: { Hook: to('People'), ...WIRES[way] },
    });
    return new Mailing(id, path, n8n, api, count);
  }

  /** Calls the webhook once; n8n puts it up some time after the workflow was published. */
  async call(): Promise<void> {
    await until(`the webhook of ${this.path} is there`, async () => {
      const { status } = await fetch(`${this.n8n.url}/webhook/${this.path}`, { method: 'POST' });
      return status === 200 ? true : undefined;
    });
  }

  /** Waits until so many executions of it have ended; resolves with the newest. */
  async ended(count: number): Promise<{ id: string; status: string }> {
    return await until(`execution ${count} of ${this.path} has ended`, async () => {
      const { results } = await this.api.call('GET', '/executions', executionsSchema);
      const ours = results.filter(({ workflowName }) => workflowName === this.path);
      const [newest] = ours;
      const isOver = ['success', 'error', 'crashed', 'canceled'].includes(newest?.status ?? '');
      return ours.length === count && isOver ? newest : undefined;
    });
  }

  /** Each of the people has got one mail. */
  expectEachOnce(sandbox: RunningSandbox): void {
    const recipients = sandbox.emails().map(({ to }) => to);
    expect(new Set(recipients).size).toBe(this.count);
    expect(recipients).toHaveLength(this.count);
  }
}
