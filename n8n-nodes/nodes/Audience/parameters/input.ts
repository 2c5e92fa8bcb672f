import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** How many items are looked at. */
const LOOKED_AT = 1_000;

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
