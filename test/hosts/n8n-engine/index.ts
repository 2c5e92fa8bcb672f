import './environment.cjs';
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import {
  CredentialTestContext,
  establishExecutionContext,
  ExecutionLifecycleHooks,
  ExternalSecretsProxy,
  LoadOptionsContext,
  PackageDirectoryLoader,
  WorkflowExecute,
} from 'n8n-core';
import {
  createRunExecutionData,
  deepCopy,
  jsonParse,
  Workflow,
  type IDataObject,
  type ILoadOptionsFunctions,
  type INode,
  type INodeCredentialTestResult,
  type INodeExecutionData,
  type INodeParameters,
  type INodeType,
  type IRunExecutionData,
  type IWorkflowExecuteAdditionalData,
  type WorkflowExecuteMode,
} from 'n8n-workflow';
import * as z from 'zod/v4-mini';
import { GivenCredentials, type CredentialData } from './credentials.js';
import { EngineNodeTypes } from './node-types.js';

import type { WorkflowFile } from './workflow-file.js';

export type { CredentialData } from './credentials.js';
export { readWorkflowFile } from './workflow-file.js';
export type { WorkflowFile } from './workflow-file.js';

/** How a workflow is run. */
export interface ExecuteOptions {
  /** Data of the credentials, by credential type. */
  credentials?: Record<string, CredentialData>;
  /** What the start node gives out; unless given, the data pinned to it in the file, or else one empty item. */
  inputItems?: IDataObject[];
  /** `manual` unless given; webhooks and schedules are `trigger`. */
  mode?: WorkflowExecuteMode;
  /** Execution that calls this workflow as a sub-workflow. */
  parentExecutionId?: string;
  /** Whether n8n stores when the run began before the first node runs; it does not of sub-workflows, nor in the editor. */
  isStored?: boolean;
  /** Whether n8n saves the execution's progress after each node. */
  savesProgress?: boolean;
  /** Id of the execution; a new one unless given. */
  executionId?: string;
  /** Stops the execution, as a person does in the editor. */
  stop?: AbortSignal;
  /** What expressions find in `$vars`: n8n's variables, which may hold lists here. */
  variables?: IDataObject;
}

/** One item that a node put out. */
export interface OutputItem {
  json: IDataObject;
  /** Index of the input item it came from. */
  pairedItem: number | undefined;
}

/** An error as n8n shows it on the node. */
export interface NodeFailure {
  message: string;
  description: string | undefined;
  itemIndex: number | undefined;
  httpCode: string | undefined;
  /** Data that the error carries for programs. */
  context: Readonly<Record<string, unknown>>;
}

/** What one node did. */
export interface NodeOutcome {
  /** Items of the first output. */
  items: OutputItem[];
  /** Items of every output. */
  branches: OutputItem[][];
  error: NodeFailure | undefined;
  /** What the output panel says beside the items. */
  hints: string[];
}

/** What an execution did. */
export interface ExecutionOutcome {
  status: string;
  executionId: string;
  error: NodeFailure | undefined;
  nodes: Record<string, NodeOutcome>;
  /** What n8n stored before the first node ran, a new copy each time: a worker that takes over begins with it. */
  readonly atStart: IRunExecutionData;
  /** What n8n stored after a node, as it does with 'Save execution progress'. */
  readonly savedAfter: (node: string) => IRunExecutionData | undefined;
  /** What n8n stored at the end: Retry in the list of executions begins with it. */
  atEnd: IRunExecutionData;
}

/** What a crash leaves of an execution. */
export interface Crash {
  /** What the start of the workflow reads now; as before unless given. */
  changed?: readonly IDataObject[];
  /** Nodes that had ended: n8n's recovery keeps a run of each, without what it did. */
  ended?: readonly string[];
  /** Node after which n8n had saved the execution's progress, if it had. */
  saved?: string;
}

/** Options of {@link createN8nEngine}. */
export interface EngineOptions {
  /** Folder of an installed `n8n-nodes-base`, and paths of those of its nodes that are wanted. */
  baseNodes?: { packageDir: string; files: string[] };
  /** Further node types of the test's own, by their full name. */
  nodes?: Record<string, INodeType>;
}

/**
 * n8n's own execution engine (n8n-core) in this process, with the built node package loaded as n8n loads it.
 */
export async function createN8nEngine(options: EngineOptions = {}): Promise<N8nEngine> {
  const loader = new PackageDirectoryLoader(dirname(require.resolve('n8n-nodes-audience/package.json')));
  await loader.loadAll();
  const loaders = [loader];
  if (options.baseNodes !== undefined) {
    const base = new PackageDirectoryLoader(options.baseNodes.packageDir);
    for (const file of options.baseNodes.files) base.loadNodeFromFile(file);
    loaders.push(base);
  }
  return new N8nEngine(new EngineNodeTypes(loaders, options.nodes));
}

