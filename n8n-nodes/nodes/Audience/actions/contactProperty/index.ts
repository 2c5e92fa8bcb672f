import type { INodeProperties } from 'n8n-workflow';
import { create } from './create.operation.js';
import { getAll } from './getAll.operation.js';

/** Operations on contact properties, by the value of the Operation field. */
export const operations = { create, getAll };

/** Fields of the resource. */
export const description: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['contactProperty'] } },
    options: [
      {
        name: 'Create',
        value: 'create',
        action: 'Create contact property',
        description: 'Add a property of your own that contacts can have',
      },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many contact properties',
        description: 'List the properties that contacts can have, with their types',
      },
    ],
    default: 'getAll',
  },
  ...create.description,
  ...getAll.description,
];
