import { sendEventBodySchema, validate } from 'audience-core/contract';
import type { EventMessage, PropertyValue } from 'audience-core';
import type { INodeProperties } from 'n8n-workflow';
import * as z from 'zod';
import { InputProblem } from '../../helpers/errors.js';
import { isEmpty, toUntypedWireValue, toWireValue } from '../../helpers/values.js';
import { groupChoice, optionsField, showFor } from '../common.descriptions.js';
import { readContactFields } from '../contact-fields.js';
import type { Call, Item, ItemOperation } from '../operation.js';
import { readGroups, sendingOptions } from '../sending.js';

const displayOptions = showFor('event', 'send');

const description: INodeProperties[] = [
  {
    displayName: 'Event Name',
    name: 'eventName',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. orderPlaced',
    description: 'Name of the event, as the automations in the service know it',
    displayOptions,
  },
  {
    displayName: 'Email',
    name: 'email',
    type: 'string',
    default: '',
    placeholder: 'e.g. nathan@example.com',
    description:
      "Email of the contact; give it, 'User ID', or both. A contact with either one is taken, and the other is updated on it. Where there is none, the contact is created.",
    displayOptions,
  },
  {
    displayName: 'User ID',
    name: 'userId',
    type: 'string',
    default: '',
    placeholder: 'e.g. user-42',
    description: 'The ID that your own system gave the person',
    displayOptions,
  },
  {
    displayName: 'Specify Properties',
    name: 'specifyProperties',
    type: 'options',
    options: [
      { name: 'Using Fields Below', value: 'fields' },
      { name: 'Using JSON', value: 'json' },
    ],
    default: 'fields',
    description: 'How to give the properties of the event, which become variables in the emails it triggers',
    displayOptions,
  },
  {
    displayName: 'Event Properties',
    name: 'eventProperties',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true, sortable: true },
    placeholder: 'Add Property',
    default: {},
    displayOptions: { show: { ...displayOptions.show, specifyProperties: ['fields'] } },
    options: [
      {
        displayName: 'Property',
        name: 'property',
        values: [
          {
            displayName: 'Name',
            name: 'name',
            type: 'string',
            default: '',
            placeholder: 'e.g. orderTotal',
          },
          {
            displayName: 'Type',
            name: 'type',
            type: 'options',
            options: [
              { name: 'As It Comes', value: 'auto', description: 'Keep the type that the value has' },
              { name: 'Boolean', value: 'boolean' },
              { name: 'Date', value: 'date', description: 'Sent as Unix time in seconds' },
              { name: 'Number', value: 'number' },
              { name: 'Text', value: 'string' },
            ],
            default: 'auto',
          },
          {
            displayName: 'Value',
            name: 'value',
            type: 'string',
            default: '',
          },
        ],
      },
    ],
  },
  {
    displayName: 'Event Properties (JSON)',
    name: 'eventPropertiesJson',
    type: 'json',
    default: '{}',
    description: 'An object of names and values: text, numbers, true or false',
    displayOptions: { show: { ...displayOptions.show, specifyProperties: ['json'] } },
  },
  {
    displayName: 'Contact Fields',
    name: 'contactFields',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    description: 'Fields to set on the contact. A field that is left empty stays as it is.',
    typeOptions: {
      resourceMapper: {
        resourceMapperMethod: 'getEventContactFields',
        mode: 'add',
        valuesLabel: 'Contact Fields',
        fieldWords: { singular: 'field', plural: 'fields' },
        addAllFields: false,
        supportAutoMap: true,
        noFieldsError: 'The service lists no contact properties',
      },
    },
    displayOptions,
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions,
    options: [
      groupChoice('subscribeTo', 'Subscribe to Groups', 'Subscription groups to add the contact to'),
      groupChoice(
        'unsubscribeFrom',
        'Unsubscribe From Groups',
        'Subscription groups to take the contact out of',
      ),
    ],
  },
  optionsField('event', 'send', true),
];

/** The contract's schema has read it; here TypeScript is told so. */
const bodySchema = z.custom<EventMessage>();

async function prepare(item: Item): Promise<Call> {
  const { parameters } = item;
  const eventName = parameters.requiredText('eventName', 'Event Name');
  const email = parameters.text('email', 'Email');
  const userId = parameters.text('userId', 'User ID');
  if (email === undefined && userId === undefined) {
    throw new InputProblem(
      `The event '${eventName}' has no contact`,
      "Give 'Email', 'User ID', or both, or check that their expressions give a value for this item.",
    );
  }
  const properties = readEventProperties(item);
  const fields = await readContactFields(item, 'contactFields', { builtIn: ['firstName', 'lastName'] });
  const groups = readGroups(item, 'additionalFields');
  const body = bodySchema.parse(
    validate(
      sendEventBodySchema,
      {
        ...fields,
        eventName,
        ...(email === undefined ? {} : { email }),
        ...(userId === undefined ? {} : { userId }),
        ...(Object.keys(properties).length === 0 ? {} : { eventProperties: properties }),
        ...(groups === undefined ? {} : { subscriptionGroups: groups }),
      },
      `The event '${eventName}' for '${email ?? userId}' cannot be sent`,
    ),
  );
  const options = sendingOptions(item, 'event.send', body);
  return async () => {
    const { deduplicated, idempotencyKey, attempts } = await item.session.api.events.send(body, options);
    return {
      success: true,
      eventName,
      ...(email === undefined ? {} : { email }),
      ...(userId === undefined ? {} : { userId }),
      deduplicated,
      idempotencyKey,
      attempts,
    };
  };
}

const propertyListSchema = z.array(
  z.object({
    name: z.string(),
    type: z.enum(['auto', 'string', 'number', 'boolean', 'date']).default('auto'),
    value: z.unknown(),
  }),
);

function readEventProperties(item: Item): Record<string, PropertyValue> {
  if (item.parameters.raw('specifyProperties') === 'json') return readJsonProperties(item);
  const listed = propertyListSchema.safeParse(item.parameters.raw('eventProperties.property') ?? []);
  if (!listed.success) {
    throw new InputProblem(
      "'Event Properties' cannot be read",
      'Give each property a name, a type and a value.',
    );
  }
  const properties: Record<string, PropertyValue> = {};
  for (const { name, type, value } of listed.data) {
    if (name.trim() === '') {
      throw new InputProblem(
        "A property in 'Event Properties' has no name",
        'Fill in its name, or remove it.',
      );
    }
    if (isEmpty(value)) continue;
    properties[name.trim()] =
      type === 'auto' ? toUntypedWireValue(subject(name), value) : toWireValue(subject(name), value, type);
  }
  return properties;
}

const jsonObjectSchema = z.record(z.string(), z.unknown());

function readJsonProperties(item: Item): Record<string, PropertyValue> {
  const given = item.parameters.raw('eventPropertiesJson');
  const parsed = jsonObjectSchema.safeParse(typeof given === 'string' ? parseJson(given) : given);
  if (!parsed.success) {
    throw new InputProblem(
      "'Event Properties (JSON)' is not a JSON object",
      'Write names and values in braces, such as {"orderTotal": 49.9}.',
    );
  }
  const entries = Object.entries(parsed.data).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(entries.map(([name, value]) => [name, toUntypedWireValue(subject(name), value)]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function subject(name: string): string {
  return `The event property '${name}'`;
}

/** Sends an event. */
export const send: ItemOperation = { kind: 'item', description, prepare };
