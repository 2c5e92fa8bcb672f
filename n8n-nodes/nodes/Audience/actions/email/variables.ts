import type { TransactionalEmail } from 'audience-core';
import type { INodeProperties } from 'n8n-workflow';
import { InputProblem } from '../../helpers/errors.js';
import { isEmpty, readVariable } from '../../helpers/values.js';
import { listChoice } from '../list-choice.js';
import type { Item } from '../operation.js';
import { variablesMapper } from '../resource-mapper.js';

/** Without a design there is nothing to fill in, and nothing to complain of. */
const ONCE_A_DESIGN_IS_CHOSEN: INodeProperties['displayOptions'] = { hide: { transactionalId: [''] } };

/** The fields for the variables of an email. */
export const VARIABLE_FIELDS: readonly INodeProperties[] = [
  {
    ...variablesMapper({
      displayName: 'Variables',
      name: 'dataVariables',
      description:
        'Values of the variables of the email: text or numbers. Each variable needs one. Give the value alone: a text around a missing one would go out with a hole.',
      valuesLabel: 'Variables',
      method: 'getEmailVariables',
      loadOptionsDependsOn: ['transactionalId.value'],
    }),
    displayOptions: ONCE_A_DESIGN_IS_CHOSEN,
  },
  {
    ...listChoice(
      'sendEmpty',
      'Variables That May Be Empty',
      'An item in which any other variable has no value is not sent, nor one with a text around a missing value',
      { loadOptionsMethod: 'getVariableNames', loadOptionsDependsOn: ['transactionalId.value'] },
    ),
    displayOptions: ONCE_A_DESIGN_IS_CHOSEN,
  },
];

/**
 * Reads the variables that the design lists, and no others.
 *
 * @param recipient tells the person which item it is: n8n counts them from 0.
 * @throws InputProblem for a variable without a value, one that the design does not have, and one that is neither
 *   text nor a number.
 */
export function readVariables(
  { parameters, note }: Item,
  { name: design, dataVariables: listed }: TransactionalEmail,
  recipient: string,
): { dataVariables?: Record<string, string | number> } {
  const subjectOf = (variable: string): string => `The variable '${variable}'`;
  const { names, automatic, read, isHidden, adviceOnColumnsOf } = parameters.mapped('dataVariables');
  const mayBeEmpty = parameters.ids('sendEmpty');
  const { json = {} } = parameters.context.getInputData()[parameters.itemIndex] ?? {};
  // With automatic mapping the input may hold anything, such as notes that nobody else should read. What the
  // editor kept of another design is hidden from the person.
  const given = names.filter((name) => !automatic && !isHidden(name) && !listed.includes(name));
  const inForm = given.filter((name) => !isEmpty(read(name, subjectOf(name))));
  const inEmpty = mayBeEmpty.filter((name) => !listed.includes(name));
  const unknown = [...new Set([...inForm, ...inEmpty])];
  if (unknown.length > 0) {
    const known = listed.length === 0 ? 'It has none' : `It has: ${listed.join(', ')}`;
    throw new InputProblem(
      `The email '${design}' has no variable ${unknown.map((name) => `'${name}'`).join(', ')}`,
      `${known}. ${inForm.length === 0 ? '' : "If another email was chosen, open the menu (⋮) of 'Variables' and take 'Refresh Variable List'. "}${inEmpty.length === 0 ? '' : "Remove it from 'Variables That May Be Empty', or correct the expression there."}`.trim(),
    );
  }
  const values = new Map(listed.map((name) => [name, read(name, subjectOf(name))]));
  const missing = listed.filter((name) => isEmpty(values.get(name)) && !mayBeEmpty.includes(name));
  if (missing.length > 0) {
    const quoted = missing.map((name) => `'${name}'`).join(', ');
    const isOne = missing.length === 1;
    const columns = missing.map(adviceOnColumnsOf).find((advice) => advice !== '');
    const toDo = columns
      ? `correct the expression.${columns}`
      : "check that the expression gives a value for this item. A default stands behind two bars: {{ $json.name || 'friend' }}.";
    const fillIn = automatic
      ? `'Map Automatically' takes ${isOne ? 'it from the field' : 'each from the field'} of that very name in the input, which has: ${names.join(', ')}.`
      : `Fill ${isOne ? 'it' : 'them'} in${missing.some(isHidden) ? " ('Add variable to send' brings back what was removed)" : ''}, or ${toDo}`;
    throw new InputProblem(
      `The variable${isOne ? '' : 's'} ${quoted} of the email '${design}' to '${recipient}' ${isOne ? 'has' : 'have'} no value`,
      `${fillIn} To send ${isOne ? 'it without one, choose it' : 'them without one, choose them'} in 'Variables That May Be Empty'.`,
    );
  }
  const column = automatic ? undefined : listed.find((name) => Object.hasOwn(json, String(values.get(name))));
  if (column !== undefined) {
    const name = String(values.get(column));
    note(
      `the variable '${column}' is the text '${name}', the name of a column, whose value would be {{ $json['${name}'] }}`,
    );
  }
  if (listed.length === 0) return {};
  const dataVariables = listed.map((name) => {
    const value = values.get(name);
    return [name, isEmpty(value) ? '' : readVariable(subjectOf(name), value)] as const;
  });
  return { dataVariables: Object.fromEntries(dataVariables) };
}
