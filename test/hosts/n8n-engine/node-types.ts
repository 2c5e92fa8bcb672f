import { NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';
import type {
  ICredentialType,
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  INodeTypes,
  IVersionedNodeType,
} from 'n8n-workflow';
import type { PackageDirectoryLoader } from 'n8n-core';

/**
 * The node types that a workflow may use: those of the loaded packages, as built, and stand-ins for n8n's own.
 *
 * A stand-in hands its input on. It is good for triggers, whose data the test gives, and for nodes behind
 * ours that only collect; a node that computes something belongs in the whole n8n (test/hosts/n8n).
 */
export class EngineNodeTypes implements INodeTypes {
  constructor(private readonly loaders: readonly PackageDirectoryLoader[]) {}

  getByName(nodeType: string): INodeType | IVersionedNodeType {
    const { loader, name } = this.locate(nodeType);
    if (loader === undefined) return standIn(name);
    return loader.getNode(name).type;
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

  private locate(nodeType: string) {
    const dot = nodeType.lastIndexOf('.');
    const name = nodeType.slice(dot + 1);
    const packageName = nodeType.slice(0, dot);
    const loader = this.loaders.find((candidate) => candidate.packageName === packageName);
    if (loader === undefined && packageName !== 'n8n-nodes-base') {
      throw new Error(`The workflow uses '${nodeType}', of a package that is not loaded.`);
    }
    const has = loader !== undefined && name in loader.nodeTypes;
    if (loader !== undefined && !has && packageName !== 'n8n-nodes-base') {
      throw new Error(`The package '${packageName}' has no node '${name}'.`);
    }
    return { loader: has ? loader : undefined, name };
  }
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
  return {
    description,
    execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
      return Promise.resolve([this.getInputData()]);
    },
  };
}
