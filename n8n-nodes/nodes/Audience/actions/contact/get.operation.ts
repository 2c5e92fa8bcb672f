import type { Contact, ContactProperty } from 'audience-core';
import { contactFieldEntries, decodeValue } from 'audience-core/internal';
import type { IDataObject } from 'n8n-workflow';
import { field } from '../fields.js';
import { toOutput } from '../output.js';
import type { Call, Item, Operation, Prepared } from '../../run/operation.js';
import { contactLocator, IF_NOT_FOUND, readContactLocator, unlessNotFound } from './contact-locator.js';

/** Types in the output, by those of the table of fields. */
const OUTPUT_TYPES = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'string',
  groups: 'array',
} as const;

/** Those of the fields that every contact has. */
const DATES: readonly string[] = contactFieldEntries
  .filter(([, { type }]) => type === 'date')
  .map(([name]) => name);

/** Fields of a simplified contact; custom properties come with them. */
const SIMPLIFIED: Operation['output'] = {
  id: 'string',
  ...Object.fromEntries(
    contactFieldEntries
      .filter(([, { setBy }]) => setBy.length > 0)
      .map(([name, { type }]) => [name, OUTPUT_TYPES[type]]),
  ),
};

function prepare(item: Item): Prepared {
  const { identifier } = readContactLocator(item);
  const simplify = item.parameters.flag('simplify');
  const read: Call = async ({ options }) => {
    const reading = item.session.api.contacts.get(identifier, options);
    if (!simplify) return [toOutput(await reading)];
    const [contact, custom] = await Promise.all([reading, item.session.customProperties()]);
    return [simplified(contact, custom)];
  };
  return { call: unlessNotFound(item, read) };
}

/** Fields that have a value, dates as ISO text, and the ids of the groups that the contact is subscribed to. */
function simplified(
  { subscriptionGroups, ...fields }: Contact,
  custom: ReadonlyMap<string, ContactProperty>,
): IDataObject {
  const groups = Object.entries(subscriptionGroups ?? {}).filter(([, subscribed]) => subscribed);
  const filled = Object.entries(toOutput(fields))
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => {
      const isDate = DATES.includes(name) || custom.get(name)?.type === 'date';
      const date = isDate ? decodeValue('date', value) : undefined;
      return [name, date instanceof Date ? date.toISOString() : value] as const;
    });
  return { ...Object.fromEntries(filled), subscriptionGroups: groups.map(([id]) => id) };
}

/** Reads a contact. */
export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get contact',
  description: 'Retrieve a contact with all its fields',
  kind: 'reads',
  fields: [
    contactLocator('The contact to read'),
    IF_NOT_FOUND,
    field('boolean', 'Simplify', 'simplify', {
      default: true,
      description: 'Whether to return a simplified version of the response instead of the raw data',
    }),
  ],
  output: SIMPLIFIED,
  prepare,
};
