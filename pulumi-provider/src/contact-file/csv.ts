import { CsvError, parse } from 'csv-parse';
import { FileError } from './problems.js';
import type { CellRow, Format, FormatOptions } from './rows.js';
import type { Source } from './source.js';
import { withHeader } from './table.js';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const LINES = 30;

/** CSV: without blanks around unquoted cells and without empty rows. Every text can be CSV, so it is what is left. */
export const csv: Format = (source, options) => {
  const [separator = '', given] = /^sep=(.)[^\S\r\n]*(?:\r\n|\n|\r)/i.exec(source.head) ?? [];
  const start = source.head.slice(separator.length);
  const delimiter = given ?? delimiterOf(start, options.identifierIn);
  // CR alone is part of a cell, unless the header ends with it.
  const isByCr = /^[^\r\n]*\r(?!\n)/.test(start.trimStart());
  const from = Math.max(separator === '' ? 1 : 2, options.headerRow ?? 1);
  return {
    unit: 'line',
    delimiter,
    rows: withHeader(cellRows(source, delimiter, from, isByCr), options),
  };
};

async function* cellRows(
  source: Source,
  delimiter: string,
  from: number,
  isByCr: boolean,
): AsyncGenerator<readonly CellRow[], void> {
  const rows: CellRow[] = [];
  let [lastLine, emptyLines, doubled] = [0, 0, 0];
  const parser = parse({
    delimiter,
    from_line: from,
    record_delimiter: ['\r\n', '\n', ...(isByCr ? ['\r'] : [])],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    // A stream of rows is much slower.
    on_record: (cells: string[], { lines, empty_lines: empty }) => {
      // The parser counts CRLF in a quoted cell as two lines.
      if (lines - doubled - lastLine > 1) doubled += cells.join('').split('\r\n').length - 1;
      lastLine = lines - doubled;
      emptyLines = empty;
      rows.push({ number: lastLine, cells });
      return null;
    },
  });
  const failed = new Promise<unknown>((resolve) => parser.once('error', resolve));
  const failureOf = async (feed: (done: (error?: unknown) => void) => void): Promise<unknown> =>
    Promise.race([failed, new Promise<unknown>(feed)]);
  let error: unknown;
  for await (const text of source.text()) {
    error = await failureOf((done) => parser.write(text, done));
    yield rows.splice(0);
    if (error instanceof Error) break;
  }
  error ??= await failureOf((done) => parser.resume().end(done));
  yield rows;
  if (!(error instanceof Error)) return;
  if (!(error instanceof CsvError)) throw error;
  const { lines, empty_lines: empty } = parser.info;
  // The error's own line is the end of the file where a quote is never closed.
  const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
  const line = isOpen ? lastLine + 1 + empty - emptyLines : lines - doubled;
  throw new FileError({ code: isOpen ? 'file.quote-open' : 'file.quote', locations: [`line ${line}`] });
}

/** The delimiter that finds the email or the userId in a line, then the one that finds most columns in the first. */
function delimiterOf(head: string, identifierIn: FormatOptions['identifierIn']): string {
  const lines = head.slice(0, 20_000).match(/(?:[^"\r\n]|"(?:[^"]|"")*"|")+/g) ?? [];
  const rows = lines
    .filter((line) => line.trim() !== '')
    .slice(0, LINES)
    // Delimiters in quotes do not count.
    .map((line) =>
      line.replaceAll(/"((?:[^"]|"")*)"/g, (_, text: string) => text.replaceAll(/[,;\t|]/g, '\0')),
    );
  const widthOf = (delimiter: string): number => rows[0]?.split(delimiter).length ?? 0;
  const [widest = ','] = [...DELIMITERS].sort((one, other) => widthOf(other) - widthOf(one));
  const finds = (delimiter: string): boolean =>
    rows.some((row) => identifierIn(row.split(delimiter).map((name) => name.trim())) !== undefined);
  return [widest, ...DELIMITERS].find(finds) ?? widest;
}
