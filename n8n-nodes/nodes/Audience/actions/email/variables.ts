import type { TransactionalEmail } from 'audience-core';
import type { INodeProperties } from 'n8n-workflow';
import { readMapping } from '../../form/mapping.js';
import { isEmpty, readVariable } from '../../form/values.js';
import type { JsonValue } from '../../form/values.js';
import type { Subject } from '../../problem.js';
import type { Item } from '../../run/operation.js';
import { choice, field } from '../fields.js';
import { variablesMapper } from '../mappers.js';

/** The fields for the variables of an email. */
export const VARIABLE_FIELDS: readonly INodeProperties[] = [
  choice(
    'Specify Variables',
    'specifyVariables',
    'fields',
    { fields: 'Using Fields Below', json: 'Using JSON' },
    {
      description: "How to give the variables. Use JSON if an expression chooses the 'Email Design'.",
      displayOptions: { hide: { transactionalId: [''] } },
    },
  ),
  {
    ...variablesMapper({
      displayName: 'Variables',
      name: 'dataVariables',
      description:
        'Values of the variables. Each variable needs one. A list or an object comes from an expression.',
      valuesLabel: 'Variables',
      method: 'getEmailVariables',
      loadOptionsDependsOn: ['transactionalId.value'],
    }),
    displayOptions: { show: { specifyVariables: ['fields'] }, hide: { transactionalId: [''] } },
  },
  field('json', 'Variables (JSON)', 'dataVariablesJson', {
    description: 'An object of names and values',
    displayOptions: { show: { specifyVariables: ['json'] } },
  }),
];

/** The variables that are given, each with how to read it. */
interface Given {
  readonly reads: ReadonlyMap<string, () => JsonValue>;
  /** Names to tell a person of, if the design does not have them. */
  readonly told: readonly string[];
  /** What to say of a variable that is not there. */
  readonly code: 'empty' | 'absent' | 'absent-in-json';
}

/**
 * Reads the variables that the design lists, and no others.
 *
 * @throws InputProblem for a variable without a value, and for a value that is no JSON.
 */
export function readVariables(
  item: Item,
  { dataVariables: listed }: TransactionalEmail,
): { dataVariables?: Record<string, JsonValue> } {
  const usesJson = item.parameters.choice('specifyVariables', ['fields', 'json']) === 'json';
  const given = usesJson ? inJson(item) : inFields(item);
  const dropped = given.told.filter((name) => !listed.includes(name));
  const values = listed.map((name) => {
    const read =
      given.reads.get(name) ?? (() => readOne(item, given.code, { kind: 'variable', name }, undefined));
    return [name, read()] as const;
  });
  if (dropped.length > 0) item.note({ code: 'variables-dropped', names: dropped });
  return listed.length === 0 ? {} : { dataVariables: Object.fromEntries(values) };
}

function inJson(item: Item): Given {
  const code = 'absent-in-json';
  const values = Object.entries(item.parameters.object('dataVariablesJson'));
  const reads = values.map(
    ([name, value]) => [name, () => readOne(item, code, { kind: 'variable', name }, value)] as const,
  );
  return { reads: new Map(reads), told: values.map(([name]) => name), code };
}

function inFields(item: Item): Given {
  const { parameters } = item;
  const { fields, isAutomatic } = readMapping(parameters, 'dataVariables');
  const code = isAutomatic ? 'absent' : 'empty';
  const reads = fields.map(({ name, stored, isComputed, read }) => {
    const subject = parameters.subjectOf('variable', name, stored);
    return [
      name,
      () => {
        // An empty field of the form is one that nobody filled in; a text that is computed may be empty.
        if (!isComputed && isEmpty(stored)) throw parameters.missing(subject, stored);
        return readOne(item, code, subject, read(subject), stored);
      },
    ] as const;
  });
  // With automatic mapping the input may hold anything.
  const told = isAutomatic ? [] : fields.filter(({ isComputed, stored }) => isComputed || !isEmpty(stored));
  return { reads: new Map(reads), told: told.map(({ name }) => name), code };
}

function readOne(
  { parameters, note }: Item,
  code: Given['code'],
  subject: Subject,
  value: unknown,
  stored?: unknown,
): JsonValue {
  if (value === undefined || value === null) throw parameters.missing(subject, stored, 'text', code);
  if (isEmpty(value)) note({ code: 'empty', subject });
  return readVariable(subject, value);
}
