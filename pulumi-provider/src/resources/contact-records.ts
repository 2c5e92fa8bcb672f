import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';
import type { ContactProperty, PropertyType } from 'audience-core';
import { z } from 'zod/v4';
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
const rowsSchema = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.number() }) }),
);

/**
 * Reads the declared contacts.
 *
 * @throws ResourceError when the file cannot be read, or is not of its form; the message names file and line.
 */
export async function readRecords(source: RecordSource): Promise<ContactRecord[]> {
  if (source.file === undefined) {
    return (source.contacts ?? []).map((fields, index) => ({ place: `contacts[${index}]`, fields }));
  }
  const { file } = source;
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
    const why = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
    throw new ResourceError(
      `Contacts cannot be read from '${file}': ${why}. Give its path from the folder of the program, or a whole one.`,
    );
  }
  return (source.format ?? formatOf(file)) === 'csv' ? readCsv(file, text) : readJsonLines(file, text);
}

function formatOf(file: string): FileFormat {
  const extension = path.extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (['.jsonl', '.ndjson'].includes(extension)) return 'jsonl';
  throw new ResourceError(
    `The form of '${file}' is not known by its name. Name it .csv or .jsonl, or set format to 'csv' or 'jsonl'.`,
  );
}

function readCsv(file: string, text: string): ContactRecord[] {
  let rows: z.infer<typeof rowsSchema>;
  try {
    rows = rowsSchema.parse(
      parse(text, { columns: true, bom: true, info: true, skip_empty_lines: true, trim: true }),
    );
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line: unknown = error['lines'];
    throw new ResourceError(
      `'${file}' is not a CSV file from line ${typeof line === 'number' ? line : 1} on (${error.code}): each line needs as many values as the header, and quotes that are closed.`,
    );
  }
  return rows.map(({ record, info }) => ({ place: `line ${info.lines}`, fields: fieldsOfRow(record) }));
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

function readJsonLines(file: string, text: string): ContactRecord[] {
  return text.split(/\r?\n/).flatMap((line, index): ContactRecord[] => {
    if (line.trim() === '') return [];
    const place = `line ${index + 1}`;
    let value: unknown;
    try {
      value = JSON.parse(line.replace(/^\uFEFF/, ''));
    } catch {
      throw new ResourceError(
        `'${file}' is not JSON Lines: ${place} is not JSON. Write one JSON object a line.`,
      );
    }
    const fields = objectSchema.safeParse(value);
    if (!fields.success) {
      throw new ResourceError(`'${file}' is not JSON Lines of contacts: ${place} is not a JSON object.`);
    }
    return [{ place, fields: fields.data }];
  });
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

/**
 * Faults of the records, each with its place; no value of a record is in them.
 *
 * @param types without a type, a property's values are not checked.
 */
export function recordProblems(records: readonly ContactRecord[], types: PropertyTypes): string[] {
  const listed = [...types].map(([key, type]) => ({ key, type }));
  const places = new Map<string, string>();
  return records.flatMap((record) => {
    const fields = typed(record, types);
    const problems: string[] = [];
    const unknown = Object.keys(fields).filter((name) => !RECORD_FIELDS.includes(name));
    for (const name of unknown)
      problems.push(`'${name}' is not a field of a contact; custom properties go into 'properties'`);
    const known = Object.fromEntries(Object.entries(fields).filter(([name]) => RECORD_FIELDS.includes(name)));
    const identifiers = [known['email'], known['userId']].filter(
      (value) => value !== undefined && value !== null,
    );
    if (identifiers.length === 0) problems.push("has neither an 'email' nor a 'userId'");
    for (const issue of fieldIssues(known, listed)) problems.push(hideValue(describeIssue(issue)));
    for (const name of ['email', 'userId'] as const) {
      const value = known[name];
      if (typeof value !== 'string') continue;
      const key = `${name} ${name === 'email' ? value.toLowerCase() : value}`;
      const earlier = places.get(key);
      if (earlier === undefined) places.set(key, record.place);
      else problems.push(`has the same ${name} as ${earlier}`);
    }
    return problems.map((problem) => `${record.place}: ${problem}`);
  });
}

const RECORD_FIELDS: readonly string[] = [...STANDARD_COLUMNS, 'subscriptionGroups', 'properties'];

/** Names of properties are quoted in messages, values are not; an address never is. */
function hideValue(text: string): string {
  return text.replaceAll(/'[^'\s]+@[^'\s]+'/g, 'it');
}
