import type { ReadOptions } from './options.js';
import type { FileProblem } from './problems.js';
import type { Source } from './source.js';

/** What a row's number counts: lines, rows or items of a file, or the contacts of an array. */
export type Unit = 'line' | 'row' | 'item' | 'contacts';

/** `line 7` of a file, `contacts[3]` of an array. */
export function locationOf(unit: Unit, number: number): string {
  return unit === 'contacts' ? `contacts[${number}]` : `${unit} ${number}`;
}

/** A cell of a workbook that cannot be read. */
export class UnreadableCell {
  constructor(readonly problem: FileProblem) {}
}

/** A cell as text, without blanks around it: booleans and numbers are as JSON writes them. */
export function textOfCell(cell: unknown): string {
  if (typeof cell === 'string') return cell.trim();
  if (cell instanceof UnreadableCell) return cell.problem.given ?? '';
  if (cell instanceof Date) return cell.toISOString();
  return ['number', 'boolean', 'object'].includes(typeof cell) && cell !== null ? JSON.stringify(cell) : '';
}

/** A row of cells, before its header is known. */
export interface CellRow {
  readonly number: number;
  readonly cells: readonly unknown[];
  /** Merged cells that end in this row, such as `C2:C4`. */
  readonly merged?: string;
}

/** A row with the names of its cells. Rows of a table share the names. */
export interface NamedRow extends Pick<CellRow, 'number'> {
  readonly names: readonly string[];
  /** Absent for the header itself. */
  readonly cells?: readonly unknown[];
  /** Why names and cells do not belong together, or why the header is not read as it is. */
  readonly fault?: FileProblem | undefined;
}

/** What a format needs to know of the inputs. */
export interface FormatOptions extends Pick<ReadOptions, 'headerRow' | 'sheet'> {
  /** The name that is the email or the userId: a table's header is found by it. */
  readonly identifierIn: (names: readonly string[]) => string | undefined;
}

/** A list as its format has it. */
export interface Opened {
  readonly unit: Unit;
  readonly delimiter?: string;
  /** In batches: one promise for each row would take too long. @throws FileError where the file is not of this format. */
  readonly rows: AsyncIterable<readonly NamedRow[]>;
}

export type Format = (source: Source, options: FormatOptions) => Opened;
