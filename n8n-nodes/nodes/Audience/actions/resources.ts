import type { INodeProperties } from 'n8n-workflow';
import { get, unsubscribe, update } from './contacts.js';
import { upsert, send as sendEvent } from './events.js';
import { create } from './create-property.js';
import { send as sendEmail } from './send-email.js';
import { getEmails, getGroups, getProperties } from './get-many.js';
import type { Resource, Operation } from '../item/operation.js';
import { allFields } from './options.js';

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
export function describeResources(resources: readonly Resource[]): INodeProperties[] {
  return [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: resources.map(({ name, value }) => ({ name, value })),
      default: 'email',
    },
    ...resources.flatMap((resource) => [
      operationField(resource),
      ...resource.operations.flatMap((operation) => fieldsOf(resource, operation)),
    ]),
  ];
}

function operationField(resource: Resource): INodeProperties {
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
      show: {
        resource: [resource.value],
        operation: [operation.value],
        ...field.displayOptions?.show,
      },
      ...(field.displayOptions?.hide === undefined ? {} : { hide: field.displayOptions.hide }),
    },
  }));
}
