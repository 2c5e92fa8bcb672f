import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { description as contact } from './actions/contact/index.js';
import { description as contactProperty } from './actions/contactProperty/index.js';
import { description as email } from './actions/email/index.js';
import { description as event } from './actions/event/index.js';
import { router } from './actions/router.js';
import { description as subscriptionGroup } from './actions/subscriptionGroup/index.js';
import { listSearch, loadOptions, resourceMapping } from './methods/index.js';

/**
 * The Audience node. Programmatic rather than declarative, as one item can take several calls, keys are derived
 * per item, and items run concurrently with their pairing kept.
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
    credentials: [{ name: 'audienceApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Contact', value: 'contact' },
          { name: 'Contact Property', value: 'contactProperty' },
          { name: 'Email', value: 'email' },
          { name: 'Event', value: 'event' },
          { name: 'Subscription Group', value: 'subscriptionGroup' },
        ],
        default: 'email',
      },
      ...contact,
      ...contactProperty,
      ...email,
      ...event,
      ...subscriptionGroup,
    ],
  };

  methods = { listSearch, loadOptions, resourceMapping };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [await router(this)];
  }
}
