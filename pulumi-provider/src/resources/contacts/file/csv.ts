import { CsvError, parse } from 'csv-parse';
import type { Parser } from 'csv-parse';
import * as z from 'zod/mini';
import { ResourceError } from '../../errors.js';
import type { SourceRow } from './json.js';

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** How the header of a CSV file is read. */
export interface HeaderReader {
  /** Whether a header is one that is looked for: it helps to find the delimiter. */
  readonly isKnown: (header: string) => boolean;
  /** Told of the header and the first row below it, before that row. */
  readonly onHeader: (header: readonly string[], first: readonly string[]) => void;
}

/**
 * Reads CSV. Blanks around unquoted cells are dropped; rows without any value are skipped.
 *
 * @param head the beginning of the text, with the whole header; `rest` follows it.
 * @throws ResourceError where quotes are wrong.
 */
export async function* readCsv(
  file: string,
  head: string,
  rest: AsyncIterable<string>,
  { isKnown, onHeader }: HeaderReader,
): AsyncGenerator<SourceRow, void> {
  let header: readonly string[] | undefined;
  let isRead = false;
  for await (const rows of batchesOf(file, head, rest, isKnown)) {
    for (const { line, cells } of rows) {
      if (cells.every((cell) => cell === '')) continue;
      if (header === undefined) {
        header = cells.map((name) => name.trim());
        continue;
      }
      if (!isRead) onHeader(header, cells);
      isRead = true;
      const fault = faultOf(header, cells);
      const values = header.map((name, index) => [name, cells[index] ?? ''] as const);
      yield fault === undefined
        ? { location: `line ${line}`, values }
        : { location: `line ${line}`, values: [], fault };
    }
  }
  if (!isRead) onHeader(header ?? [], []);
}

function faultOf(header: readonly string[], cells: readonly string[]): string | undefined {
  if (cells.length < header.length || cells.some((cell, index) => cell !== '' && index >= header.length)) {
    const values = cells.length === 1 ? '1 value' : `${cells.length} values`;
    return `has ${values}, the header has ${header.length}. Is a delimiter unquoted, or was the file cut off?`;
  }
  const isHeader = cells[0] === header[0] && header.every((name, index) => name === cells[index]);
  return isHeader ? 'is the header again. Were two files joined?' : undefined;
}

interface CsvRow {
  /** Number of the line on which it ends. */
  readonly line: number;
  readonly cells: readonly string[];
}

async function* batchesOf(
  file: string,
  head: string,
  rest: AsyncIterable<string>,
  isKnown: (header: string) => boolean,
): AsyncGenerator<readonly CsvRow[], void> {
  const [separator = '', given] = /^sep=(.)[^\S\r\n]*(?:\r\n|\n|\r)/i.exec(head) ?? [];
  const text = head.slice(separator.length);
  let rows: CsvRow[] = [];
  let [lastLine, emptyLines, doubled] = [separator === '' ? 0 : 1, 0, separator === '' ? 0 : -1];
  const parser = parse({
    delimiter: given ?? delimiterOf(text, isKnown),
    record_delimiter: ['\r\n', '\n', ...(endsWithCr(text) ? ['\r'] : [])],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    on_record: (cells: string[], { lines, empty_lines: empty }) => {
      // The parser counts CRLF in a quoted cell as two lines.
      if (lines - doubled - lastLine > 1) doubled += cells.join('').split('\r\n').length - 1;
      lastLine = lines - doubled;
      emptyLines = empty;
      rows.push({ line: lastLine, cells });
      return null;
    },
  });
  // Errors come with each write.
  parser.on('error', () => undefined).resume();
  try {
    await written(parser, text);
    yield rows;
    for await (const chunk of rest) {
      rows = [];
      await written(parser, chunk);
      yield rows;
    }
    rows = [];
    await written(parser);
    yield rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, empty_lines: empty } = positionSchema.parse(error);
    yield rows;
    // A quote that is never closed takes in all that follows.
    const open = lastLine + 1 + empty - emptyLines;
    throw new ResourceError(`'${file}', ${reasonOf(error, open, lines - doubled)}.`);
  } finally {
    parser.destroy();
  }
}

const positionSchema = z.object({ lines: z.number(), empty_lines: z.number() });

function written(parser: Parser, text?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null): void => (error instanceof Error ? reject(error) : resolve());
    if (text === undefined) parser.once('error', reject).end(done);
    else parser.write(text, done);
  });
}

function reasonOf(error: CsvError, open: number, line: number): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return `line ${open}: a quoted value is never closed`;
  if (error.message.includes('value is "="'))
    return `line ${line}: a value such as ="001" is a formula. Export the column as text`;
  return error.code === 'INVALID_OPENING_QUOTE'
    ? `line ${line}: a quote stands inside an unquoted value. Quote the value, and double the quotes in it`
    : `line ${line}: text follows a closing quote. Double the quotes that are part of a value`;
}

/** Whether lines end with CR alone, which is part of a cell otherwise. */
function endsWithCr(head: string): boolean {
  return /^[^\r\n]*\r(?!\n)/.test(head.trimStart());
}

/** The delimiter that finds most of the known headers, then the one that finds most columns. */
function delimiterOf(head: string, isKnown: (header: string) => boolean): string {
  const [header = ''] = /^\s*(?:[^"\r\n]|"(?:[^"]|"")*")*/.exec(head.slice(0, 20_000)) ?? [];
  // Delimiters in quotes do not count.
  const bare = header.replaceAll(/"((?:[^"]|"")*)"/g, (_, text: string) => text.replaceAll(/[,;\t|]/g, '\0'));
  const found = DELIMITERS.map((delimiter) => {
    const names = bare.split(delimiter);
    return { delimiter, known: names.filter((name) => isKnown(name.trim())).length, all: names.length };
  });
  return found.reduce((best, next) =>
    next.known > best.known || (next.known === best.known && next.all > best.all) ? next : best,
  ).delimiter;
}
