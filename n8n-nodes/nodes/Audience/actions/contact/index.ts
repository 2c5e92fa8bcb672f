import type { INodeProperties } from 'n8n-workflow';
import { get } from './get.operation.js';
import { update } from './update.operation.js';

/** Operations on contacts, by the value of the Operation field. */
export const operations = { get, update };

/** Fields of the resource. */
export const description: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['contact'] } },
    options: [
      {
        name: 'Get',
        value: 'get',
        action: 'Get contact',
        description: 'Retrieve a contact with all its fields',
      },
      {
        name: 'Update',
        value: 'update',
        action: 'Update contact',
        description: 'Change fields and subscription groups of an existing contact',
      },
    ],
    default: 'get',
  },
  ...get.description,
  ...update.description,
];
