import readWorkbook from 'read-excel-file/node';
import { FileError } from './problems.js';
import { Table, type Format } from './rows.js';

/** Excel workbooks. Numbers, booleans and dates are typed there; the whole workbook is in memory. */
export const xlsx: Format = async ({ file, options }, sink) => {
  sink.begin('row');
  const sheets = await readWorkbook(file, { trim: false }).catch(() => {
    throw new FileError([{ code: 'file.workbook' }]);
  });
  const { sheet: subject } = options;
  const wanted = sheets.filter(({ sheet, data }) =>
    subject === undefined ? data.length > 0 : sheet === subject,
  );
  const namesOf = (some: typeof sheets): string[] => some.map(({ sheet }) => sheet);
  if (wanted.length > 1)
    throw new FileError([{ code: 'file.sheets', count: wanted.length, names: namesOf(wanted) }]);
  if (wanted.length === 0 && subject !== undefined)
    throw new FileError([{ code: 'file.sheet-missing', subject, names: namesOf(sheets) }]);
  const table = new Table(sink, options.headerRow);
  for (const [index, cells] of (wanted[0]?.data ?? []).entries()) {
    // Texts are trimmed as unquoted cells of CSV are.
    for (const [at, cell] of cells.entries()) if (typeof cell === 'string') cells[at] = cell.trim();
    table.add(index + 1, cells);
  }
  table.end();
};
