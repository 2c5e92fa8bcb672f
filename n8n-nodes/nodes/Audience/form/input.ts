import { isRecord, consentOfHeader } from 'audience-core/internal';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { InputProblem } from '../problem.js';
import { isEmpty, readSwitch } from './values.js';

/** The fields of an item. A file often begins with an invisible mark, which becomes a part of the first name. */
export function withTrimmedNames(json: IDataObject = {}): Record<string, unknown> {
  const entries = Object.entries(json).map(([name, value]) => {
    const trimmed = name.trim();
    return [Object.hasOwn(json, trimmed) ? name : trimmed, value] as const;
  });
  return Object.fromEntries(entries);
}

/** Names of the fields that an item has; of `$json.order.nmae`, those of `order`. */
export function inputNames(json: unknown, expression = ''): string[] {
  const [, way = ''] = /\$json((?:\.\w+)+)/.exec(expression) ?? [];
  let [record, above] = [json, ''];
  for (const name of way.split('.').slice(1)) {
    const inner = isRecord(record) ? record[name] : undefined;
    if (!isRecord(inner)) break;
    [record, above] = [inner, `${above}${name}.`];
  }
  return isRecord(record) ? Object.keys(record).map((name) => above + name) : [];
}

/** By the items of a run: what was found out about all of them, by name. */
const known = new WeakMap<object, Map<string, boolean>>();

/** Whether something is true of the input items. It is found out once in a run of the node. */
export function isTrueOfInput(context: IExecuteFunctions, name: string, find: () => boolean): boolean {
  const inputs = context.getInputData();
  const ofInputs = known.get(inputs) ?? new Map<string, boolean>();
  known.set(inputs, ofInputs);
  const found = ofInputs.get(name) ?? find();
  ofInputs.set(name, found);
  return found;
}

/**
 * Nothing of an input that is mapped automatically is sent while a column may say who wants no mail, and nobody has
 * said what it means. Its header decides: the words of its cells may be states of orders.
 *
 * @param columns that are no fields of a contact, with the values of the item. `subscribed` that is on says nothing.
 * @throws InputProblem with the names of such columns.
 */
export function refuseConsentColumns(
  context: IExecuteFunctions,
  columns: readonly (readonly [name: string, value: unknown])[],
): void {
  const isOn = (value: unknown): boolean => isEmpty(value) || readSwitch(value) === true;
  const names = columns
    .filter(([name, value]) => name.toLowerCase() !== 'subscribed' || !isOn(value))
    .map(([name]) => name)
    .filter((name) => isTrueOfInput(context, `consent ${name}`, () => consentOfHeader(name) !== undefined));
  if (names.length > 0) throw new InputProblem({ code: 'consent-column', names });
}
