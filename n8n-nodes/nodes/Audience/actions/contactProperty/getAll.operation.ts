import { LIST_FIELDS, readLimit, toOutput } from '../list.js';
import type { Call, Item, Operation, Prepared } from '../../run/operation.js';

function prepare({ session, parameters }: Item): Prepared {
  const limit = readLimit(parameters);
  const list = parameters.flag('customOnly') ? 'custom' : 'all';
  const call: Call = async ({ options }) => {
    const properties = await session.api.properties.list({ list }, options);
    return properties.slice(0, limit).map(toOutput);
  };
  return { call };
}

/** Lists the contact properties. */
export const getAll: Operation = {
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many contact properties',
  description: 'List the properties that contacts can have, with their types',
  kind: 'lists',
  fields: [
    ...LIST_FIELDS,
    {
      displayName: 'Custom Only',
      name: 'customOnly',
      type: 'boolean',
      default: false,
      description: 'Whether to return only custom properties',
    },
  ],
  output: { key: 'string', label: 'string', type: 'string' },
  prepare,
};
