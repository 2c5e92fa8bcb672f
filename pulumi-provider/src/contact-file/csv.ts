import { CsvError, parse } from 'csv-parse/sync';
import { FileError, type FileProblem } from './problems.js';
import type { Table, TableRow } from './table.js';

/** If two are equally frequent, the one that is rarer in texts comes first. */
const DELIMITERS = ['\t', '|', ';', ','] as const;

/**
 * Parses a CSV file, whose first row is the header. Empty rows are left out.
 *
 * @throws FileError where it is no CSV.
 */
export function parseCsv(given: string): Table {
  // The parser counts CRLF in a quoted cell as two lines.
  const text = given.replaceAll('\r\n', '\n');
  const separator = /^sep=(.)[^\S\r\n]*[\r\n]/i.exec(text)?.[1];
  const delimiter = separator ?? delimiterOf(text);
  const { header, rows } = parseRows(text, delimiter, separator === undefined ? 1 : 2);
  if (header === undefined) throw new FileError({ code: 'file.empty' });
  return { unit: 'line', delimiter, header, rows };
}

function parseRows(text: string, delimiter: string, firstLine: number) {
  const rows: TableRow[] = [];
  let header: readonly string[] | undefined;
  let lastLine = 0;
  try {
    parse(text, {
      delimiter,
      from_line: firstLine,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (cells: string[], { lines }) => {
        lastLine = lines;
        if (cells.every((cell) => cell === '')) return null;
        if (header === undefined) header = cells;
        else rows.push({ number: lastLine, cells, fault: faultOf(cells, header) });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FileError(problemOf(error, lastLine));
  }
  return { header, rows };
}

/** Why a file is no CSV from a line on. */
function problemOf(error: CsvError, lastLine: number): FileProblem {
  // The error's own line is the end of the file where a quote is never closed.
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return { code: 'file.quote-open', locations: [`line ${lastLine + 1}`] };
  return { code: 'file.quote', locations: [`line ${Number(error['lines'])}`] };
}

/** Why a row does not belong to the header. A short row is filled with empty cells. */
function faultOf(cells: readonly string[], header: readonly string[]): FileProblem | undefined {
  const isLong = cells.slice(header.length).some((cell) => cell !== '');
  if (!isLong) return undefined;
  return { code: 'row.long', expected: `${cells.length} values, the header has ${header.length}` };
}

/** The delimiter that is most frequent in the header. Delimiters in quotes do not count. */
function delimiterOf(text: string): string {
  const [header = ''] = /^(?:"[^"]*"|[^"\r\n]+)*/.exec(text.trimStart()) ?? [];
  const unquoted = header.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length);
  const most = Math.max(...counts);
  return (most > 1 ? DELIMITERS[counts.indexOf(most)] : undefined) ?? ',';
}
