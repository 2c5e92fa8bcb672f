import { Readable, pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import * as z from 'zod/mini';
import { parseValue } from 'audience-core/internal';
import { FIELDS, IDENTIFIERS } from '../people/fields.js';
import { groupOf as groupOfColumn } from '../people/values.js';
import { ResourceError } from '../errors.js';
import type { Raw } from '../raw.js';
import { readText } from './text-file.js';
import type { ContactRecord } from './records.js';

/** What can stand between the cells of a line. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Columns that every file can have, for messages. */
const STANDARD_COLUMNS: readonly string[] = [...FIELDS].map(([name, { type }]) =>
  type === 'groups' ? `${name}.<id>` : name,
);

const rowSchema = z.object({ line: z.number(), cells: z.record(z.string(), z.string()) });
type Row = z.infer<typeof rowSchema>;

/** Where the parser stands when it gives up. */
const placeSchema = z.object({ lines: z.number(), empty_lines: z.number() });

/** What a header names. */
export interface Header {
  readonly groups: readonly string[];
  readonly properties: readonly string[];
}

/**
 * Reads a CSV file with a header.
 *
 * @param given the delimiter; found in the header unless given.
 * @param onHeader is told what the header names, before the first record.
 * @throws ResourceError when the file cannot be read, is not UTF-8, or its header or form is wrong.
 */
export async function* readCsv(
  file: string,
  given: Delimiter | undefined,
  onHeader: (header: Header) => void,
): AsyncGenerator<ContactRecord, void> {
  const text = readText(file);
  const start = await beginning(text);
  if (start.replace(/^\uFEFF/, '').trim() === '')
    throw new ResourceError(
      `'${file}' is empty. A list of nobody still has its first line, which ${NAMES_COLUMNS}.`,
    );
  const delimiter = given ?? delimiterOf(start);
  // What goes wrong in the header is thrown where the rows are read.
  let headerFault: ResourceError | undefined;
  let [lastLine, emptyLines, doubled] = [0, 0, 0];
  // In a cell the parser counts CRLF as two lines.
  const noteDoubled = (cells: readonly string[]) => {
    for (const cell of cells) doubled += cell.split('\r\n').length - 1;
  };
  const parser = parse<Row, Row['cells']>({
    columns: (columns: string[]) => {
      headerFault = faultOf(file, columns, delimiter);
      if (headerFault !== undefined) throw headerFault;
      onHeader(headerOf(columns));
      noteDoubled(columns);
      lastLine = 1;
      return columns;
    },
    bom: true,
    // By itself it takes the first one that it meets for that of the whole file.
    record_delimiter: ['\r\n', '\n', ...(endsWithCr(start) ? ['\r'] : [])],
    on_record: (cells, { lines, empty_lines: empty }) => {
      noteDoubled(Object.values(cells));
      lastLine = lines - doubled;
      emptyLines = empty;
      return { line: lastLine, cells };
    },
    skip_empty_lines: true,
    trim: true,
    delimiter,
  });
  const rows: AsyncIterable<unknown> = pipeline(
    Readable.from(withStart(start, text)),
    parser,
    () => undefined,
  );
  try {
    for await (const row of rows) {
      const { line, cells } = rowSchema.parse(row);
      yield { location: `line ${line}`, fields: fieldsOfRow(cells) };
    }
  } catch (error) {
    if (headerFault !== undefined) throw headerFault;
    if (!(error instanceof CsvError)) throw error;
    // A quote that is not closed takes in all that follows.
    const { lines, empty_lines: empty } = placeSchema.parse(error);
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? lastLine + 1 + empty - emptyLines : lines - doubled;
    throw new ResourceError(
      `'${file}' is not a CSV file from line ${line} on (${error.code}): each line needs as many values as the header, and quotes that are closed.`,
    );
  }
}

/** Whether lines end with CR alone, which is part of a cell otherwise. */
function endsWithCr(start: string): boolean {
  return /^[^\r\n]*\r(?!\n)/.test(start.trimStart());
}

/** Text up to the end of the first line. */
async function beginning(text: AsyncGenerator<string, void>): Promise<string> {
  let start = '';
  while (!/\n|\r[^\n]/.test(start.trimStart())) {
    const next = await text.next();
    if (next.done === true) break;
    start += next.value;
  }
  return start;
}

async function* withStart(start: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  if (start !== '') yield start;
  yield* rest;
}

function delimiterOf(start: string): Delimiter {
  const header =
    start
      .replace(/^\uFEFF/, '')
      .trimStart()
      .split(/[\r\n]/)[0] ?? '';
  const bare = header.replaceAll(/"[^"]*"/g, '');
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, times: bare.split(delimiter).length }));
  return counted.reduce((best, next) => (next.times > best.times ? next : best)).delimiter;
}

