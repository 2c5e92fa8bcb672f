import { isRecord } from 'audience-core/internal';
import type { IDataObject } from 'n8n-workflow';
import type { InputNames } from '../problem.js';

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

/**
 * Which fields an item has.
 *
 * @param expression whose way into the item is followed, as far as there are values.
 */
export function inputNames(json: unknown, expression = ''): InputNames {
  const names = namesOf(json);
  const [first = ''] = names;
  if (names.length === 1 && /[;\t]/.test(first)) return { names, slip: 'one-column' };
  if (first.startsWith('\uFEFF')) return { names, slip: 'invisible-mark' };
  const [, way = ''] = /\$json((?:\.\w+)+)/.exec(expression) ?? [];
  let owner: string | undefined;
  let record = json;
  for (const name of way.split('.').slice(1)) {
    const inner = isRecord(record) ? record[name] : undefined;
    if (!isRecord(inner)) break;
    [owner, record] = [name, inner];
  }
  return { owner, names: namesOf(record) };
}

function namesOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : [];
}
