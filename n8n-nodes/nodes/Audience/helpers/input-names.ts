import type { IDataObject } from 'n8n-workflow';
import { shortened } from './values.js';

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
