import { likelyFields } from './aliases.js';
import type { Column, Columns } from './columns.js';
import type { FileOptions } from './options.js';

/** What a reading found beside its columns. */
export interface Findings {
  /** The line of the header, where it is not at the top. */
  readonly headerRow: number | undefined;
  /** Texts of columns that are read, which usually mean "no value". */
  readonly noValues: ReadonlySet<string>;
  /** Whether all rows were read: then the texts of columns about consent are known. */
  readonly isWhole: boolean;
  /** Whether a row has no identifier. */
  readonly isSkipping: boolean;
  /** Whether only `columns` can say which columns are read. */
  readonly isAsked: boolean;
}

/**
 * The options to copy. They hold each column about consent; where a column has a text that only a person can judge, or
 * no header is likely to be the email, there is nothing to copy.
 */
export function suggestion(columns: Columns, options: FileOptions, found: Findings): FileOptions | undefined {
  const all = [...columns.all.values()];
  const fields = fieldsToCopy(columns, all);
  const count = fields.size;
  const noValues = new Set(found.noValues);
  for (const { header, noValues: texts } of all)
    if (fields.has(header)) texts?.forEach((text) => noValues.add(text));
  const given = typeof options.unsubscribed === 'object' ? options.unsubscribed : {};
  const unsubscribed = new Map(Object.entries(given));
  for (const { header, consent } of all) {
    if (consent === undefined || !(consent.isOpen || consent.found.size > 0)) continue;
    if (consent.answer !== undefined) {
      unsubscribed.set(columns.answers.keyOf(header) ?? header, [...consent.answer, ...consent.found]);
      continue;
    }
    const texts = found.isWhole ? consent.suggestion : undefined;
    if (texts === undefined) return undefined;
    const isFree = !fields.has(header) && ![...fields.values()].includes('subscribed');
    if (texts.field === 'subscribed' && isFree) fields.set(header, texts.field);
    else unsubscribed.set(header, texts.noMail);
  }
  if (![...fields.values()].some((field) => field === 'email' || field === 'userId')) return undefined;
  const isAsked =
    (columns.map === undefined && (found.isAsked || columns.unknown.size > 0 || !columns.hasIdentifier)) ||
    fields.size > count;
  const isSkipping =
    found.isSkipping || all.some((column) => column.isEmptyEmail && fields.get(column.header) === 'email');
  return {
    ...(found.headerRow !== undefined && { headerRow: found.headerRow }),
    ...(isAsked && { columns: Object.fromEntries(fields) }),
    ...(unsubscribed.size > 0 && { unsubscribed: Object.fromEntries(unsubscribed) }),
    ...(noValues.size > 0 && { nullValues: [...(options.nullValues ?? []), ...noValues] }),
    ...(isSkipping && options.invalidRows !== 'skip' && { invalidRows: 'skip' }),
  };
}

/** `columns` with the fields that are read now, and with those that are likely. */
export function fieldsToCopy(columns: Columns, all: readonly Column[]): Map<string, string | null> {
  if (columns.map !== undefined) return new Map(columns.map.entries);
  const likely = likelyFields(all.map(({ header }) => header));
  const byField = Map.groupBy(all, ({ field }) => field);
  const certain = all.filter(
    ({ header, field }) =>
      field !== undefined && columns.isField(field) && (header === field || byField.get(field)?.length === 1),
  );
  const taken = new Set(certain.map(({ field }) => field));
  const fields = new Map<string, string | null>(certain.map(({ header, field }) => [header, field ?? null]));
  for (const { header, consent } of all) {
    const like =
      likely.get(header) ?? (consent?.kind === undefined ? columns.propertyLike(header) : undefined);
    if (fields.has(header) || like === undefined || taken.has(like)) continue;
    fields.set(header, like);
    taken.add(like);
  }
  return fields;
}

/** Options as a program writes them, one a line. */
export function asText(options: FileOptions): string {
  return Object.entries(options)
    .map(([name, value]) => `  ${name}: ${textOf(value)},\n`)
    .join('');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = Object.entries(value).map(([name, inner]) => `${textOf(name)}: ${textOf(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}
