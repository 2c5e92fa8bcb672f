import type { FileProblem } from './problems.js';

/** What a row's number counts: lines of a file, or the contacts of an array. */
export type Unit = 'line' | 'contacts';

/** A row of cells: texts of a file, or values of an array. */
export interface TableRow {
  readonly number: number;
  readonly cells: readonly unknown[];
  /** Why the row cannot be read. */
  readonly fault?: FileProblem | undefined;
}

/** Names of columns, and rows below them. A missing cell is an empty one. */
export interface Table {
  readonly unit: Unit;
  /** What separates the values of a file. */
  readonly delimiter?: string;
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
}

/** `line 7` of a file, `contacts[3]` of an array. */
export function locationOf(unit: Unit, number: number): string {
  return unit === 'contacts' ? `contacts[${number}]` : `line ${number}`;
}

/** A cell as text, without blanks around it; a text of `nullValues` is an empty one. */
export function textOfCell(cell: unknown, nullValues: readonly string[] = []): string {
  const isValue = ['string', 'number', 'boolean'].includes(typeof cell);
  const text = isValue ? String(cell).trim() : '';
  return nullValues.includes(text) ? '' : text;
}
