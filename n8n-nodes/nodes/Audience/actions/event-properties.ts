import { PROPERTY_TYPES, isRecord, type JsonValue } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import { isWholeItem } from '../form/expressions.js';
import { isEmpty, readProperty, readValue } from '../form/values.js';
import { InputProblem, misfit, type Subject } from '../problem.js';
import { choice, field, SPECIFY } from './fields.js';
import type { Item } from '../item/operation.js';

export const EVENT_PROPERTY_FIELDS: readonly INodeProperties[] = [
  choice('Specify Properties', 'specifyProperties', 'fields', SPECIFY, {
    description: 'How to give the properties of the event, which become variables in the emails it triggers',
  }),
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
          field('string', 'Name', 'name', { placeholder: 'e.g. orderTotal' }),
          choice('Type', 'type', 'auto', {
            boolean: 'Boolean',
            date: ['Date', 'Sent as Unix time in seconds'],
            auto: ['Keep Type', 'Also for lists and objects'],
            number: 'Number',
            string: 'Text',
          }),
          field('string', 'Value', 'value'),
        ],
      },
    ],
  },
  field('json', 'Event Properties (JSON)', 'eventPropertiesJson', {
    description: 'An object of names and values',
    displayOptions: { show: { specifyProperties: ['json'] } },
  }),
];

/** Reads the properties of an event; those without a value are left out. */
export function readEventProperties(item: Item): { eventProperties?: Record<string, JsonValue> } {
  const isJson = item.parameters.choice('specifyProperties', ['fields', 'json']) === 'json';
  const eventProperties = isJson ? readJson(item) : readFields(item);
  return Object.keys(eventProperties).length === 0 ? {} : { eventProperties };
}

function readJson({ parameters, note }: Item): Record<string, JsonValue> {
  const name = 'eventPropertiesJson';
  const filled = Object.entries(parameters.object(name)).filter(([, value]) => !isEmpty(value));
  if (isWholeItem(parameters.stored(name)) && filled.length > 0)
    note({ code: 'whole-item', subject: parameters.subject(name), names: filled.map(([one]) => one) });
  return Object.fromEntries(
    filled.map(([one, value]) => [readName(one), readProperty({ kind: 'event property', name: one }, value)]),
  );
}

function readFields({ parameters, note }: Item): Record<string, JsonValue> {
  const listed = parameters.stored('eventProperties.property') ?? [];
  const field = parameters.subject('eventProperties');
  if (!Array.isArray(listed)) throw misfit(field, listed, 'properties');
  const properties = new Map<string, JsonValue>();
  for (const entry of listed) {
    const written = isRecord(entry) ? entry : {};
    const name = readName(parameters.read(written['name'], NAME, 'identifier'));
    const subject = parameters.subjectOf('event property', name, written['value']);
    if (properties.has(name)) throw new InputProblem({ code: 'given-twice', subject });
    const type = parameters.read(written['type'], subject) ?? 'auto';
    const value = parameters.read(written['value'], subject);
    const known = PROPERTY_TYPES.find((one) => one === type);
    if (known === undefined && type !== 'auto')
      throw misfit(subject, type, 'one-of', ['Boolean', 'Date', 'Keep Type', 'Number', 'Text']);
    if (isEmpty(value)) note({ code: 'left-out', subject });
    else
      properties.set(
        name,
        known === undefined ? readProperty(subject, value) : parameters.typed(subject, known, value),
      );
  }
  return Object.fromEntries(properties);
}

const NAME: Subject = { kind: 'field', name: 'Name' };

function readName(given: unknown): string {
  if (isEmpty(given)) throw new InputProblem({ code: 'no-property-name', subject: NAME });
  return String(readValue(NAME, 'string', given)).trim();
}
