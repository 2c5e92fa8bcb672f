import { LIST_FIELDS, readLimit, toOutput } from '../list.js';
import type { Call, Item, Operation, Prepared } from '../../run/operation.js';

function prepare({ session, parameters }: Item): Prepared {
  const limit = readLimit(parameters);
  const call: Call = async ({ options }) => {
    const groups = await session.api.subscriptionGroups.list(options);
    return groups.slice(0, limit).map(toOutput);
  };
  return { call };
}

/** Lists the subscription groups. */
export const getAll: Operation = {
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many subscription groups',
  description: 'List the groups that contacts can be subscribed to',
  kind: 'lists',
  fields: LIST_FIELDS,
  output: { id: 'string', name: 'string', description: 'string' },
  prepare,
};
