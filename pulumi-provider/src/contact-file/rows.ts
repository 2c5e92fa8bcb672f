import type { FileProblem } from '../messages/files.js';
import type { Reading } from './read.js';
import type { Source } from './source.js';

export type Unit = 'line' | 'row' | 'item';

/** Reads files of one format. @throws FileError where the file is not of this format. */
export type Format = (source: Source, reading: Reading) => Promise<void>;

/** How many rows are searched for the header. */
const ROWS_ABOVE = 30;

type Cells = readonly unknown[];

/** Rows of cells: finds the header, and gives its names to the rows below. Empty rows are left out. */
export class Table {
  private names: readonly string[] | undefined;
  private waiting: { readonly number: number; readonly cells: Cells }[] = [];

  constructor(private readonly reading: Reading) {}

  add(number: number, cells: Cells): void {
    const { columns, inputs } = this.reading;
    if (cells.every(isEmpty) || number < (inputs.headerRow ?? 1)) return;
    if (this.names !== undefined) {
      this.reading.row(number, this.names, cells, faultOf(this.names, cells));
      return;
    }
    const [first] = this.waiting;
    const isWider = first === undefined || widthOf(cells) > widthOf(first.cells);
    if (inputs.headerRow !== undefined || (isWider && columns.identifierIn(namesOf(cells)) !== undefined))
      this.begin(cells, first === undefined ? undefined : number);
    else if (this.waiting.push({ number, cells }) > ROWS_ABOVE) this.end();
  }

  /** Hands over what is left: where no header was found, the first row is the header. */
  end(): void {
    const [first, ...rest] = this.waiting;
    if (this.names !== undefined || first === undefined) return;
    this.begin(first.cells);
    for (const { number, cells } of rest) this.add(number, cells);
  }

  private begin(cells: Cells, found?: number): void {
    this.names = namesOf(cells);
    this.reading.header(this.names, found);
  }
}

function namesOf(cells: Cells): string[] {
  return cells.map((cell) =>
    typeof cell === 'string' ? cell.trim() : cell === null ? '' : JSON.stringify(cell),
  );
}

function isEmpty(cell: unknown): boolean {
  return cell === '' || cell === null;
}

function widthOf(cells: Cells): number {
  return cells.filter((cell) => !isEmpty(cell)).length;
}

function faultOf(names: readonly string[], cells: Cells): FileProblem | undefined {
  const isLong = cells.length > names.length && !cells.slice(names.length).every(isEmpty);
  if (isLong || cells.length < names.length) {
    const values = cells.length === 1 ? '1 value' : `${cells.length} values`;
    return { code: 'row.shape', expected: `${values}, the header has ${names.length}` };
  }
  const isHeader = cells[0] === names[0] && names.every((name, index) => name === cells[index]);
  return isHeader ? { code: 'row.header' } : undefined;
}
