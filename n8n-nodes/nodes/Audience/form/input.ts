import { isRecord, consentOfHeader } from 'audience-core/internal';
import type { IDataObject } from 'n8n-workflow';
import { InputProblem } from '../problem.js';
import type { Parameters } from './parameters.js';

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

/** By the items of a run: whether a column is about consent. Most items have the same columns. */
const known = new WeakMap<object, Map<string, boolean>>();

/**
 * Nothing of an input that is mapped automatically is sent while a column may say who wants no mail, and nobody has
 * said what it means. Its header decides: the words of its cells may be states of orders.
 *
 * @param columns that are no fields of a contact.
 * @throws InputProblem with the names of such columns.
 */
export function refuseConsentColumns({ context }: Parameters, columns: readonly string[]): void {
  const inputs = context.getInputData();
  const ofInputs = known.get(inputs) ?? new Map<string, boolean>();
  known.set(inputs, ofInputs);
  const names = columns.filter((column) => {
    const isAboutConsent = ofInputs.get(column) ?? consentOfHeader(column) !== undefined;
    ofInputs.set(column, isAboutConsent);
    return isAboutConsent;
  });
  if (names.length > 0) throw new InputProblem({ code: 'consent-column', names });
}
