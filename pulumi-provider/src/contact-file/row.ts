import { canAddress, isClearable } from 'audience-core/internal';
import { CLEARED } from './array.js';
import type { ValueColumn } from './columns.js';
import { groupOf, isIdentifier, type Value } from './fields.js';
import type { FileProblem } from './problems.js';

/** The declared identifiers of a contact: at least one. */
export interface Identity {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/** What the cells of one row declare. */
export interface RowValues extends Identity {
  /** By flat name: `firstName`, `subscriptionGroups.<id>`; `null` clears. */
  readonly values: Readonly<Record<string, Value>>;
  readonly faults: readonly FileProblem[];
}

/** Reads the cells of a row. A text of `nullValues` is an empty cell, which declares nothing. */
export function readRow(
  cells: readonly unknown[],
  columns: readonly ValueColumn[],
  nullValues: readonly string[] = [],
): RowValues {
  const values: Record<string, Value> = {};
  const identity: { email?: string; userId?: string } = {};
  const faults: FileProblem[] = [];
  for (const { index, field, read } of columns) {
    const cell = cells[index];
    if (cell === undefined || (typeof cell === 'string' && isEmpty(cell, nullValues))) continue;
    const value = cell === null || cell === CLEARED ? clearing(field, cell) : read(cell);
    if (value === undefined) continue;
    if (typeof value === 'object' && value !== null)
      faults.push({ given: shownText(cell), ...value, subject: field });
    else if (isIdentifier(field)) identity[field] = String(value);
    // Only the contact can subscribe again, so `true` declares nothing.
    else if (field !== 'subscribed' || value !== true) values[field] = value;
  }
  const { email, userId } = identity;
  if (email === undefined && userId !== undefined && !canAddress(userId))
    faults.push({ code: 'row.address', subject: 'userId' });
  return { ...identity, values, faults };
}

function isEmpty(cell: string, nullValues: readonly string[]): boolean {
  return cell === '' || nullValues.includes(cell.trim());
}

/** `null` and `clear` of an array clear a value. */
function clearing(field: string, cell: unknown): null | FileProblem | undefined {
  if (groupOf(field) === undefined && isClearable(field)) return null;
  const isLeftOut = cell === null && isIdentifier(field);
  return isLeftOut ? undefined : { code: 'row.not-clearable' };
}

/** A cell for a message, which shows no address. */
function shownText(cell: unknown): string | undefined {
  return typeof cell === 'string' && !/[@\r\n]/.test(cell) ? cell.slice(0, 40) : undefined;
}
