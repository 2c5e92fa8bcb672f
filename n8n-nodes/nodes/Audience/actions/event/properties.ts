import type { PropertyValue } from 'audience-core';
import { isRecord, PROPERTY_TYPES } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import { InputProblem } from '../../messages/errors.js';
import { withTrimmedNames } from '../../parameters/input.js';
import type { Item } from '../../run/operation.js';
import { isEmpty, misfit, readUntypedValue, readValue } from '../../values/values.js';
import { readJsonField } from '../json-field.js';

/** The fields for the properties of an event. */
export const EVENT_PROPERTY_FIELDS: readonly INodeProperties[] = [
  {
    displayName: 'Specify Properties',
    name: 'specifyProperties',
    type: 'options',
    options: [
      { name: 'Map Automatically', value: 'auto', description: 'Send all fields of the input item' },
      { name: 'Using Fields Below', value: 'fields' },
      { name: 'Using JSON', value: 'json' },
    ],
    default: 'fields',
    description: 'How to give the properties of the event, which become variables in the emails it triggers',
  },
  {
    displayName:
      "All fields of the input except 'email' and 'userId' are sent. Nested values are sent as JSON.",
    name: 'automaticNotice',
    type: 'notice',
    default: '',
    displayOptions: { show: { specifyProperties: ['auto'] } },
  },
  {
    displayName: 'Event Properties',
    name: 'eventProperties',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true, sortable: true },
    placeholder: 'Add Property',
    default: {},
    displayOptions: { show: { specifyProperties: ['fields'] } },
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
              { name: 'Boolean', value: 'boolean' },
              { name: 'Date', value: 'date', description: 'Sent as Unix time in seconds' },
              { name: 'Keep Type', value: 'auto', description: 'Nested values are sent as JSON' },
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
    description: 'An object of names and values. Nested values are sent as JSON.',
    displayOptions: { show: { specifyProperties: ['json'] } },
  },
];

/** Names of the input that have fields of their own in the form. */
const IDENTIFIERS = ['email', 'userId'];

/**
 * Reads the properties of an event; those without a value are left out.
 *
 * @throws InputProblem for a property without a name, one that is given twice, and a value that does not fit.
 */
export function readEventProperties(item: Item): { eventProperties?: Record<string, PropertyValue> } {
  const eventProperties = readBy(
    item.parameters.choice('specifyProperties', ['auto', 'fields', 'json']),
    item,
  );
  return Object.keys(eventProperties).length === 0 ? {} : { eventProperties };
}

function readBy(way: 'auto' | 'fields' | 'json', item: Item): Record<string, PropertyValue> {
  const { context, itemIndex } = item.parameters;
  if (way === 'fields') return readFields(item);
  if (way === 'json') return untyped(item, readJsonField(item.parameters, 'eventPropertiesJson'));
  const input = Object.entries(withTrimmedNames(context.getInputData()[itemIndex]?.json));
  return untyped(item, Object.fromEntries(input.filter(([name]) => !IDENTIFIERS.includes(name))));
}

function untyped(item: Item, values: Readonly<Record<string, unknown>>): Record<string, PropertyValue> {
  const filled = Object.entries(values).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(
    filled.map(([name, value]) => [readName(name), readUntypedValue(subjectOf(name), value)]),
  );
}

function readFields({ parameters, note }: Item): Record<string, PropertyValue> {
  const listed = parameters.stored('eventProperties.property') ?? [];
  if (!Array.isArray(listed)) throw misfit("'Event Properties'", listed, 'a list of names and values');
  const properties = new Map<string, PropertyValue>();
  for (const entry of listed) {
    const written = isRecord(entry) ? entry : {};
    const name = readName(parameters.read(written['name'], 'The name of an event property', 'identifier'));
    const subject = subjectOf(name);
    if (properties.has(name))
      throw new InputProblem(`The event property '${name}' is given twice`, 'Remove one of the two.');
    const type = parameters.read(written['type'], subject) ?? 'auto';
    const value = parameters.read(written['value'], subject);
    const known = PROPERTY_TYPES.find((one) => one === type);
    if (known === undefined && type !== 'auto')
      throw misfit(
        `The type of the event property '${name}'`,
        type,
        'one of Boolean, Date, Keep Type, Number, Text',
      );
    if (isEmpty(value)) note(`the event property '${name}' had no value and was left out`);
    else
      properties.set(
        name,
        known === undefined ? readUntypedValue(subject, value) : parameters.typed(subject, known, value),
      );
  }
  return Object.fromEntries(properties);
}

function subjectOf(name: string): string {
  return `The event property '${name}'`;
}

function readName(given: unknown): string {
  if (isEmpty(given))
    throw new InputProblem('A property of the event has no name', 'Fill in its name, or remove it.');
  const name = String(readValue('The name of an event property', 'string', given)).trim();
  if (name !== '__proto__') return name;
  throw new InputProblem("A property of the event has the name '__proto__'", 'Give it another name.');
}
