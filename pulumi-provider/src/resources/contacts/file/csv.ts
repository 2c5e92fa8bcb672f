import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import type { FileCode } from '../../../file-messages.js';
import { FileError } from './problems.js';
import { Table } from './rows.js';
import type { Format, Sink } from './rows.js';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const HEAD = { characters: 65_536, lines: 30 };

/** CSV: without blanks around unquoted cells and without empty rows. Every text can be CSV, so it is what is left. */
export const csv: Format = {
  matches: () => true,

  async read(source, sink) {
    const text = source.text();
    const head = await headOf(text);
    const [separator = '', given] = /^sep=(.)[^\S\r\n]*(?:\r\n|\n|\r)/i.exec(head) ?? [];
    const start = head.slice(separator.length);
    const delimiter = given ?? delimiterOf(start, sink);
    sink.begin('line', delimiter);
    const table = new Table(sink, source.options.headerRow);
    let [lastLine, emptyLines, doubled] = [0, 0, 0];
    const parser = parse({
      delimiter,
      from_line: Math.max(separator === '' ? 1 : 2, source.options.headerRow ?? 1),
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
        table.add(lastLine, cells);
        return null;
      },
    });
    try {
      await pipeline(withHead(head, text), parser);
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      const { lines, empty_lines: empty } = parser.info;
      table.end();
      const code = codeOf(error);
      // The error's own line is the end of the file where a quote is never closed.
      const line = code === 'file.quote-open' ? lastLine + 1 + empty - emptyLines : lines - doubled;
      throw new FileError(`'${source.file}'`, [{ code, locations: [`line ${line}`] }]);
    }
    table.end();
  },
};

function codeOf(error: CsvError): FileCode {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'file.quote-open';
  if (error.message.includes('value is "="')) return 'file.formula';
  return error.code === 'INVALID_OPENING_QUOTE' ? 'file.quote-inside' : 'file.quote-after';
}

/** The start of a text, with the whole header where it is not very long. */
async function headOf(text: AsyncIterator<string, void>): Promise<string> {
  let head = '';
  while (head.length < HEAD.characters && head.split('\n', HEAD.lines).length < HEAD.lines) {
    const next = await text.next();
    if (next.done === true) break;
    head += next.value;
  }
  return head;
}

async function* withHead(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield head;
  yield* rest;
}

/** The delimiter that finds most of the known headers in a line, then the one that finds most columns in the first. */
function delimiterOf(head: string, sink: Sink): string {
  const lines = head.slice(0, 20_000).match(/(?:[^"\r\n]|"(?:[^"]|"")*"|")+/g) ?? [];
  const rows = lines
    .filter((line) => line.trim() !== '')
    .slice(0, HEAD.lines)
    // Delimiters in quotes do not count.
    .map((line) =>
      line.replaceAll(/"((?:[^"]|"")*)"/g, (_, text: string) => text.replaceAll(/[,;\t|]/g, '\0')),
    );
  const found = DELIMITERS.map((delimiter) => {
    const known = rows.map((row) => sink.knownIn(row.split(delimiter).map((name) => name.trim())));
    return { delimiter, known: Math.max(0, ...known), all: rows[0]?.split(delimiter).length ?? 0 };
  });
  return found.reduce((best, next) =>
    next.known > best.known || (next.known === best.known && next.all > best.all) ? next : best,
  ).delimiter;
}
