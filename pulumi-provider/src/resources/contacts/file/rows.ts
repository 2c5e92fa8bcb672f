import type { FileProblem } from './problems.js';
import type { Source } from './source.js';

/** What the numbers of rows count. */
export type Unit = 'line' | 'row' | 'item';

/** What a format hands over: at first its unit and the header, if it has one, then the rows with their numbers. */
export interface Sink {
  begin(unit: Unit, delimiter?: string): void;
  header(names: readonly string[]): void;
  row(number: number, names: readonly string[], values: readonly unknown[], fault?: FileProblem): void;
  /** Notes a problem of the file. */
  problem(problem: FileProblem): void;
  /** How many of these texts are headers that can be read: the header is found by it. */
  knownIn(texts: readonly string[]): number;
  /** Whether the email or the userId is among these headers. */
  hasIdentifier(names: readonly string[]): boolean;
}

/** A format of files. */
export interface Format {
  /** Whether a file that begins with these bytes, one a character, has this format. */
  matches(start: string): boolean;
  read(source: Source, sink: Sink): Promise<void>;
}

/** How many rows are searched for the header. */
const ROWS_ABOVE = 30;

type Cells = readonly unknown[];

/** Rows of cells: finds the header, and gives its names to the rows below. Empty rows are left out. */
export class Table {
  private names: readonly string[] | undefined;
  private waiting: { readonly number: number; readonly cells: Cells }[] = [];

  constructor(
    private readonly sink: Sink,
    private readonly headerRow: number | undefined,
  ) {}

  add(number: number, cells: Cells): void {
    if (cells.every((cell) => cell === '' || cell === null)) return;
    if (this.names !== undefined) this.row(number, cells, this.names);
    else if (this.headerRow !== undefined) {
      if (number >= this.headerRow) this.begin(cells);
    } else {
      this.waiting.push({ number, cells });
      const isFirst = this.waiting.length === 1;
      if ((isFirst && this.sink.hasIdentifier(namesOf(cells))) || this.waiting.length > ROWS_ABOVE)
        this.decide();
    }
  }

  /** Hands over what is left. */
  end(): void {
    if (this.names === undefined && this.waiting.length > 0) this.decide();
    else if (this.names === undefined) this.sink.problem({ code: 'file.empty' });
  }

  /** The header is the first row, unless a wider one below has the email and the first does not. */
  private decide(): void {
    const [first, ...others] = this.waiting;
    if (first === undefined) return;
    const names = namesOf(first.cells);
    const below = this.sink.hasIdentifier(names)
      ? undefined
      : others.find(
          ({ cells }) => widthOf(cells) > widthOf(first.cells) && this.sink.hasIdentifier(namesOf(cells)),
        );
    if (below !== undefined) {
      const given = namesOf(below.cells).find((name) => this.sink.hasIdentifier([name]));
      this.sink.problem({ code: 'header.row', count: below.number, given });
    }
    const header = below ?? first;
    const rest = this.waiting.slice(this.waiting.indexOf(header) + 1);
    this.waiting = [];
    this.begin(header.cells);
    for (const { number, cells } of rest) this.add(number, cells);
  }

  private begin(cells: Cells): void {
    this.names = namesOf(cells);
    this.sink.header(this.names);
  }

  private row(number: number, cells: Cells, names: readonly string[]): void {
    this.sink.row(number, names, cells, faultOf(names, cells));
  }
}

function namesOf(cells: Cells): string[] {
  return cells.map((cell) =>
    typeof cell === 'string' ? cell.trim() : cell === null ? '' : JSON.stringify(cell),
  );
}

function widthOf(cells: Cells): number {
  return cells.filter((cell) => cell !== '' && cell !== null).length;
}

function faultOf(names: readonly string[], cells: Cells): FileProblem | undefined {
  const isLong =
    cells.length > names.length && cells.some((cell, index) => index >= names.length && cell !== '');
  if (isLong || cells.length < names.length) {
    const values = cells.length === 1 ? '1 value' : `${cells.length} values`;
    return { code: 'row.shape', expected: `${values}, the header has ${names.length}` };
  }
  const isHeader = cells[0] === names[0] && names.every((name, index) => name === cells[index]);
  return isHeader ? { code: 'row.header' } : undefined;
}
