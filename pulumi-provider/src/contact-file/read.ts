import { namedRowOf } from './array.js';
import { Columns, type KnownProperties } from './columns.js';
import { parseCsv, type CsvRow } from './csv.js';
import type { ReadOptions } from './options.js';
import { FileError, type FileProblem } from './problems.js';
import { layoutOf, readRow, type Layout } from './row.js';
import type { NamedRow, Unit } from './rows.js';
import { readText } from './source.js';
import { Tally, type ListRow, type Report } from './tally.js';

/** A list that was read: its rows, and what the reading came to. */
export interface Reading extends Report {
  readonly unit: Unit;
  readonly rows: readonly ListRow[];
}

/** Reads a list. */
export async function readContacts(options: ReadOptions, known: KnownProperties): Promise<Reading> {
  const columns = new Columns(options, known);
  const { file, encoding, contacts = [] } = options;
  if (file === undefined) {
    const named = contacts.map((record, number) => ({ number, ...namedRowOf(record) }));
    return { unit: 'contacts', ...readRows(named, undefined, columns) };
  }
  try {
    const { header, delimiter, rows } = parseCsv(await readText(file, encoding));
    const names = header.cells;
    const named = rows.map((row) => namedCells(names, row));
    columns.setHeader(layoutOf(names, columns, delimiter));
    return { unit: 'line', ...readRows(named, delimiter, columns) };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { unit: 'line', rows: [], ...new Tally(columns).report(error.problem) };
  }
}

function readRows(
  named: readonly NamedRow[],
  delimiter: string | undefined,
  columns: Columns,
): Report & { readonly rows: readonly ListRow[] } {
  const tally = new Tally(columns);
  const rows: ListRow[] = [];
  let layout: Layout | undefined;
  for (const { number, names, cells, fault } of named) {
    if (names !== layout?.names) layout = layoutOf(names, columns, delimiter);
    const wrong = fault ?? (columns.options.file === undefined ? layout.twice : undefined);
    if (wrong !== undefined) tally.addFault(number, wrong);
    const read = wrong === undefined ? tally.add(number, readRow(cells, layout, columns.options)) : undefined;
    if (read !== undefined) rows.push(read);
  }
  return { rows, ...tally.report(undefined) };
}

/** A short row is filled with empty cells. */
function namedCells(names: readonly string[], { number, cells }: CsvRow): NamedRow {
  return { number, names, cells, fault: faultOf(names, cells) };
}

function faultOf(names: readonly string[], cells: readonly string[]): FileProblem | undefined {
  if (cells.slice(names.length).some((cell) => cell !== ''))
    return { code: 'row.shape', expected: `${cells.length} values, the header has ${names.length}` };
  const isHeader = names.every((name, index) => name === cells[index]);
  return isHeader ? { code: 'row.header' } : undefined;
}
