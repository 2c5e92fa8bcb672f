import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { shortened } from '../helpers/values.js';

/** What is wrong with the columns of a file, where an expression finds nothing by their names. */
export function adviceOnNames(json: IDataObject = {}): string {
  const names = Object.keys(json);
  const [first = ''] = names;
  if (names.length === 1 && /[;\t]/.test(first))
    return ` All columns of the input are one, '${shortened(first)}': set the 'Delimiter' in the node that reads the file.`;
  return first.startsWith('\uFEFF')
    ? ` The name of the first column of the input, '${first.trim()}', begins with an invisible mark, so that no expression finds it: in the node that reads the file, turn on 'Exclude Byte Order Mark (BOM)'.`
    : '';
}

/** How many items are looked at to see which columns the input has. */
const LOOKED_AT = 100;

const columnsOfInputs = new WeakMap<readonly INodeExecutionData[], readonly string[]>();

/** The columns of the first items: a spreadsheet leaves those out of an item whose cells are empty. */
export function columnsOf(items: readonly INodeExecutionData[]): readonly string[] {
  const known = columnsOfInputs.get(items);
  const columns = known ?? [...new Set(items.slice(0, LOOKED_AT).flatMap(({ json }) => Object.keys(json)))];
  columnsOfInputs.set(items, columns);
  return columns;
}

/** Which fields the input has, where an expression finds nothing by the name that it says. */
export function namesOfInput(columns: ReadonlySet<string>): string {
  const names = [...columns].map((name) => `'${shortened(name)}'`);
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  return names.length === 0 ? '' : ` The input has ${names.slice(0, MOST_NAMES).join(', ')}${more}.`;
}

const MOST_NAMES = 12;

/** A file of a spreadsheet often begins with an invisible mark, which becomes a part of the first column's name. */
export function withTrimmedNames(json: IDataObject = {}): Record<string, unknown> {
  const trimmed = Object.keys(json).map((name) => name.trim());
  const isOnly = (name: string): boolean => trimmed.filter((one) => one === name).length === 1;
  const entries = Object.entries(json).map(([name, value]): [string, unknown] => {
    const plain = name.trim();
    return [plain !== name && isOnly(plain) ? plain : name, value];
  });
  return Object.fromEntries(entries);
}
