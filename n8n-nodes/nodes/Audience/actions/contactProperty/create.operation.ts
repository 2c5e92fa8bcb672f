import { propertyNameSchema, propertyTypeSchema, validate } from 'audience-core/contract';
import type { INodeProperties } from 'n8n-workflow';
import * as z from 'zod/mini';
import { showFor } from '../common.descriptions.js';
import type { Call, Item, ItemOperation } from '../operation.js';

const displayOptions = showFor('contactProperty', 'create');

const description: INodeProperties[] = [
  {
    displayName: 'Name',
    name: 'name',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. teamSize',
    description: 'Name in camelCase: it begins with a small letter and holds letters and digits only',
    displayOptions,
  },
  {
    displayName: 'Type',
    name: 'type',
    type: 'options',
    options: [
      { name: 'Boolean', value: 'boolean' },
      { name: 'Date', value: 'date' },
      { name: 'Number', value: 'number' },
      { name: 'Text', value: 'string' },
    ],
    default: 'string',
    description: 'Type of its values; the service cannot change it later',
    displayOptions,
  },
  optionsField(),
];

function optionsField(): INodeProperties {
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    displayOptions,
    options: [
      {
        displayName: 'Continue if It Exists',
        name: 'skipExisting',
        type: 'boolean',
        default: false,
        description: 'Whether a property of this name and type that exists already counts as created',
      },
    ],
  };
}

const bodySchema = z.object({ name: propertyNameSchema, type: propertyTypeSchema });

function prepare(item: Item): Call {
  const name = item.parameters.requiredText('name', 'Name');
  const type = item.parameters.text('type', 'Type');
  const what = `The contact property '${name}' cannot be created`;
  const body = validate(bodySchema, { name, type }, what);
  const skipExisting = item.parameters.flag('options.skipExisting');
  return async () => {
    const { api } = item.session;
    if (skipExisting) {
      const existing = (await api.properties.list({ list: 'custom' })).find(({ key }) => key === name);
      if (existing?.type === body.type) return { success: true, name, type: body.type, created: false };
    }
    await api.properties.create(body, { signal: item.signal });
    return { success: true, name, type: body.type, created: true };
  };
}

/** Creates a custom contact property. */
export const create: ItemOperation = { kind: 'item', description, prepare };
