import type { INodeProperties } from 'n8n-workflow';
import type { Operation, Resource } from '../run/operation.js';
import { allFields } from './options.js';

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
