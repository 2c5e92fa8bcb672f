import type { PropertyValue } from 'audience-core';
import { isRecord, parseJsonText, PROPERTY_TYPES } from 'audience-core/internal';
import type { JsonText } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import { InputProblem, sentences } from '../../helpers/errors.js';
import {
  isEmpty,
  looksLikeThousands,
  misfit,
  readUntypedValue,
  readValue,
  shortened,
} from '../../helpers/values.js';
import { dotRead, leftOut } from '../notes.js';
import { isComputed } from '../../expressions/missing-values.js';
import { byHand } from '../../helpers/formulas.js';
import type { Item } from '../operation.js';

/** The fields for the properties of an event. */
export const EVENT_PROPERTY_FIELDS: readonly INodeProperties[] = [
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
    displayOptions: { show: { specifyProperties: ['json'] } },
  },
];

/**
 * Reads the properties of an event; those without a value are left out.
 *
 * @throws InputProblem for a property without a name, one that is given twice, and a value that does not fit.
 */
export function readEventProperties(item: Item): { eventProperties?: Record<string, PropertyValue> } {
  const usesJson = item.parameters.choice('specifyProperties', ['fields', 'json']) === 'json';
  const eventProperties = usesJson ? readJson(item) : readFields(item);
  return Object.keys(eventProperties).length === 0 ? {} : { eventProperties };
}

function readFields({ parameters, note }: Item): Record<string, PropertyValue> {
  const listed = parameters.asItIs('eventProperties.property').value ?? [];
  if (!Array.isArray(listed)) throw misfit("'Event Properties'", listed, 'a list of names and values');
  const properties = new Map<string, PropertyValue>();
  for (const entry of listed) {
    const written = isRecord(entry) ? entry : {};
    const name = readName(
      parameters.evaluate(written['name'], 'the name of an event property'),
      'Event Properties',
    );
    const subject = `The event property '${name}'`;
    assertNew(name, properties);
    const type = parameters.evaluate(written['type'], subject) ?? 'auto';
    const value = parameters.evaluate(written['value'], subject);
    const known = PROPERTY_TYPES.find((one) => one === type);
    if (known === undefined && type !== 'auto') {
      throw misfit(
        `The type of the event property '${name}'`,
        type,
        `one of auto, ${PROPERTY_TYPES.join(', ')}`,
      );
    }
    if (isEmpty(value)) {
      note(leftOut(subject, parameters.adviceOnColumnsIn(written['value'])));
      continue;
    }
    properties.set(
      name,
      known === undefined
        ? readUntypedValue(subject, value)
        : readValue(subject, known, value, isComputed(written['value']) ? undefined : byHand),
    );
    if (known !== undefined && looksLikeThousands(known, value))
      note(dotRead(`the event property '${name}'`));
  }
  return Object.fromEntries(properties);
}

function readJson({ parameters, note }: Item): Record<string, PropertyValue> {
  const { value: given, byExpression, stored } = parameters.given('eventPropertiesJson', 'data');
  if (isEmpty(given) && !byExpression) return {};
  // As in the form's fields, nothing goes out of a text that lacks a value.
  for (const { name, text } of byExpression ? textsIn(String(stored)) : [])
    parameters.evaluate(`=${text}`, `The event property '${name}'`);
  const { value: parsed, lost }: JsonText =
    typeof given === 'string' ? parseJsonText(given) : { value: given };
  if (lost !== undefined)
    throw new InputProblem(`'Event Properties (JSON)' ${lost}`, 'Correct the JSON, or its expression.');
  if (!isRecord(parsed)) {
    throw new InputProblem(
      `'Event Properties (JSON)' is not a JSON object${isEmpty(given) ? '' : ` for this item: ${shortened(String(given))}`}`,
      sentences([
        typeof given === 'string' ? slipInJson(given) : '',
        parameters.adviceOnColumnsIn(stored).trimStart(),
        'Write names and values in braces, such as {"orderTotal": 49.9}. A value that comes from an expression is best given by one expression for the whole, such as {{ {name: $json.name, at: $now} }}: a quotation mark in it, a date, or no value at all breaks the text.',
      ]),
    );
  }
  const properties = new Map<string, PropertyValue>();
  for (const [written, value] of Object.entries(parsed)) {
    const name = readName(written, 'Event Properties (JSON)');
    const subject = `The event property '${name}'`;
    assertNew(name, properties);
    if (isEmpty(value)) note(leftOut(subject, parameters.adviceOnColumnsIn(stored)));
    else properties.set(name, readUntypedValue(subject, value));
  }
  return Object.fromEntries(properties);
}

function readName(given: unknown, field: string): string {
  if (isEmpty(given))
    throw new InputProblem(`A property in '${field}' has no name`, 'Fill in its name, or remove it.');
  const name = String(readValue('The name of an event property', 'string', given)).trim();
  if (name !== '__proto__') return name;
  throw new InputProblem(
    `A property in '${field}' has the name '__proto__', which cannot be used`,
    'Give it another name.',
  );
}

function assertNew(name: string, properties: ReadonlyMap<string, PropertyValue>): void {
  if (properties.has(name))
    throw new InputProblem(`The event property '${name}' is given twice`, 'Remove one of the two.');
}

/** What is often wrong in a JSON that people write, as a sentence. */
function slipInJson(json: string): string {
  if (/,\s*[}\]]/.test(json)) return 'There is a comma too many in front of a closing brace.';
  if (/:\s*-?\d+,\d/.test(json)) return 'A number has a dot for its decimals, such as 12.5.';
  if (/[“”„]|[{,]\s*('|\w+\s*:)/.test(json))
    return 'Names and texts stand in straight double quotation marks.';
  const [, name] = /"([^"]*)"\s*:\s*(?=[,}])/.exec(json) ?? [];
  if (name !== undefined) return `'${name}' has no value.`;
  return /["\d}\]el]\s+"[^"]*"\s*:/.test(json) ? 'There is a comma missing between two properties.' : '';
}

/** Texts of a JSON that expressions are put into, each with the name in front of it. */
function textsIn(json: string): { name: string; text: string }[] {
  let name = '';
  return [...json.matchAll(TEXT_OR_EXPRESSION)].flatMap(([, text, colon]) => {
    if (text !== undefined && colon !== undefined) name = text;
    return text !== undefined && colon === undefined && text.includes('{{') ? [{ name, text }] : [];
  });
}

/** An expression of n8n; or a text, and the colon behind a name. */
const TEXT_OR_EXPRESSION =
  /\{\{(?:(?!\}\}).)*\}\}|"((?:\{\{(?:(?!\}\}).)*\}\}|\\.|(?!\{\{)[^"\\])*)"(\s*:)?/gs;
