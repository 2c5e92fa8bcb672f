import readWorkbook from 'read-excel-file/node';
import { FileError } from './problems.js';
import { Table, type Format } from './rows.js';

/** Excel workbooks. Numbers, booleans and dates are typed there; the whole workbook is in memory. */
export const xlsx: Format = async ({ file }, reading) => {
  reading.begin('row');
  const sheets = await readWorkbook(file, { trim: false }).catch(() => {
    throw new FileError([{ code: 'file.workbook' }]);
  });
  const { sheet: wantedName } = reading.inputs;
  const wanted = sheets.filter(({ sheet, data }) =>
    wantedName === undefined ? data.length > 0 : sheet === wantedName,
  );
  const [found, ...others] = wanted;
  if (others.length > 0 || (found === undefined && wantedName !== undefined)) {
    const names = (found === undefined ? sheets : wanted).map(({ sheet }) => sheet);
    throw new FileError([{ code: 'file.sheet', names }]);
  }
  const table = new Table(reading);
  for (const [index, cells] of (found?.data ?? []).entries()) {
    // Texts are trimmed as unquoted cells of CSV are.
    for (const [at, cell] of cells.entries()) if (typeof cell === 'string') cells[at] = cell.trim();
    table.add(index + 1, cells);
  }
  table.end();
};
