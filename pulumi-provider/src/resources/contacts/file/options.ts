import * as z from 'zod/mini';
import type { Raw } from '../../raw.js';

/** How a file or an array is read: inputs of `Contacts`. */
export const fileOptionsShape = {
  columns: z.optional(z.record(z.string(), z.string())),
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
  columns: "headers with their fields, for example { 'Email Address': 'email' }",
  encoding: "'utf-8', or a label such as 'windows-1252'",
  nullValues: "a list of texts, for example ['NULL']",
  emptyCells: "'ignore' or 'clear'",
  dateFormat: "fields with the form of their dates, for example { signedUp: 'dd/MM/yyyy' }",
  invalidRows: "'fail' or 'skip'",
};

/** The first problem of options that have the right types. */
export function optionProblem({ columns = {}, encoding, dateFormat = {} }: FileOptions): string | undefined {
  if (encoding !== undefined && !isEncoding(encoding)) {
    return `encoding: '${encoding}' is not an encoding. Write ${FILE_OPTIONS_EXPECTED.encoding}`;
  }
  const headers = new Map<string, string>();
  for (const [header, field] of Object.entries(columns)) {
    const other = headers.get(field);
    if (other !== undefined)
      return `columns: '${other}' and '${header}' are both '${field}'. Keep one of them`;
    headers.set(field, header);
  }
  for (const [field, format] of Object.entries(dateFormat)) {
    const reason = formatProblem(format);
    if (reason !== undefined) return `dateFormat: '${format}' of '${field}' ${reason}`;
  }
  return undefined;
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== 'replacement';
  } catch {
    return false;
  }
}

/** Other libraries write days as DD and years as YYYY, and `mm` is minutes. */
function formatProblem(format: string): string | undefined {
  const letters = format.replaceAll(/'[^']*'/g, '');
  if (/^(?=.*y)(?=.*[ML])(?=.*d)[^DYQ]*$/.test(letters)) return undefined;
  const lower = format.replaceAll('D', 'd').replaceAll('Y', 'y');
  const meant = lower.includes('M') ? lower : lower.replace(/m+/, (minutes) => minutes.toUpperCase());
  const hint = meant === format ? '' : `. Did you mean '${meant}'?`;
  return `must have a day (dd), a month (MM) and a year (yyyy)${hint}`;
}
