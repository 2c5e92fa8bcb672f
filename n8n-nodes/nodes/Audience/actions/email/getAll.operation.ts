import type { IDataObject } from 'n8n-workflow';
import { LIST_FIELDS, readLimit, toOutput } from '../list.js';
import type { Call, Item, Operation, Prepared } from '../../run/operation.js';

function prepare({ session, parameters }: Item): Prepared {
  const limit = readLimit(parameters);
  const call: Call = async ({ options: { signal } }) => {
    const emails: IDataObject[] = [];
    for await (const email of session.api.transactional.iterate({ limit, signal })) {
      emails.push(toOutput(email));
    }
    return emails;
  };
  return { call };
}

/** Lists the transactional email designs. */
export const getAll: Operation = {
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many email designs',
  description: 'List the transactional emails that can be sent, with the variables of each',
  kind: 'lists',
  fields: LIST_FIELDS,
  output: { id: 'string', name: 'string', lastUpdated: 'string', dataVariables: 'array' },
  prepare,
};