function faultOf(file: string, columns: readonly string[], delimiter: Delimiter): ResourceError | undefined {
  const isText = (name: string) => columns.includes(name);
  if (!IDENTIFIERS.some(isText)) return withoutHeader(file, columns, delimiter);
  const empty = columns.indexOf('');
  if (empty >= 0) {
    return new ResourceError(
      `'${file}' has no name for column ${empty + 1} in its header, line 1. Name it, or take the column out.`,
    );
  }
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice === undefined) return undefined;
  return new ResourceError(
    `'${file}' has the column '${twice}' twice in its header, line 1: one of them would be lost. Rename one, or take it out.`,
  );
}

const NAMES_COLUMNS = `names the columns: ${STANDARD_COLUMNS.join(', ')}, and custom properties by their names`;

function withoutHeader(file: string, columns: readonly string[], delimiter: string): ResourceError {
  const expected = `The first line ${NAMES_COLUMNS}`;
  const alike = columns.find((name) =>
    IDENTIFIERS.some((known) => known.toLowerCase() === name.toLowerCase()),
  );
  if (alike !== undefined) {
    return new ResourceError(
      `'${file}' has a column '${alike}', but names are written just so: 'email', 'userId'. ${expected}.`,
    );
  }
  const says = columns.some((name) => name.includes('@'))
    ? 'begins with a line of values: its header is missing'
    : "has no column 'email' or 'userId' in its first line";
  const between = columns.length > 1 ? ` (read with ${JSON.stringify(delimiter)} between them)` : '';
  return new ResourceError(`'${file}' ${says}${between}. ${expected}.`);
}

function headerOf(columns: readonly string[]): Header {
  return {
    groups: columns.flatMap((name) => groupOfColumn(name) ?? []),
    properties: columns.filter((name) => groupOfColumn(name) === undefined && !isStandard(name)),
  };
}

function isStandard(column: string): boolean {
  const field = FIELDS.get(column);
  return field !== undefined && field.type !== 'groups';
}

/** An empty cell declares nothing. */
function fieldsOfRow(row: Readonly<Record<string, string>>): Raw {
  const fields: [string, unknown][] = [];
  const properties: [string, unknown][] = [];
  const groups: [string, unknown][] = [];
  for (const [column, cell] of Object.entries(row)) {
    if (cell === '') continue;
    const type = FIELDS.get(column)?.type;
    const group = groupOfColumn(column);
    if (type !== undefined && type !== 'groups') fields.push([column, valueOf(type, cell)]);
    else if (group !== undefined) groups.push([group, valueOf('boolean', cell)]);
    else properties.push([column, cell]);
  }
  if (groups.length > 0) fields.push(['subscriptionGroups', Object.fromEntries(groups)]);
  if (properties.length > 0) fields.push(['properties', Object.fromEntries(properties)]);
  return Object.fromEntries(fields);
}

/** A text that does not fit is left as it is: the check of the record then says so. */
function valueOf(type: Parameters<typeof parseValue>[0], cell: string): unknown {
  const parsed = parseValue(type, cell);
  return parsed.ok ? parsed.value : cell;
}
