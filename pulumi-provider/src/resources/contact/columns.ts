import { isRecord } from 'audience-core/internal';
import { FIELDS, groupsOf, propertiesOf } from './fields.js';
import type { Raw } from '../raw.js';

const GROUP_COLUMN = 'subscriptionGroups.';

/** What a contact declares beside its identifiers, as columns: `firstName`, `properties.plan`, `subscriptionGroups.news`. */
export function columnsOf(fields: Raw): string[] {
  const standard = [...FIELDS].filter(
    ([name, { type, isIdentifier }]) =>
      type !== 'groups' && isIdentifier !== true && fields[name] !== undefined,
  );
  return [
    ...standard.map(([name]) => name),
    ...Object.keys(propertiesOf(fields)).map((name) => `properties.${name}`),
    ...groupsOf(fields).map((id) => GROUP_COLUMN + id),
  ];
}

/** The declared value of a column. */
export function valueOfColumn(fields: Raw, column: string): unknown {
  if (FIELDS.has(column)) return fields[column];
  const group = groupOfColumn(column);
  if (group === undefined) return propertiesOf(fields)[fieldOfColumn(column)];
  const groups = fields['subscriptionGroups'];
  return isRecord(groups) ? groups[group] : undefined;
}

/** Whether a column that is no longer declared is cleared; a subscription stays as it is. */
export function isClearable(column: string): boolean {
  return column.startsWith('properties.') || FIELDS.get(column)?.clearable === true;
}

/** The group that a column is about, where it is about one. */
export function groupOfColumn(column: string): string | undefined {
  return column.startsWith(GROUP_COLUMN) ? column.slice(GROUP_COLUMN.length) : undefined;
}

/** The field that a column names, as it is sent. */
export function fieldOfColumn(column: string): string {
  return column.replace(/^properties\./, '');
}

/** What columns do to whoever has something there, in words: `lose plan`, `leave group 'news'`, `join group 'news'`. */
export function effectsOf(fields: Raw, columns = columnsOf(fields)): string[] {
  return columns.flatMap((column) => {
    const value = valueOfColumn(fields, column);
    const group = groupOfColumn(column);
    if (group !== undefined) return [`${value === false ? 'leave' : 'join'} group '${group}'`];
    return value === null ? [`lose ${fieldOfColumn(column)}`] : [];
  });
}
