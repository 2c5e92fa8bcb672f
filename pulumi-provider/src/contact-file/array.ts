import { isRecord } from 'audience-core/internal';
import { groupName } from './fields.js';

/** Value of a field that `clear` lists. */
export const CLEARED: unique symbol = Symbol('cleared');

/** The names and cells of a record: `properties`, `subscriptionGroups` and `clear` are flat names. */
export function namedRowOf(record: Readonly<Record<string, unknown>>) {
  const fields = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'clear' && Array.isArray(value))
      return value.map((field: unknown) => [String(field), CLEARED]);
    if (name === 'properties' && isRecord(value)) return Object.entries(value);
    if (name !== 'subscriptionGroups' || !isRecord(value)) return [[name, value]];
    return Object.entries(value).map(([id, isIn]) => [groupName(id), isIn]);
  });
  const given = fields.filter(([, value]) => value !== undefined);
  return { names: given.map(([name]) => name), cells: given.map(([, value]) => value) };
}