/** See {@link createN8nEngine}. */
export class N8nEngine {
  constructor(private readonly nodeTypes: EngineNodeTypes) {}

  /** The node type of that name, such as `n8n-nodes-audience.audience`. */
  nodeType(name: string): INodeType {
    return this.nodeTypes.getByNameAndVersion(name);
  }

  /** Runs a workflow from its start node to the end. */
  async execute(file: WorkflowFile, options: ExecuteOptions = {}): Promise<ExecutionOutcome> {
    const workflow = this.workflow(file);
    const start = workflow.getStartNode();
    if (start === undefined) throw new Error('The workflow has no node to start from.');
    const given: INodeExecutionData[] | undefined = options.inputItems?.map((json) => ({ json }));
    const items = given ?? file.pinData?.[start.name] ?? [{ json: {} }];
    const pinData = { ...file.pinData, [start.name]: items };
    const data = createRunExecutionData({
      startData: {},
      executionData: { nodeExecutionStack: [{ node: start, data: { main: [items] }, source: null }] },
      resultData: { pinData },
      ...(options.parentExecutionId === undefined
        ? {}
        : { parentExecution: { executionId: options.parentExecutionId, workflowId: 'parent' } }),
    });
    return await this.process(file, data, options.mode ?? 'manual', options, workflow);
  }

  /** Runs an execution again from what was stored at its start, as another worker does that takes it over. */
  async takeOver(
    file: WorkflowFile,
    before: ExecutionOutcome,
    options: ExecuteOptions = {},
  ): Promise<ExecutionOutcome> {
    return await this.process(file, before.atStart, options.mode ?? 'manual', {
      ...options,
      executionId: before.executionId,
    });
  }

  /**
   * Runs an execution again that n8n did not see the end of, as Retry in the list of executions does.
   */
  async retryCrashed(
    file: WorkflowFile,
    before: ExecutionOutcome,
    options: ExecuteOptions = {},
    { changed, ended = [], saved = '' }: Crash = {},
  ): Promise<ExecutionOutcome> {
    const progress = before.savedAfter(saved);
    const data = progress ?? before.atStart;
    const { isStored = options.parentExecutionId === undefined } = options;
    if (!isStored && progress === undefined) delete data.executionData?.runtimeData;
    for (const name of ended) {
      data.resultData.runData[name] = [
        { executionIndex: 0, executionStatus: 'unknown', executionTime: 0, source: [null], startTime: 0 },
      ];
    }
    const [start] = data.executionData?.nodeExecutionStack ?? [];
    if (changed !== undefined && start !== undefined) {
      const read = changed.map((json) => ({ json }));
      data.resultData.pinData = { ...data.resultData.pinData, [start.node.name]: read };
    }
    return await this.process(file, data, 'retry', options);
  }

  /** Runs a failed execution again, as Retry in the list of executions does: from the failed node, with a new id. */
  async retry(
    file: WorkflowFile,
    before: Pick<ExecutionOutcome, 'atEnd'>,
    options: ExecuteOptions = {},
  ): Promise<ExecutionOutcome> {
    const data = deepCopy(before.atEnd);
    const failed = data.resultData.lastNodeExecuted;
    delete data.resultData.error;
    if (failed !== undefined && data.executionData?.nodeExecutionStack[0] !== undefined) {
      data.resultData.runData[failed]?.pop();
      // n8n takes the node's settings from the workflow as it is now.
      const stack = data.executionData.nodeExecutionStack;
      for (const entry of stack) {
        entry.node = file.nodes.find((node) => node.name === entry.node.name) ?? entry.node;
      }
    }
    return await this.process(file, data, 'retry', options);
  }

  /** Tests a credential with the test that a node brings along, as the editor does when it is saved. */
  async testCredential(
    nodeType: string,
    method: string,
    data: CredentialData,
  ): Promise<INodeCredentialTestResult> {
    const test = this.nodeType(nodeType).methods?.credentialTest?.[method];
    if (test === undefined) throw new Error(`${nodeType} has no credential test '${method}'.`);
    const additionalData = this.additionalData('credential', 'none', {});
    return await test.call(new CredentialTestContext(additionalData), {
      ...{ id: 'tested', name: 'Tested', type: 'tested' },
      data: { ...data },
    });
  }

  /** What the editor calls for the lists and fields of a node, and what it gives them as `this`. */
  inEditor(
    type: string,
    parameters: INodeParameters,
    credentials: Record<string, CredentialData>,
  ): { methods: NonNullable<INodeType['methods']>; context: ILoadOptionsFunctions } {
    const node: INode = {
      ...{ id: 'node-in-the-editor', name: 'Audience', type, typeVersion: 1, position: [0, 0], parameters },
      credentials: Object.fromEntries(Object.keys(credentials).map((key) => [key, { id: key, name: key }])),
    };
    const workflow = this.workflow({ nodes: [node], connections: {} });
    const additionalData = this.additionalData(workflow.id, 'none', credentials);
    const filled = workflow.getNode(node.name) ?? node;
    additionalData.currentNodeParameters = filled.parameters;
    const context = new LoadOptionsContext(workflow, filled, additionalData, '');
    return { methods: this.nodeType(type).methods ?? {}, context };
  }

