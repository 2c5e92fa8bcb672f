import type { SendResult } from 'audience-core';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Call, Item, Operation, Prepared } from '../item/operation.js';
import { field } from './fields.js';

/** A record of the service, which is JSON, as an output item's data. */
export function toOutput(record: object): IDataObject {
  return { ...record };
}

/**
 * The output of an operation that sends.
 *
 * @param what names the email or event.
 */
export function sendingOutput(what: IDataObject, { deduplicated }: SendResult): IDataObject[] {
  return [{ success: true, ...what, ...(deduplicated ? { deduplicated } : {}) }];
}

const LIST_FIELDS: readonly INodeProperties[] = [
  field('boolean', 'Return All', 'returnAll', {
    description: 'Whether to return all results or only up to a given limit',
  }),
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
function readLimit({ parameters }: Item): number {
  return parameters.flag('returnAll') ? Number.POSITIVE_INFINITY : parameters.number('limit');
}

const GET_MANY = { value: 'getAll', name: 'Get Many', kind: 'lists' } as const;

/** Lists the transactional email designs. */
export const getEmails: Operation = {
  ...GET_MANY,
  action: 'Get many email designs',
  description: 'List the transactional emails that can be sent, with the variables of each',
  fields: LIST_FIELDS,
  output: { id: 'string', name: 'string', lastUpdated: 'string', dataVariables: 'array' },
  prepare(item): Prepared {
    const limit = readLimit(item);
    const call: Call = async ({ options: { signal } }) => {
      const emails: IDataObject[] = [];
      for await (const email of item.session.api.transactional.iterate({ limit, signal })) {
        emails.push(toOutput(email));
      }
      return emails;
    };
    return { call };
  },
};

/** Lists the contact properties. */
export const getProperties: Operation = {
  ...GET_MANY,
  action: 'Get many contact properties',
  description: 'List the properties that contacts can have, with their types',
  fields: [
    ...LIST_FIELDS,
    field('boolean', 'Custom Only', 'customOnly', {
      description: 'Whether to return only custom properties',
    }),
  ],
  output: { key: 'string', label: 'string', type: 'string' },
  prepare(item): Prepared {
    const limit = readLimit(item);
    const list = item.parameters.flag('customOnly') ? 'custom' : 'all';
    const call: Call = async ({ options }) => {
      const properties = await item.session.api.properties.list({ list }, options);
      return properties.slice(0, limit).map(toOutput);
    };
    return { call };
  },
};

/** Lists the subscription groups. */
export const getGroups: Operation = {
  ...GET_MANY,
  action: 'Get many subscription groups',
  description: 'List the groups that contacts can be subscribed to',
  fields: LIST_FIELDS,
  output: { id: 'string', name: 'string', description: 'string' },
  prepare(item): Prepared {
    const limit = readLimit(item);
    const call: Call = async ({ options }) => {
      const groups = await item.session.api.subscriptionGroups.list(options);
      return groups.slice(0, limit).map(toOutput);
    };
    return { call };
  },
};
