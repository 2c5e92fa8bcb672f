import { isRecord } from 'audience-core/internal';
import { groupName } from './fields.js';
import type { FileProblem } from './problems.js';
import type { Table, TableRow } from './table.js';

/** Value of a field that `clear` lists. */
export const CLEARED: unique symbol = Symbol('cleared');

type NamedValue = readonly [name: string, value: unknown];

/** The contacts of an array as a table, whose columns are all names that they have. */
export function tableOf(contacts: readonly Readonly<Record<string, unknown>>[]): Table {
  const indexes = new Map<string, number>();
  const rows = contacts.map((contact, number): TableRow => {
    const values = valuesOf(contact).filter(([, value]) => value !== undefined);
    const cells: unknown[] = [];
    for (const [name, value] of values) {
      const index = indexes.get(name) ?? indexes.size;
      indexes.set(name, index);
      cells[index] = value;
    }
    return { number, cells, fault: faultOf(values) };
  });
  return { unit: 'contacts', header: [...indexes.keys()], rows };
}

/** `properties`, `subscriptionGroups` and `clear` as flat names. */
function valuesOf(contact: Readonly<Record<string, unknown>>): readonly NamedValue[] {
  return Object.entries(contact).flatMap(([name, value]): NamedValue[] => {
    if (name === 'clear' && Array.isArray(value)) return value.map((field) => [String(field), CLEARED]);
    if (name === 'properties' && isRecord(value)) return Object.entries(value);
    if (name !== 'subscriptionGroups' || !isRecord(value)) return [[name, value]];
    return Object.entries(value).map(([id, isIn]) => [groupName(id), isIn]);
  });
}

/** A name with two values: one of `properties`, for example, that `clear` lists. */
function faultOf(values: readonly NamedValue[]): FileProblem | undefined {
  const names = values.map(([name]) => name);
  const subject = names.find((name, index) => names.indexOf(name) < index);
  return subject === undefined ? undefined : { code: 'row.twice', subject };
}
