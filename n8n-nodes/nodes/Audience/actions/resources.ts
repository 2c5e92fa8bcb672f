import { CONCURRENCY } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import { get, unsubscribe, update } from './contacts.js';
import { upsert, send as sendEvent } from './events.js';
import { create } from './create-property.js';
import { field } from './fields.js';
import { send as sendEmail } from './send-email.js';
import { getEmails, getGroups, getProperties } from './get-many.js';
import type { Resource, Operation } from '../item/operation.js';

/** All that the node can work with, in the order of the list. */
export const RESOURCES: readonly Resource[] = [
  { value: 'contact', name: 'Contact', operations: [upsert, get, unsubscribe, update], default: get },
  {
    value: 'contactProperty',
    name: 'Contact Property',
    operations: [create, getProperties],
    default: getProperties,
  },
  { value: 'email', name: 'Email', operations: [getEmails, sendEmail], default: sendEmail },
  { value: 'event', name: 'Event', operations: [sendEvent], default: sendEvent },
  { value: 'subscriptionGroup', name: 'Subscription Group', operations: [getGroups], default: getGroups },
];

/** The fields of all resources, each shown where it belongs. */
export function describeResources(): INodeProperties[] {
  return [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: RESOURCES.map(({ name, value }) => ({ name, value })),
      default: 'email',
    },
    ...RESOURCES.flatMap((resource) => [
      operationField(resource),
      ...resource.operations.flatMap((operation) => fieldsOf(resource, operation)),
    ]),
  ];
}

function operationField(resource: Resource): INodeProperties {
  // n8n's scanner takes a member expression for a missing default.
  const initial = resource.default.value;
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource.value] } },
    options: resource.operations.map(({ name, value, action, description }) => ({
      name,
      value,
      action,
      description,
    })),
    default: initial,
  };
}

function fieldsOf(resource: Resource, operation: Operation): INodeProperties[] {
  return allFields(operation).map((field) => ({
    ...field,
    displayOptions: {
      ...field.displayOptions,
      show: { resource: [resource.value], operation: [operation.value], ...field.displayOptions?.show },
    },
  }));
}

const ITEMS_AT_ONCE = field('number', 'Items at Once', 'concurrency', {
  typeOptions: { minValue: 1, maxValue: CONCURRENCY },
  default: CONCURRENCY,
  description: 'Max number of items under way at the same time. It begins with 10 and rises.',
});

const IDEMPOTENCY_KEY = field('string', 'Idempotency Key', 'idempotencyKey', {
  placeholder: 'e.g. order-1001-receipt',
  description:
    'In any run, the same key sends once to the same recipient, for as long as the service remembers it (emails: 24 hours)',
});

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
