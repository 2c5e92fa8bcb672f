import type { TransactionalEmail } from 'audience-core';
import type { INodeProperties } from 'n8n-workflow';
import { isExpression } from '../../expressions/expressions.js';
import { InputProblem } from '../../messages/errors.js';
import { readMapper } from '../../parameters/mapped.js';
import type { Item } from '../../run/operation.js';
import { isEmpty, readVariable } from '../../values/values.js';
import { readJsonField } from '../json-field.js';
import { variablesMapper } from '../resource-mapper.js';

/** The fields for the variables of an email. */
export const VARIABLE_FIELDS: readonly INodeProperties[] = [
  {
    displayName: 'Specify Variables',
    name: 'specifyVariables',
    type: 'options',
    options: [
      { name: 'Using Fields Below', value: 'fields' },
      { name: 'Using JSON', value: 'json' },
    ],
    default: 'fields',
    description: "How to give the variables. Use JSON if an expression chooses the 'Email Design'.",
    displayOptions: { hide: { transactionalId: [''] } },
  },
  {
    ...variablesMapper({
      displayName: 'Variables',
      name: 'dataVariables',
      description: 'Values of the variables: text or numbers. Each variable needs one.',
      valuesLabel: 'Variables',
      method: 'getEmailVariables',
      loadOptionsDependsOn: ['transactionalId.value'],
    }),
    displayOptions: { show: { specifyVariables: ['fields'] }, hide: { transactionalId: [''] } },
  },
  {
    displayName: 'Variables (JSON)',
    name: 'dataVariablesJson',
    type: 'json',
    default: '{}',
    description: 'An object of names and values: text or numbers',
    displayOptions: { show: { specifyVariables: ['json'] } },
  },
];

/** A variable as it is given: its value, and what stands in its field. */
interface Given {
  readonly value: unknown;
  readonly stored?: unknown;
}

/**
 * Reads the variables that the design lists, and no others.
 *
 * @throws InputProblem for a variable without a value, one that the design does not have, and one that is neither
 *   text nor a number.
 */
export function readVariables(
  item: Item,
  { name: design, dataVariables: listed }: TransactionalEmail,
): { dataVariables?: Record<string, string | number> } {
  const usesJson = item.parameters.choice('specifyVariables', ['fields', 'json']) === 'json';
  const given = usesJson ? inJson(item) : inFields(item, listed);
  const unknown = [...given.keys()].filter((name) => !listed.includes(name));
  if (unknown.length > 0) {
    throw new InputProblem(
      `The email '${design}' has no variable ${quoted(unknown)}. It has: ${listed.join(', ') || 'none'}`,
      "If the design was changed, open the menu (⋮) of 'Variables' and choose 'Refresh Variable List'.",
    );
  }
  const values = listed.map((name) => [name, readOne(item, design, name, given.get(name))] as const);
  return listed.length === 0 ? {} : { dataVariables: Object.fromEntries(values) };
}

function inJson({ parameters }: Item): Map<string, Given> {
  const values = Object.entries(readJsonField(parameters, 'dataVariablesJson'));
  return new Map(values.map(([name, value]) => [name, { value, stored: '={{ }}' }]));
}

/** With automatic mapping the input may hold anything, such as notes that nobody else should read. */
function inFields({ parameters }: Item, listed: readonly string[]): Map<string, Given> {
  const { names, isAutomatic, read, stored, isHidden } = readMapper(parameters, 'dataVariables');
  const given = names.map((name): [string, Given] => [
    name,
    { value: read(name, subjectOf(name)), stored: isAutomatic ? '={{ }}' : stored(name) },
  ]);
  // What the editor kept of another design is hidden from the person.
  return new Map(
    given.filter(
      ([name, { value }]) => listed.includes(name) || !(isAutomatic || isHidden(name) || isEmpty(value)),
    ),
  );
}

function readOne(item: Item, design: string, name: string, given: Given | undefined): string | number {
  const { value, stored } = given ?? { value: undefined, stored: undefined };
  const subject = `${subjectOf(name)} of the email '${design}'`;
  // An empty field of the form is one that nobody filled in; a text that is computed may be empty.
  if (isEmpty(value) && !(typeof value === 'string' && isExpression(stored)))
    throw item.parameters.missing(subject, stored === '={{ }}' ? undefined : stored);
  if (isEmpty(value)) item.note(`the variable '${name}' is empty`);
  return readVariable(subject, value);
}

function subjectOf(name: string): string {
  return `The variable '${name}'`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
