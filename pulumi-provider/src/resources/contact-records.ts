import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { ContactProperty, PropertyType } from 'audience-core';
import * as z from 'zod';
import { describeIssue, fieldIssues } from './contact-fields.js';
import { ResourceError } from './host.js';
import type { Raw } from './host.js';

/** Forms of a file of contacts. */
export const FILE_FORMATS = ['csv', 'jsonl'] as const;
/** Form of a file of contacts: comma-separated with a header, or one JSON object a line. */
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Where contacts are declared. */
export interface RecordSource {
  readonly file?: string | undefined;
  readonly format?: FileFormat | undefined;
  readonly contacts?: readonly Raw[] | undefined;
}

/** One declared contact, as it was written. */
export interface ContactRecord {
  /** Where it stands, for messages: `line 7` of a file, `contacts[3]` of an array. */
  readonly place: string;
  /** Fields as of a `Contact`; of a CSV file, custom properties are texts. */
  readonly fields: Raw;
}

const STANDARD_COLUMNS = ['email', 'userId', 'firstName', 'lastName', 'source', 'subscribed'];
const GROUP_COLUMN = 'subscriptionGroups.';
const objectSchema = z.record(z.string(), z.unknown());
const rowSchema = z.object({
  record: z.record(z.string(), z.string()),
  info: z.object({ lines: z.number() }),
});

/**
 * Reads the declared contacts, one after the other: a file is never held as a whole.
 *
 * @throws ResourceError when the file cannot be read, or is not of its form; the message names file and line.
 */
export async function* readRecords(source: RecordSource): AsyncGenerator<ContactRecord, void> {
  const { file } = source;
  if (file === undefined) {
    for (const [index, fields] of (source.contacts ?? []).entries()) {
      yield { place: `contacts[${index}]`, fields };
    }
    return;
  }
  const read = (source.format ?? formatOf(file)) === 'csv' ? readCsv : readJsonLines;
  const handle = await opened(file);
  try {
    yield* read(file, handle);
  } catch (error) {
    throw isOfSystem(error) ? new ResourceError(cannotBeRead(file, error)) : error;
  } finally {
    await handle.close();
  }
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

async function opened(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    throw new ResourceError(cannotBeRead(file, error));
  }
  throw new ResourceError(`Contacts cannot be read from '${file}': it is no file. Give the path of a file.`);
}

function cannotBeRead(file: string, error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const why = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
  return `Contacts cannot be read from '${file}': ${why}. Give its path from the folder of the program, or a whole one.`;
}

function formatOf(file: string): FileFormat {
  const extension = path.extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (['.jsonl', '.ndjson'].includes(extension)) return 'jsonl';
  throw new ResourceError(
    `The form of '${file}' is not known by its name. Name it .csv or .jsonl, or set format to 'csv' or 'jsonl'.`,
  );
}

