import { FileError, type FileProblem } from './problems.js';
import { textOfCell, type CellRow, type FormatOptions, type NamedRow } from './rows.js';

/** How many rows are searched for the header. */
const ROWS_ABOVE = 30;

/**
 * Finds the header of a table, and gives its names to the rows below. Empty rows are left out.
 *
 * @param isRagged whether rows end with their last cell, as those of workbooks do.
 */
export async function* withHeader(
  batches: AsyncIterable<readonly CellRow[]>,
  { headerRow, identifierIn }: FormatOptions,
  isRagged = false,
): AsyncGenerator<readonly NamedRow[], void> {
  let header: NamedRow | undefined;
  const above: CellRow[] = [];
  const isHeader = ({ cells }: CellRow): boolean =>
    headerRow !== undefined ||
    (above.every((other) => widthOf(cells) > widthOf(other.cells)) &&
      identifierIn(cells.map(textOfCell)) !== undefined);
  const begin = ({ number, cells }: CellRow, isBelow: boolean): NamedRow => {
    const names = cells.map(textOfCell);
    const width = isRagged ? names.findLastIndex((name) => name !== '') + 1 : names.length;
    const fault = { code: 'header.row', count: number, given: identifierIn(names) } as const;
    return (header = { number, names: names.slice(0, width), fault: isBelow ? fault : undefined });
  };
  /** Where no header was found, the first row is the header. */
  const end = (): NamedRow[] => {
    const [first, ...rest] = above.splice(0);
    if (first === undefined || header !== undefined) return [];
    const found = begin(first, false);
    return [found, ...rest.map((row) => rowBelow(found, row, isRagged))];
  };
  for await (const batch of batches) {
    const rows: NamedRow[] = [];
    for (const row of batch) {
      if (row.number < (headerRow ?? 1)) continue;
      if (row.merged !== undefined && row.number > (header?.number ?? row.number))
        throw new FileError({ code: 'file.merged', given: row.merged });
      if (row.cells.every(isEmpty)) continue;
      if (header !== undefined) rows.push(rowBelow(header, row, isRagged));
      else if (isHeader(row)) rows.push(begin(row, above.length > 0));
      else if (above.push(row) > ROWS_ABOVE) rows.push(...end());
    }
    yield rows;
  }
  yield end();
}

function rowBelow({ names }: NamedRow, { number, cells }: CellRow, isRagged: boolean): NamedRow {
  const own = isRagged ? names.map((_, index) => cells[index] ?? null) : cells;
  return { number, names, cells: own, fault: faultOf(names, own) };
}

function isEmpty(cell: unknown): boolean {
  return cell === '' || cell === null || cell === undefined;
}

function widthOf(cells: CellRow['cells']): number {
  return cells.filter((cell) => !isEmpty(cell)).length;
}

function faultOf(names: readonly string[], cells: CellRow['cells']): FileProblem | undefined {
  const isLong = cells.length > names.length && !cells.slice(names.length).every(isEmpty);
  if (isLong || cells.length < names.length) {
    const values = cells.length === 1 ? '1 value' : `${cells.length} values`;
    return { code: 'row.shape', expected: `${values}, the header has ${names.length}` };
  }
  const isHeader = cells[0] === names[0] && names.every((name, index) => name === cells[index]);
  return isHeader ? { code: 'row.header' } : undefined;
}
