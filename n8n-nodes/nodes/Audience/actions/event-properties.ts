import { PROPERTY_TYPES, isRecord, type JsonValue } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import { refuseConsentColumns, withTrimmedNames } from '../form/input.js';
import { isEmpty, misfit, readProperty, readValue } from '../form/values.js';
import { InputProblem, type Subject } from '../problem.js';
import { choice, field } from './fields.js';
import type { Item } from '../item/operation.js';

export const EVENT_PROPERTY_FIELDS: readonly INodeProperties[] = [
  choice(
    'Specify Properties',
    'specifyProperties',
    'fields',
    {
      auto: ['Map Automatically', 'Send all fields of the input item'],
      fields: 'Using Fields Below',
      json: 'Using JSON',
    },
    {
      description:
        'How to give the properties of the event, which become variables in the emails it triggers',
    },
  ),
  field('notice', "All fields of the input except 'email' and 'userId' are sent.", 'automaticNotice', {
    displayOptions: { show: { specifyProperties: ['auto'] } },
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

/** Names of the input that have fields of their own in the form. */
const IDENTIFIERS = ['email', 'userId'];

/**
 * Reads the properties of an event; those without a value are left out.
 *
 * @throws InputProblem for a property without a name, one that is given twice, and a value that does not fit.
 */
export function readEventProperties(item: Item): { eventProperties?: Record<string, JsonValue> } {
  const way = item.parameters.choice('specifyProperties', ['auto', 'fields', 'json']);
  const eventProperties = WAYS[way](item);
  return Object.keys(eventProperties).length === 0 ? {} : { eventProperties };
}

const WAYS = {
  auto: readInput,
  fields: readFields,
  json: ({ parameters }: Item) => untyped(parameters.object('eventPropertiesJson')),
} as const;

function readInput({ parameters }: Item): Record<string, JsonValue> {
  const { context, itemIndex } = parameters;
  const input = Object.entries(withTrimmedNames(context.getInputData()[itemIndex]?.json)).filter(
    ([name]) => !IDENTIFIERS.includes(name),
  );
  refuseConsentColumns(context, input);
  return untyped(Object.fromEntries(input));
}

function untyped(values: Readonly<Record<string, unknown>>): Record<string, JsonValue> {
  const filled = Object.entries(values).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(
    filled.map(([name, value]) => [readName(name), readProperty(subjectOf(name), value)]),
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
      throw misfit(subject, type, 'one-of', { names: ['Boolean', 'Date', 'Keep Type', 'Number', 'Text'] });
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

function subjectOf(name: string): Subject {
  return { kind: 'event property', name };
}

function readName(given: unknown): string {
  if (isEmpty(given)) throw new InputProblem({ code: 'no-property-name', subject: NAME });
  return String(readValue(NAME, 'string', given)).trim();
}
