import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { toOutput } from '../../helpers/output.js';
import { listFields, showFor } from '../common.descriptions.js';
import type { Item, ListOperation } from '../operation.js';

const description: INodeProperties[] = [
  ...listFields('contactProperty'),
  {
    displayName: 'Custom Only',
    name: 'customOnly',
    type: 'boolean',
    default: false,
    description: 'Whether to leave out the properties that every account has',
    displayOptions: showFor('contactProperty', 'getAll'),
  },
];

async function list(
  { session, parameters, signal }: Item,
  limit: number | undefined,
): Promise<IDataObject[]> {
  const query = { list: parameters.flag('customOnly') ? 'custom' : 'all' } as const;
  const properties = await session.api.properties.list(query, { signal });
  return properties.slice(0, limit).map(toOutput);
}

/** Lists the contact properties. */
export const getAll: ListOperation = { kind: 'list', description, list };