async function* readCsv(file: string, handle: FileHandle): AsyncGenerator<ContactRecord, void> {
  const parser = parse({ columns: true, bom: true, info: true, skip_empty_lines: true, trim: true });
  // What goes wrong on the way ends the parser, and is thrown where its rows are read.
  const rows: AsyncIterable<unknown> = pipeline(
    handle.createReadStream({ autoClose: false }),
    parser,
    () => undefined,
  );
  try {
    for await (const row of rows) {
      const { record, info } = rowSchema.parse(row);
      yield { place: `line ${info.lines}`, fields: fieldsOfRow(record) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line: unknown = error['lines'];
    throw new ResourceError(
      `'${file}' is not a CSV file from line ${typeof line === 'number' ? line : 1} on (${error.code}): each line needs as many values as the header, and quotes that are closed.`,
    );
  }
}

/** An empty cell declares nothing. */
function fieldsOfRow(row: Readonly<Record<string, string>>): Raw {
  const fields: Record<string, unknown> = {};
  const properties: Record<string, unknown> = {};
  const groups: Record<string, unknown> = {};
  for (const [column, cell] of Object.entries(row)) {
    if (cell === '') continue;
    if (column === 'subscribed') fields[column] = booleanOf(cell);
    else if (STANDARD_COLUMNS.includes(column)) fields[column] = cell;
    else if (column.startsWith(GROUP_COLUMN)) groups[column.slice(GROUP_COLUMN.length)] = booleanOf(cell);
    else properties[column] = cell;
  }
  return {
    ...fields,
    ...(Object.keys(groups).length === 0 ? {} : { subscriptionGroups: groups }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}

function booleanOf(cell: string): unknown {
  return { true: true, false: false }[cell.toLowerCase()] ?? cell;
}

async function* readJsonLines(file: string, handle: FileHandle): AsyncGenerator<ContactRecord, void> {
  let number = 0;
  for await (const line of linesOf(handle)) {
    number += 1;
    if (line.trim() !== '') yield { place: `line ${number}`, fields: parseLine(file, number, line) };
  }
}

/** Lines end with LF or CRLF: those of node:readline end at U+2028 too, which JSON texts may hold. */
async function* linesOf(handle: FileHandle): AsyncGenerator<string, void> {
  let rest = '';
  const chunks: AsyncIterable<unknown> = handle.createReadStream({ autoClose: false, encoding: 'utf8' });
  for await (const chunk of chunks) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

function parseLine(file: string, number: number, line: string): Raw {
  let value: unknown;
  try {
    value = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch {
    throw new ResourceError(
      `'${file}' is not JSON Lines: line ${number} is not JSON. Write one JSON object a line.`,
    );
  }
  const fields = objectSchema.safeParse(value);
  if (!fields.success) {
    throw new ResourceError(`'${file}' is not JSON Lines of contacts: line ${number} is not a JSON object.`);
  }
  return fields.data;
}

/** Types of custom properties by name: as they were given, else as the service lists them. */
export type PropertyTypes = ReadonlyMap<string, PropertyType>;

export function propertyTypes(
  given: Readonly<Record<string, PropertyType>> | undefined,
  listed: readonly ContactProperty[] | undefined,
): PropertyTypes {
  const types = new Map((listed ?? []).map(({ key, type }): [string, PropertyType] => [key, type]));
  for (const [name, type] of Object.entries(given ?? {})) types.set(name, type);
  return types;
}

/** The record with its properties in the types that they have: texts of a file become numbers, dates, booleans. */
export function typed({ fields: written }: ContactRecord, types: PropertyTypes): Raw {
  const fields = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== null));
  if (fields['properties'] === undefined) return fields;
  const properties = objectSchema.safeParse(fields['properties']);
  if (!properties.success) return fields;
  const values = Object.entries(properties.data).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' ? fromText(value, types.get(name)) : value,
  ]);
  return { ...fields, properties: Object.fromEntries(values) };
}

/** A text that does not fit is left as it is: the check of types then says so. */
function fromText(text: string, type: PropertyType | undefined): unknown {
  switch (type) {
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
    case 'boolean':
      return booleanOf(text);
    case 'date': {
      if (/^-?\d+$/.test(text)) return Number(text);
      const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined;
      return date === undefined || Number.isNaN(date.getTime()) ? text : date;
    }
    default:
      return text;
  }
}

/** Finds faults of the records of one declaration; no value of a record is in them. */
export class RecordCheck {
  private readonly listed: { readonly key: string; readonly type: PropertyType }[];
  /** Where an identifier stood first. */
  private readonly places = new Map<string, string>();

  /** @param types without a type, a property's values are not checked. */
  constructor(private readonly types: PropertyTypes) {
    this.listed = [...types].map(([key, type]) => ({ key, type }));
  }

  /** Faults of the next record, each with its place. */
  problemsOf(record: ContactRecord): string[] {
    const fields = typed(record, this.types);
    const problems: string[] = [];
    const unknown = Object.keys(fields).filter((name) => !RECORD_FIELDS.includes(name));
    for (const name of unknown)
      problems.push(`'${name}' is not a field of a contact; custom properties go into 'properties'`);
    const known = Object.fromEntries(Object.entries(fields).filter(([name]) => RECORD_FIELDS.includes(name)));
    const identifiers = [known['email'], known['userId']].filter(
      (value) => value !== undefined && value !== null,
    );
    if (identifiers.length === 0) problems.push("has neither an 'email' nor a 'userId'");
    for (const issue of fieldIssues(known, this.listed)) problems.push(hideValue(describeIssue(issue)));
    for (const name of ['email', 'userId'] as const) {
      const value = known[name];
      if (typeof value !== 'string') continue;
      const key = `${name} ${name === 'email' ? value.toLowerCase() : value}`;
      const earlier = this.places.get(key);
      if (earlier === undefined) this.places.set(key, record.place);
      else problems.push(`has the same ${name} as ${earlier}`);
    }
    return problems.map((problem) => `${record.place}: ${problem}`);
  }
}

const RECORD_FIELDS: readonly string[] = [...STANDARD_COLUMNS, 'subscriptionGroups', 'properties'];

/** Names of properties are quoted in messages, values are not; an address never is. */
function hideValue(text: string): string {
  return text.replaceAll(/'[^'\s]+@[^'\s]+'/g, 'it');
}
