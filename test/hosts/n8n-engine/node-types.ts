import {
  NodeConnectionTypes,
  NodeHelpers,
  type ICredentialType,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  type INodeType,
  type INodeTypeDescription,
  type INodeTypes,
  type IVersionedNodeType,
} from 'n8n-workflow';
import type { PackageDirectoryLoader } from 'n8n-core';

/**
 * The node types that a workflow may use: those of the loaded packages, as built, and stand-ins for n8n's own.
 *
 * A stand-in hands its input on. It is good for triggers, whose data the test gives, and for nodes behind
 * ours that only collect; a node that computes something belongs in the whole n8n (test/hosts/n8n).
 */
export class EngineNodeTypes implements INodeTypes {
  constructor(
    private readonly loaders: readonly PackageDirectoryLoader[],
    private readonly given: Readonly<Record<string, INodeType>> = {},
  ) {}

  getByName(nodeType: string): INodeType | IVersionedNodeType {
    const given = this.given[nodeType];
    if (given !== undefined) return given;
    if (nodeType.endsWith(TOOL)) return asTool(this.getByNameAndVersion(nodeType.slice(0, -TOOL.length)));
    const dot = nodeType.lastIndexOf('.');
    const [packageName, name] = [nodeType.slice(0, dot), nodeType.slice(dot + 1)];
    const loader = this.loaders.find((one) => one.packageName === packageName && name in one.nodeTypes);
    if (loader !== undefined) return loader.getNode(name).type;
    if (packageName !== 'n8n-nodes-base') throw new Error(`No loaded package has a node '${nodeType}'.`);
    return standIn(name);
  }

  getByNameAndVersion(nodeType: string, version?: number): INodeType {
    return NodeHelpers.getVersionedNodeType(this.getByName(nodeType), version);
  }

  getKnownTypes(): IDataObject {
    return {};
  }

  /** The credential type of that name. */
  credentialType(name: string): ICredentialType {
    for (const loader of this.loaders) {
      if (name in loader.credentialTypes) return loader.getCredential(name).type;
    }
    throw new Error(`No loaded package has a credential type '${name}'.`);
  }
}

/** n8n makes a tool of every node that can be one, under its name with this behind it. */
const TOOL = 'Tool';

/** What n8n changes when it makes a tool of a node: name, inputs and outputs, and a description for the model. */
function asTool(node: INodeType): INodeType {
  const { usableAsTool, ...description } = node.description;
  if (usableAsTool === undefined) throw new Error(`${description.name} cannot be a tool.`);
  const descriptionType: INodeProperties = {
    displayName: 'Tool Description',
    name: 'descriptionType',
    type: 'options',
    options: [],
    default: 'auto',
  };
  return {
    description: {
      ...description,
      name: `${description.name}Tool`,
      displayName: `${description.displayName} Tool`,
      inputs: [],
      outputs: [NodeConnectionTypes.AiTool],
      properties: [descriptionType, ...description.properties],
    },
    async execute(this: IExecuteFunctions) {
      if (node.execute === undefined) throw new Error(`${description.name} cannot be executed.`);
      return await node.execute.call(this);
    },
  };
}

const TRIGGER_NAME = /trigger$|^webhook$/i;

function standIn(name: string): INodeType {
  const isTrigger = TRIGGER_NAME.test(name);
  const description: INodeTypeDescription = {
    displayName: name,
    name,
    group: [isTrigger ? 'trigger' : 'transform'],
    version: 1,
    description: 'Hands its input on',
    defaults: { name },
    inputs: isTrigger ? [] : [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    properties: [],
  };
  // Never called: the engine gives a trigger's data. n8n looks for it to find where a workflow starts.
  if (isTrigger) return { description, trigger: () => Promise.resolve({}) };
  return {
    description,
    execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
      return Promise.resolve([this.getInputData()]);
    },
  };
}
