import type { INodeProperties } from 'n8n-workflow';
import { send } from './send.operation.js';

/** Operations on events, by the value of the Operation field. */
export const operations = { send };

/** Fields of the resource. */
export const description: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['event'] } },
    options: [
      {
        name: 'Send',
        value: 'send',
        action: 'Send event',
        description: 'Send an event that triggers automations, once however often it is retried',
      },
    ],
    default: 'send',
  },
  ...send.description,
];
