import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Parameters } from '../parameters/parameters.js';

/** Fields of a Get Many operation. */
export const LIST_FIELDS: readonly INodeProperties[] = [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { returnAll: [false] } },
  },
];

/** How many entries are wanted at most. */
export function readLimit(parameters: Parameters): number {
  return parameters.flag('returnAll') ? Number.POSITIVE_INFINITY : parameters.number('limit');
}

/** A record of the service, which is JSON, as an output item's data. */
export function toOutput(record: object): IDataObject {
  return { ...record };
}
