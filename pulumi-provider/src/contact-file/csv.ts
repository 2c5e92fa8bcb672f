import { CsvError, parse } from 'csv-parse/sync';
import { FileError, type FileProblem } from './problems.js';
import type { Table, TableRow } from './table.js';

/** If two are equally frequent, the one that is rarer in texts comes first. */
const DELIMITERS = ['\t', '|', ';', ','] as const;
/** A row with more characters is a file without line ends, or has a quote that is never closed. */
const LONGEST_ROW = 1_000_000;
/** More columns are no list of contacts. */
const MOST_COLUMNS = 1_000;

/**
 * Parses a CSV file, whose first row is the header. Empty rows are left out.
 *
 * @throws FileError where it is no CSV.
 */
export function parseCsv(text: string): Table {
  const [separatorLine = '', given] = /^sep=(.)[^\S\r\n]*(?:\r\n|\n|\r)/i.exec(text) ?? [];
  const linesAbove = separatorLine === '' ? 0 : 1;
  const delimiter = given ?? delimiterOf(text);
  const { header, rows } = parseRows(text, delimiter, linesAbove);
  if (header === undefined) throw new FileError({ code: 'file.empty' });
  if (header.length > MOST_COLUMNS) throw new FileError({ code: 'file.wide', count: header.length });
  return { unit: 'line', delimiter, header, rows };
}

function parseRows(text: string, delimiter: string, linesAbove: number) {
  const rows: TableRow[] = [];
  let header: readonly string[] | undefined;
  let lastLine = 0;
  let extraLines = 0;
  // CR alone is part of a cell, unless the header ends with it.
  const endsWithCr = /^[^\r\n]*\r(?!\n)/.test(text.trimStart());
  try {
    parse(text, {
      delimiter,
      from_line: linesAbove + 1,
      max_record_size: LONGEST_ROW,
      record_delimiter: ['\r\n', '\n', ...(endsWithCr ? ['\r'] : [])],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (cells: string[], { lines }) => {
        // The parser counts CRLF in a quoted cell as two lines.
        if (lines - extraLines - lastLine > 1) extraLines += cells.join('').split('\r\n').length - 1;
        lastLine = lines - extraLines;
        if (cells.every((cell) => cell === '')) return null;
        if (header === undefined) header = cells;
        else rows.push({ number: lastLine, cells, fault: faultOf(cells, header) });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FileError(problemOf(error, lastLine, extraLines));
  }
  return { header, rows };
}

/** Why a file is no CSV from a line on. */
function problemOf(error: CsvError, lastLine: number, extraLines: number): FileProblem {
  const own = [`line ${Number(error['lines']) - extraLines}`];
  const next = [`line ${lastLine + 1}`];
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return { code: 'file.long-row', expected: LONGEST_ROW.toLocaleString('en'), locations: next };
  // The error's own line is the end of the file where a quote is never closed.
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return { code: 'file.quote-open', locations: next };
  return { code: 'file.quote', locations: own };
}

/** Why a row does not belong to the header. A short row is filled with empty cells. */
function faultOf(cells: readonly string[], header: readonly string[]): FileProblem | undefined {
  if (cells.length > header.length && cells.slice(header.length).some((cell) => cell !== ''))
    return { code: 'row.long', expected: `${cells.length} values, the header has ${header.length}` };
  return undefined;
}

/** The delimiter that is most frequent in the header. Delimiters in quotes do not count. */
function delimiterOf(text: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const sign of text.trimStart()) {
    if (sign === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (sign === '\n' || sign === '\r') break;
    const count = counts.get(sign);
    if (count !== undefined) counts.set(sign, count + 1);
  }
  const most = Math.max(...counts.values());
  return DELIMITERS.find((delimiter) => most > 0 && counts.get(delimiter) === most) ?? ',';
}
