import readWorkbook from 'read-excel-file/node';
import { FileError } from './problems.js';
import { Table } from './rows.js';
import type { Format } from './rows.js';

/** Excel workbooks. Numbers, booleans and dates are typed there; the whole workbook is in memory. */
export const xlsx: Format = {
  matches: (start) => /^PK.*(xl\/|\[Content_Types\]|_rels\/|docProps\/)/s.test(start),

  async read({ file, options }, sink) {
    sink.begin('row');
    const name = `'${file}'`;
    const sheets = await readWorkbook(file, { trim: false }).catch(() => {
      throw new FileError(name, [{ code: 'file.workbook' }]);
    });
    const wanted = sheets.filter(({ sheet, data }) =>
      options.sheet === undefined ? data.length > 0 : sheet === options.sheet,
    );
    const names = (options.sheet === undefined && wanted.length > 1 ? wanted : sheets).map(
      ({ sheet }) => sheet,
    );
    const [only, ...others] = wanted;
    if (only === undefined && options.sheet !== undefined)
      throw new FileError(name, [{ code: 'file.sheet-missing', subject: options.sheet, names }]);
    if (others.length > 0) throw new FileError(name, [{ code: 'file.sheets', names }]);
    const table = new Table(sink, options.headerRow);
    let number = 0;
    for (const cells of only?.data ?? []) {
      // Texts are trimmed as unquoted cells of CSV are.
      for (const [index, cell] of cells.entries()) if (typeof cell === 'string') cells[index] = cell.trim();
      table.add((number += 1), cells);
    }
    table.end();
  },
};
