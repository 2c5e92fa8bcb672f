import type { INodeProperties } from 'n8n-workflow';
import { getAll } from './getAll.operation.js';

/** Operations on subscription groups, by the value of the Operation field. */
export const operations = { getAll };

/** Fields of the resource. */
export const description: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['subscriptionGroup'] } },
    options: [
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many subscription groups',
        description: 'List the groups that contacts can be subscribed to',
      },
    ],
    default: 'getAll',
  },
  ...getAll.description,
];
