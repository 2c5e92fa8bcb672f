import { consentOfHeader } from 'audience-core/internal';
import * as z from 'zod/mini';
import type { Raw } from '../../raw.js';
import { bare } from './aliases.js';

/** How a file or an array is read: inputs of `Contacts`. */
export const fileOptionsShape = {
  columns: z.optional(z.record(z.string(), z.nullable(z.string()))),
  unsubscribed: z.optional(z.union([z.boolean(), z.record(z.string(), z.array(z.string()))])),
  headerRow: z.optional(z.int().check(z.minimum(1))),
  sheet: z.optional(z.string().check(z.minLength(1))),
  encoding: z.optional(z.string()),
  nullValues: z.optional(z.array(z.string())),
  emptyCells: z.optional(z.enum(['ignore', 'clear'])),
  dateFormat: z.optional(z.record(z.string(), z.string())),
  invalidRows: z.optional(z.enum(['fail', 'skip'])),
};

export type FileOptions = z.infer<z.ZodMiniObject<typeof fileOptionsShape>>;

/** Where contacts are declared, and how to read them. */
export interface RowSource extends FileOptions {
  readonly file?: string | undefined;
  readonly contacts?: readonly Raw[] | undefined;
}

/** The source for messages: `'people.csv'`, or `the array 'contacts'`. */
export function nameOfSource({ file }: { readonly file?: string | undefined }): string {
  return file === undefined ? "the array 'contacts'" : `'${file}'`;
}

/** What each option must be, for messages. */
export const FILE_OPTIONS_EXPECTED: Readonly<Record<keyof FileOptions, string>> = {
  columns:
    "headers with their fields, or null for one that is not read: { 'Email Address': 'email', Notes: null }",
  unsubscribed: "true, or headers with the texts that mean no mail: { Status: ['unsubscribed', 'cleaned'] }",
  headerRow: 'the line of the header, such as 4',
  sheet: 'the name of a sheet',
  encoding: "'utf-8', or a label such as 'windows-1252'",
  nullValues: "a list of texts, for example ['NULL']",
  emptyCells: "'ignore' or 'clear'",
  dateFormat: "fields with the form of their dates, for example { signedUp: 'dd/MM/yyyy' }",
  invalidRows: "'fail' or 'skip'",
};

/** What the program says of headers: found as a header is written, else without case, blanks, `-` and `_`. */
export class ByHeader<Value> {
  readonly entries: readonly (readonly [header: string, value: Value])[];
  private readonly byText: ReadonlyMap<string, readonly [header: string, value: Value]>;

  constructor(given: Readonly<Record<string, Value>>) {
    const entries = Object.entries(given).map(([header, value]) => [header.trim(), value] as const);
    this.entries = entries;
    this.byText = new Map([
      ...entries.map((entry) => [bare(entry[0]), entry] as const),
      ...entries.map((entry) => [entry[0], entry] as const),
    ]);
  }

  /** The header as the program writes it, with its value. */
  find(header: string): readonly [header: string, value: Value] | undefined {
    return this.byText.get(header) ?? this.byText.get(bare(header));
  }
}

/** The first problem of options that have the right types. */
export function optionProblem({ columns = {}, encoding, dateFormat = {} }: FileOptions): string | undefined {
  if (encoding !== undefined && !isEncoding(encoding))
    return `encoding: '${encoding}' is not an encoding. Write ${FILE_OPTIONS_EXPECTED.encoding}`;
  const headers = new Map<string, string>();
  for (const [header, field] of Object.entries(columns)) {
    if (!isMapped(field)) continue;
    const other = headers.get(field);
    if (other !== undefined)
      return `columns: '${other}' and '${header}' are both '${field}'. Keep one of them`;
    if (field === 'subscribed' && consentOfHeader(header) === 'yes-means-no-mail')
      return `columns: '${header}' says who wants no mail, so it cannot be 'subscribed'. Set unsubscribed: { '${header}': [texts that mean no mail] }`;
    headers.set(field, header);
  }
  for (const [field, format] of Object.entries(dateFormat)) {
    // Other libraries write days as DD and years as YYYY, and `mm` is minutes.
    if (!/^(?=.*y)(?=.*[ML])(?=.*d)[^DYQ]*$/.test(format.replaceAll(/'[^']*'/g, '')))
      return `dateFormat: '${format}' of '${field}' must have a day (dd), a month (MM) and a year (yyyy), such as dd/MM/yyyy`;
  }
  return undefined;
}

/** Whether a column is read: languages without `null` in a map write an empty text. */
export function isMapped(field: string | null | undefined): field is string {
  return field !== null && field !== undefined && field !== '';
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== 'replacement';
  } catch {
    return false;
  }
}
