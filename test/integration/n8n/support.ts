import {
  startSandbox,
  type RequestLogEntry,
  type RunningSandbox,
  type SandboxOptions,
} from 'audience-sandbox';
import type { IDataObject, INode, INodeConnections, INodeParameters, IWorkflowSettings } from 'n8n-workflow';
import {
  createN8nEngine,
  type CredentialData,
  type EngineOptions,
  type ExecuteOptions,
  type ExecutionOutcome,
  type N8nEngine,
  type NodeOutcome,
  type WorkflowFile,
} from '../../hosts/n8n-engine/index.js';

/** Type of our node, as n8n names it. */
export const NODE_TYPE = 'n8n-nodes-audience.audience';

/** Name of our node in the workflows of these tests. */
export const NODE = 'Audience';

/** How one node is run. */
export interface RunOptions extends ExecuteOptions {
  /** Settings of the node beside its parameters: `onError`, `retryOnFail`, ... */
  settings?: Partial<INode>;
  /** Settings of the workflow, such as its time zone. */
  workflowSettings?: IWorkflowSettings;
}

/** What came of it. */
export interface NodeRun extends NodeOutcome {
  outcome: ExecutionOutcome;
  workflow: WorkflowFile;
}

/** An n8n engine and a sandbox for it, once they are started. */
export class Setup {
  n8n!: N8nEngine;
  sandbox!: RunningSandbox;
  credentials: Record<string, CredentialData> = {};

  /** Starts a sandbox and loads the built node into n8n's engine. */
  async start(options?: SandboxOptions, engine?: EngineOptions): Promise<void> {
    this.sandbox = await startSandbox(options);
    this.n8n = await createN8nEngine(engine);
    const usedKeyStatus = options?.profile?.duplicates === 'refuse' ? 409 : 0;
    const { url: baseUrl, apiKey } = this.sandbox;
    this.credentials = { audienceApi: { baseUrl, apiKey, usedKeyStatus } };
  }

  /** Runs one Audience node over the input items. */
  async run(
    parameters: INodeParameters,
    inputItems?: IDataObject[],
    { settings, workflowSettings, ...options }: RunOptions = {},
  ): Promise<NodeRun> {
    const workflow = { ...oneNode(parameters, settings), settings: workflowSettings };
    const items = inputItems === undefined ? {} : { inputItems };
    const { credentials } = this;
    const outcome = await this.n8n.execute(workflow, { credentials, ...items, ...options });
    return { ...nodeOutcome(outcome), outcome, workflow };
  }
}

/** One for all tests of a file; its sandbox begins anew with each. */
export function setUpForFile(options?: SandboxOptions, engine?: EngineOptions): Setup {
  const setup = new Setup();
  let ahead = 0;
  beforeAll(async () => {
    const { now } = Date;
    Date.now = () => now() + ahead;
    await setup.start(options, engine);
  });
  beforeEach(() => {
    setup.sandbox.reset();
    // The node keeps what it has read for a minute.
    ahead += 61_000;
  });
  afterAll(() => setup.sandbox.close());
  return setup;
}

/** What our node did in an execution. */
export function nodeOutcome(outcome: ExecutionOutcome): NodeOutcome {
  const node = outcome.nodes[NODE];
  return {
    items: node?.items ?? [],
    branches: node?.branches ?? [],
    error: node?.error ?? outcome.error,
    hints: node?.hints ?? [],
  };
}

/** A workflow of a trigger, one Audience node, and a node behind each of its outputs. */
export function oneNode(parameters: INodeParameters, settings: Partial<INode> = {}): WorkflowFile {
  const others = ['Done', 'Failed'].map((name) => node(name, 'n8n-nodes-base.noOp', {}));
  return {
    id: 'workflow-1',
    name: 'One node',
    nodes: [TRIGGER, ours(NODE, parameters, settings), ...others],
    connections: { Trigger: to([NODE]), [NODE]: to(['Done'], ['Failed']) },
  };
}

/** A node of a workflow. */
export function node(name: string, type: string, parameters: INodeParameters): INode {
  return { id: `id-of-${name}`, name, type, typeVersion: 1, position: [0, 0], parameters };
}

/** Where the workflows of these tests begin. */
export const TRIGGER = node('Trigger', 'n8n-nodes-base.manualTrigger', {});

/** An Audience node. */
export function ours(name: string, parameters: INodeParameters, settings: Partial<INode> = {}): INode {
  const credentials = { audienceApi: { id: 'credential-1', name: 'Audience account' } };
  return { ...node(name, NODE_TYPE, parameters), credentials, ...settings };
}

/** The nodes behind each output of a node. */
export function to(...outputs: readonly string[][]): INodeConnections {
  return { main: outputs.map((names) => names.map((name) => ({ node: name, type: 'main', index: 0 }))) };
}

/** A resource locator's value. */
export function locator(mode: string, value: string) {
  return { __rl: true, mode, value };
}

/** A resource mapper's value as an API-written workflow stores it: without a schema. */
export function mapped(value: INodeParameters): INodeParameters {
  return { mappingMode: 'defineBelow', value };
}

/** A resource mapper that takes its fields from the input. */
export const AUTO_MAPPED: INodeParameters = { mappingMode: 'autoMapInputData', value: null };

/** Parameters of an email to `{{ $json.email }}` with the variables of the default seed's welcome email. */
export function emailParameters(
  options: INodeParameters = {},
  variables: INodeParameters = { firstName: '={{ $json.firstName }}', planName: 'Free' },
): INodeParameters {
  return {
    resource: 'email',
    operation: 'send',
    transactionalId: locator('list', 'design-welcome'),
    email: '={{ $json.email }}',
    dataVariables: mapped(variables),
    options,
  };
}

/** So many people to write to. */
export function people(count: number): { email: string; firstName: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    email: `person-${index}@example.com`,
    firstName: `Person ${index}`,
  }));
}

/** The calls that changed something, or tried to. */
export function writes(sandbox: RunningSandbox): RequestLogEntry[] {
  return sandbox.requests().filter(({ method }) => method !== 'GET');
}

/** The part of a call's body. */
export function bodyOf(entry: RequestLogEntry | undefined): Record<string, unknown> {
  const body: unknown = entry?.requestBody;
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
