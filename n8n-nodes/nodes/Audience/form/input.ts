import { isRecord } from 'audience-core/internal';
import type { IDataObject } from 'n8n-workflow';

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
