import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';
import { describeResources } from './actions/resources.js';
import { router } from './actions/router.js';
import * as credentialTest from './methods/credentialTest.js';
import { getSubscriptionGroups, searchEmails } from './methods/lists.js';
import * as resourceMapping from './methods/resourceMapping.js';

/**
 * The Audience node. Programmatic rather than declarative: one item can need several calls, each has its own
 * key, and items run concurrently with their pairing kept.
 */
export class Audience implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Audience',
    name: 'audience',
    icon: { light: 'file:../../icons/audience.svg', dark: 'file:../../icons/audience.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Send transactional emails and events, and keep contacts up to date',
    defaults: { name: 'Audience' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'audienceApi', required: true, testedBy: 'audienceApiTest' }],
    properties: describeResources(),
  };

  methods = {
    credentialTest,
    listSearch: { searchEmails },
    loadOptions: { getSubscriptionGroups },
    resourceMapping,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [await router(this)];
  }
}
