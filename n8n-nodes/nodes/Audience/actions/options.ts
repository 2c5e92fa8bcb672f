import type { INodeProperties } from 'n8n-workflow';
import type { Parameters } from '../form/parameters.js';
import type { Operation } from '../item/operation.js';

const ITEMS_AT_ONCE: INodeProperties = {
  displayName: 'Items at Once',
  name: 'concurrency',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: 500 },
  default: 50,
  description: 'Max number of items under way at the same time. It begins with 10 and rises.',
};

const IDEMPOTENCY_KEY: INodeProperties = {
  displayName: 'Idempotency Key',
  name: 'idempotencyKey',
  type: 'string',
  default: '',
  placeholder: 'e.g. order-1001-receipt',
  description: 'The same key sends once in 24 hours, in any run, to the same recipient',
};

/** The fields of an operation, with its options; a read has none. */
export function allFields({ fields, kind }: Operation): INodeProperties[] {
  if (kind === 'reads' || kind === 'lists') return [...fields];
  return [
    ...fields,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: kind === 'sends' ? [IDEMPOTENCY_KEY, ITEMS_AT_ONCE] : [ITEMS_AT_ONCE],
    },
  ];
}

/**
 * How many items are under way at once; the first item's expression counts.
 *
 * @throws InputProblem for a number that is out of bounds.
 */
export function readConcurrency({ kind }: Operation, parameters: Parameters): number {
  if (kind === 'reads' || kind === 'lists') return Number(ITEMS_AT_ONCE.default);
  return parameters.number('options.concurrency');
}
