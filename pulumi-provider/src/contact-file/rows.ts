import type { FileProblem } from './problems.js';

/** What a row's number counts: lines of a file, or the contacts of an array. */
export type Unit = 'line' | 'contacts';

/** `line 7` of a file, `contacts[3]` of an array. */
export function locationOf(unit: Unit, number: number): string {
  return unit === 'contacts' ? `contacts[${number}]` : `${unit} ${number}`;
}

/** A cell as text, without blanks around it: booleans and numbers are as JSON writes them. */
export function textOfCell(cell: unknown): string {
  if (typeof cell === 'string') return cell.trim();
  return ['number', 'boolean'].includes(typeof cell) ? String(cell) : '';
}

/** A row with the names of its cells. Rows of a file share the names. */
export interface NamedRow {
  readonly number: number;
  readonly names: readonly string[];
  readonly cells: readonly unknown[];
  /** Why names and cells do not belong together. */
  readonly fault?: FileProblem | undefined;
}
