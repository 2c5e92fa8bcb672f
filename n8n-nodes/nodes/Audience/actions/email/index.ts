import type { INodeProperties } from 'n8n-workflow';
import { getAll } from './getAll.operation.js';
import { send } from './send.operation.js';

/** Operations on emails, by the value of the Operation field. */
export const operations = { getAll, send };

/** Fields of the resource. */
export const description: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['email'] } },
    options: [
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many email designs',
        description: 'List the transactional emails that can be sent, with the variables of each',
      },
      {
        name: 'Send',
        value: 'send',
        action: 'Send email',
        description: 'Send a transactional email to one recipient, once however often it is retried',
      },
    ],
    default: 'send',
  },
  ...getAll.description,
  ...send.description,
];
