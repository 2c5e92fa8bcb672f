import path from 'node:path';
import { isRecord, parseJsonText, parseValue } from 'audience-core/internal';
import { encodeProgramValue } from '../people/fields.js';
import type { Codec } from '../people/fields.js';
import { ResourceError } from '../errors.js';
import type { Raw } from '../raw.js';
import { readCsv } from './csv.js';
import type { Delimiter } from './csv.js';
import { readText } from './text-file.js';

/** Forms of a file of contacts. */
export const FILE_FORMATS = ['csv', 'jsonl'] as const;
/** Form of a file of contacts: comma-separated with a header, or one JSON object a line. */
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Where contacts are declared. */
export interface RecordSource {
  readonly file?: string | undefined;
  readonly format?: FileFormat | undefined;
  readonly delimiter?: Delimiter | undefined;
  readonly contacts?: readonly Raw[] | undefined;
}

/** One declared contact, as it was written. */
export interface ContactRecord {
  /** Where it stands, for messages: `line 7` of a file, `contacts[3]` of an array. */
  readonly location: string;
  /** Fields as of a `Contact`; of a file, custom properties may be texts. */
  readonly fields: Raw;
}

/** How values of the source get to the wire: in a file they may be text, and a number in JSON is none. */
export function codecOf({ file }: RecordSource): Codec {
  return file === undefined ? encodeProgramValue : encodeFileValue;
}

const encodeFileValue: Codec = (type, value) =>
  type === 'string' ? encodeProgramValue(type, value) : parseValue(type, value);

/**
 * Reads the declared contacts, one after the other: a file is never held as a whole.
 *
 * @throws ResourceError when the file cannot be read, or is not of its form; the message names file and line.
 */
export async function* readRecords(source: RecordSource): AsyncGenerator<ContactRecord, void> {
  const { file } = source;
  if (file === undefined) {
    for (const [index, fields] of (source.contacts ?? []).entries()) {
      yield { location: `contacts[${index}]`, fields: fields };
    }
  } else if ((source.format ?? formatOf(file)) === 'csv') {
    yield* readCsv(file, source.delimiter, () => undefined);
  } else {
    yield* readJsonLines(file);
  }
}

function formatOf(file: string): FileFormat {
  const extension = path.extname(file).toLowerCase();
  if (['.csv', '.tsv'].includes(extension)) return 'csv';
  if (['.jsonl', '.ndjson'].includes(extension)) return 'jsonl';
  throw new ResourceError(
    `The form of '${file}' is not known by its name. ${/^\.(xlsx?|ods|numbers)$/.test(extension) ? "Save the sheet as 'CSV UTF-8', and name that file" : "Name it .csv or .jsonl, or set format to 'csv' or 'jsonl'"}.`,
  );
}

async function* readJsonLines(file: string): AsyncGenerator<ContactRecord, void> {
  let number = 0;
  for await (const line of linesOf(readText(file))) {
    number += 1;
    if (line.trim() === '') continue;
    yield { location: `line ${number}`, fields: parseLine(file, number, line) };
  }
}

/** Lines end with LF or CRLF: those of node:readline end at U+2028 too, which JSON texts may hold. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

function parseLine(file: string, number: number, line: string): Raw {
  const { value, lost } = parseJsonText(line.replace(/^\uFEFF/, ''));
  if (lost !== undefined) throw new ResourceError(`'${file}' cannot be read: line ${number} ${lost}.`);
  if (isRecord(value)) return value;
  throw new ResourceError(
    value === undefined
      ? `'${file}' is not JSON Lines: line ${number} is not JSON. Write one JSON object a line.`
      : `'${file}' is not JSON Lines of contacts: line ${number} is not a JSON object. Write one JSON object a line, with fields as a Contact has them.`,
  );
}