  private workflow(file: WorkflowFile): Workflow {
    return new Workflow({
      id: file.id ?? 'workflow',
      name: file.name ?? 'Workflow',
      nodes: deepCopy(file.nodes),
      connections: file.connections,
      active: false,
      nodeTypes: this.nodeTypes,
      settings: { executionOrder: 'v1', ...file.settings },
    });
  }

  private additionalData(
    workflowId: string,
    executionId: string,
    credentials: Record<string, CredentialData>,
  ): IWorkflowExecuteAdditionalData {
    const base = 'http://localhost:5678';
    return {
      credentialsHelper: new GivenCredentials((type) => this.nodeTypes.credentialType(type), credentials),
      executeWorkflow: refuse,
      getRunExecutionData: () => Promise.resolve(undefined),
      getRuntimeCredential: () => Promise.resolve(undefined),
      startRunnerTask: refuse,
      executionId,
      workflowId,
      currentNodeExecutionIndex: 0,
      restApiUrl: `${base}/rest`,
      instanceBaseUrl: base,
      formBaseUrl: `${base}/form`,
      formWaitingBaseUrl: `${base}/form-waiting`,
      formTestBaseUrl: `${base}/form-test`,
      webhookBaseUrl: `${base}/webhook`,
      webhookWaitingBaseUrl: `${base}/webhook-waiting`,
      webhookTestBaseUrl: `${base}/webhook-test`,
      mcpBaseUrl: `${base}/mcp`,
      mcpTestBaseUrl: `${base}/mcp-test`,
      variables: {},
      logAiEvent: () => undefined,
      externalSecretsProxy: new ExternalSecretsProxy(),
    };
  }

  private async process(
    file: WorkflowFile,
    data: IRunExecutionData,
    mode: WorkflowExecuteMode,
    options: ExecuteOptions,
    workflow = this.workflow(file),
  ): Promise<ExecutionOutcome> {
    const executionId = options.executionId ?? randomUUID();
    const additionalData = this.additionalData(workflow.id, executionId, options.credentials ?? {});
    additionalData.variables = options.variables ?? {};
    const now = new Date();
    additionalData.hooks = new ExecutionLifecycleHooks(mode, executionId, {
      ...{ id: workflow.id, name: workflow.name ?? '', nodes: file.nodes, connections: file.connections },
      ...{ active: false, isArchived: false, activeVersionId: null, createdAt: now, updatedAt: now },
    });
    await establishExecutionContext(workflow, data, additionalData, mode);
    const atStart = JSON.stringify(data);
    const saved = new Map<string, string>();
    if (options.savesProgress === true)
      additionalData.hooks.addHandler('nodeExecuteAfter', (name, _task, run) => {
        saved.set(name, JSON.stringify(run));
      });
    const running = new WorkflowExecute(additionalData, mode, data).processRunExecutionData(workflow);
    options.stop?.addEventListener('abort', () => {
      running.cancel();
    });
    const run = await running;
    return {
      status: run.status,
      executionId,
      error: failureOf(run.data.resultData.error),
      nodes: outcomes(run.data),
      get atStart() {
        return jsonParse<IRunExecutionData>(atStart);
      },
      savedAfter: (name) => {
        const progress = saved.get(name);
        return progress === undefined ? undefined : jsonParse<IRunExecutionData>(progress);
      },
      atEnd: run.data,
    };
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('The test engine runs no sub-workflows, agents or task runners.'));
}

function outcomes(data: IRunExecutionData): Record<string, NodeOutcome> {
  const nodes: Record<string, NodeOutcome> = {};
  for (const [name, runs] of Object.entries(data.resultData.runData)) {
    const last = runs.at(-1);
    if (last === undefined) continue;
    const branches = (last.data?.['main'] ?? []).map((items) => (items ?? []).map(outputItem));
    const hints = (last.hints ?? []).map(({ message }) => message);
    nodes[name] = { items: branches[0] ?? [], branches, error: failureOf(last.error), hints };
  }
  return nodes;
}

function outputItem({ json, pairedItem }: INodeExecutionData): OutputItem {
  const [paired] = [pairedItem].flat();
  return { json, pairedItem: typeof paired === 'object' ? paired.item : paired };
}

const failureSchema = z.object({
  message: z.string(),
  description: z.catch(z.optional(z.string()), undefined),
  httpCode: z.catch(z.optional(z.string()), undefined),
  context: z.catch(z.looseObject({ itemIndex: z.optional(z.number()) }), {}),
});

function failureOf(error: unknown): NodeFailure | undefined {
  const { data } = failureSchema.safeParse(error);
  return data && { itemIndex: data.context.itemIndex, description: undefined, httpCode: undefined, ...data };
}
