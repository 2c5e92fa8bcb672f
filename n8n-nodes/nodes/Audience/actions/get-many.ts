import type { CallOptions, SendResult, TransactionalEmail } from 'audience-core';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Item, Operation, Prepared } from '../item/operation.js';
import { field } from './fields.js';

/** The output of an operation that sends; `what` names the email or event. */
export function sendingOutput(what: IDataObject, { deduplicated }: SendResult): IDataObject[] {
  return [{ success: true, ...what, ...(deduplicated ? { deduplicated } : {}) }];
}

const LIST_FIELDS: readonly INodeProperties[] = [
  field('boolean', 'Return All', 'returnAll', {
    description: 'Whether to return all results or only up to a given limit',
  }),
  field('number', 'Limit', 'limit', {
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { returnAll: [false] } },
  }),
];

/** An operation that lists records; `read` is given how many are wanted at most. */
function lists(
  texts: Pick<Operation, 'action' | 'description'>,
  read: (item: Item, limit: number, options: CallOptions) => Promise<readonly object[]>,
  fields: readonly INodeProperties[] = [],
): Operation {
  return {
    ...{ value: 'getAll', name: 'Get Many', kind: 'lists', ...texts, fields: [...LIST_FIELDS, ...fields] },
    prepare(item): Prepared {
      const { parameters } = item;
      const limit = parameters.flag('returnAll') ? Number.POSITIVE_INFINITY : parameters.number('limit');
      return {
        call: async (options) =>
          (await read(item, limit, options)).slice(0, limit).map((record) => ({ ...record })),
      };
    },
  };
}

export const getEmails = lists(
  {
    action: 'Get many email designs',
    description: 'List the transactional emails that can be sent, with the variables of each',
  },
  async ({ session }, limit, { signal }) => {
    const emails: TransactionalEmail[] = [];
    for await (const email of session.api.transactional.iterate({ signal }))
      if (emails.push(email) >= limit) break;
    return emails;
  },
);

export const getProperties = lists(
  {
    action: 'Get many contact properties',
    description: 'List the properties that contacts can have, with their types',
  },
  ({ session, parameters }, _limit, options) =>
    session.api.properties.list({ list: parameters.flag('customOnly') ? 'custom' : 'all' }, options),
  [
    field('boolean', 'Custom Only', 'customOnly', {
      description: 'Whether to return only custom properties',
    }),
  ],
);

export const getGroups = lists(
  {
    action: 'Get many subscription groups',
    description: 'List the groups that contacts can be subscribed to',
  },
  ({ session }, _limit, options) => session.api.subscriptionGroups.list(options),
);
