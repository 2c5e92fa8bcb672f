import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { ResourceError } from '../../errors.js';
import type { Columns } from './columns.js';
import { assertNone } from './faults.js';
import type { SourceRow } from './json.js';

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Reads CSV, without blanks around unquoted cells and empty rows. `head` is the start, with the whole header. */
export async function readCsv(
  file: string,
  head: string,
  text: AsyncIterable<string>,
  columns: Columns,
  onRow: (row: SourceRow) => void,
): Promise<void> {
  const [separator = '', given] = /^sep=(.)[^\S\r\n]*(?:\r\n|\n|\r)/i.exec(head) ?? [];
  const start = head.slice(separator.length);
  const readHeader = (names: readonly string[], first: readonly string[]): void =>
    assertNone(`'${file}'`, columns.readHeader(names, first));
  let header: readonly string[] | undefined;
  let [rows, lastLine, emptyLines, doubled] = [0, 0, 0, 0];
  const parser = parse({
    delimiter: given ?? delimiterOf(start, columns),
    from_line: separator === '' ? 1 : 2,
    // CR alone is part of a cell, unless the header ends with it.
    record_delimiter: ['\r\n', '\n', ...(/^[^\r\n]*\r(?!\n)/.test(start.trimStart()) ? ['\r'] : [])],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    // A stream of rows is much slower.
    on_record: (cells: string[], { lines, empty_lines: empty }) => {
      // The parser counts CRLF in a quoted cell as two lines.
      if (lines - doubled - lastLine > 1) doubled += cells.join('').split('\r\n').length - 1;
      lastLine = lines - doubled;
      emptyLines = empty;
      if (cells.every((cell) => cell === '')) return null;
      if (header === undefined) header = cells.map((name) => name.trim());
      else {
        if (rows === 0) readHeader(header, cells);
        rows += 1;
        onRow({ number: lastLine, names: header, values: cells, fault: faultOf(header, cells) });
      }
      return null;
    },
  });
  try {
    await pipeline(text, parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, empty_lines: empty } = parser.info;
    // The error's own line is the end of the file where a quote is never closed.
    const open = lastLine + 1 + empty - emptyLines;
    throw new ResourceError(`'${file}', ${reasonOf(error, open, lines - doubled)}.`);
  }
  if (rows === 0) readHeader(header ?? [], []);
}

function faultOf(header: readonly string[], cells: readonly string[]): string | undefined {
  if (cells.length < header.length || cells.some((cell, index) => cell !== '' && index >= header.length)) {
    const values = cells.length === 1 ? '1 value' : `${cells.length} values`;
    return `has ${values}, the header has ${header.length}. Is a delimiter unquoted, or was the file cut off?`;
  }
  const isHeader = cells[0] === header[0] && header.every((name, index) => name === cells[index]);
  return isHeader ? 'is the header again. Were two files joined?' : undefined;
}

function reasonOf(error: CsvError, open: number, line: number): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return `line ${open}: a quoted value is never closed`;
  if (error.message.includes('value is "="'))
    return `line ${line}: a value such as ="001" is a formula. Export the column as text`;
  return error.code === 'INVALID_OPENING_QUOTE'
    ? `line ${line}: a quote is inside an unquoted value. Quote the value, and double the quotes in it`
    : `line ${line}: text follows a closing quote. Double the quotes that are part of a value`;
}

/** The delimiter that finds most of the known headers, then the one that finds most columns. */
function delimiterOf(head: string, columns: Columns): string {
  const [header = ''] = /^\s*(?:[^"\r\n]|"(?:[^"]|"")*")*/.exec(head.slice(0, 20_000)) ?? [];
  // Delimiters in quotes do not count.
  const bare = header.replaceAll(/"((?:[^"]|"")*)"/g, (_, text: string) => text.replaceAll(/[,;\t|]/g, '\0'));
  const found = DELIMITERS.map((delimiter) => {
    const names = bare.split(delimiter);
    const known = names.filter((name) => columns.isKnown(name.trim())).length;
    return { delimiter, known, all: names.length };
  });
  return found.reduce((best, next) =>
    next.known > best.known || (next.known === best.known && next.all > best.all) ? next : best,
  ).delimiter;
}
