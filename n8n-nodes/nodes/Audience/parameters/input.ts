import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { shortened } from '../messages/text.js';

/** How many items are looked at. */
const LOOKED_AT = 1_000;
const MOST_NAMES = 12;

const known = new WeakMap<object, Map<string, boolean>>();

/**
 * Whether an expression has a value for one of the first items. A name that no item has is a typing error; a cell that
 * is empty in this one is not.
 */
export function hasValueInAnyItem(context: IExecuteFunctions, stored: string): boolean {
  const inputs = context.getInputData();
  const ofInputs = known.get(inputs) ?? new Map<string, boolean>();
  known.set(inputs, ofInputs);
  const has = (index: number): boolean => {
    try {
      return context.evaluateExpression(stored.slice(1), index) !== undefined;
    } catch {
      return false;
    }
  };
  const found = ofInputs.get(stored) ?? inputs.slice(0, LOOKED_AT).some((_item, index) => has(index));
  ofInputs.set(stored, found);
  return found;
}

/** Which fields the input has, as a sentence with a blank in front; what is wrong with their names comes first. */
export function adviceOnInput(context: IExecuteFunctions, itemIndex: number): string {
  const names = Object.keys(context.getInputData()[itemIndex]?.json ?? {});
  const [first = ''] = names;
  if (names.length === 1 && /[;\t]/.test(first))
    return " The file was read as one column: set the right 'Delimiter' in the node that reads the file.";
  if (first.startsWith('\uFEFF'))
    return " The first column begins with an invisible mark: turn on 'Exclude Byte Order Mark (BOM)' in the node that reads the file.";
  const shown = names.slice(0, MOST_NAMES).map((name) => `'${shortened(name)}'`);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return shown.length === 0 ? '' : ` The input has ${shown.join(', ')}${more}.`;
}

/** The fields of an item. A file often begins with an invisible mark, which becomes a part of the first name. */
export function withTrimmedNames(json: IDataObject = {}): Record<string, unknown> {
  const trimmed = Object.keys(json).map((name) => name.trim());
  const isOnly = (name: string): boolean => trimmed.filter((one) => one === name).length === 1;
  const entries = Object.entries(json).map(([name, value]): [string, unknown] => {
    const plain = name.trim();
    return [plain !== name && isOnly(plain) ? plain : name, value];
  });
  return Object.fromEntries(entries);
}
