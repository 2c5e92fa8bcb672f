import { ConsentColumn } from './consent.js';
import { groupOf, isField, isIdentifier, isReserved, typeOf, type KnownProperties } from './fields.js';
import { bare, byHeader, equalNames } from './headers.js';
import { BLANK, type ReadOptions } from './options.js';
import type { FileProblem } from './problems.js';
import type { Table } from './table.js';
import { readerOf, type ReadValue } from './values.js';

/** A column of a table that has a value. */
export interface Header {
  readonly index: number;
  readonly header: string;
}

/** A column whose cells are values of a field. */
export interface ValueColumn extends Header {
  /** Flat name, such as `planName` or `subscriptionGroups.<id>`. */
  readonly field: string;
  readonly read: ReadValue;
}

/** What each column of a table is for. */
export interface Columns {
  /** All columns; those without a name only where they have a value. */
  readonly all: readonly Header[];
  /** By field, so that columns which change places change no row. */
  readonly values: readonly ValueColumn[];
  readonly consent: readonly ConsentColumn[];
  /** Columns that neither their name nor the program decides. */
  readonly undecided: readonly Header[];
  /** Whether rows can cause mail: by an event, or by a group. */
  readonly causesMail: boolean;
  readonly problems: readonly FileProblem[];
}

/** Decides what each column is: a field by its own name, or what `columns` and `consent` say. */
export function decideColumns(table: Table, options: ReadOptions, known: KnownProperties): Columns {
  const isFile = table.unit === 'line';
  const all = table.header
    .map((header, index) => ({ header, index }))
    .filter(({ header, index }) => header !== '' || table.rows.some(({ cells }) => isValue(cells[index])));
  const mapped = byHeader(options.columns ?? {});
  const answered = byHeader(typeof options.consent === 'object' ? options.consent : {});
  const values: ValueColumn[] = [];
  const consent: ConsentColumn[] = [];
  const undecided: Header[] = [];
  for (const { header, index } of all) {
    const own = isOwnField(header, isFile, known) ? header : undefined;
    const field = mapped.get(bare(header)) ?? own;
    const answers = answered.get(bare(header));
    if (answers !== undefined) consent.push(new ConsentColumn(header, index, answers));
    else if (field === undefined) undecided.push({ header, index });
    if (field === undefined || field === '') continue;
    const read = readerOf(field, typeOf(field, known), options.dateFormat?.[field], table.delimiter);
    values.push({ header, index, field, read });
  }
  const columns = {
    all,
    values: values.toSorted((one, other) => (one.field < other.field ? -1 : 1)),
    consent,
    undecided,
    causesMail:
      options.createWithEvent !== undefined || values.some(({ field }) => groupOf(field) !== undefined),
  };
  const ofFile = isFile ? headerProblems(columns, options) : unknownNames(undecided);
  return { ...columns, problems: [...optionProblems(options, isFile, known), ...ofFile] };
}

function isValue(cell: unknown): boolean {
  return cell !== '' && cell !== undefined;
}

/** Whether a header names a field. An array says `subscribed` in each contact, a file says it in `consent`. */
function isOwnField(header: string, isFile: boolean, known: KnownProperties): boolean {
  if (header === 'subscribed') return !isFile;
  // Where the properties could not be read, a name in an array may be one of them.
  const mayBeField = !isFile && !known.isComplete && !isReserved(header);
  return mayBeField || isField(header, known);
}

/** What is wrong with the fields that the program names. */
function optionProblems(options: ReadOptions, isFile: boolean, known: KnownProperties): FileProblem[] {
  const problems: FileProblem[] = [];
  for (const [subject, given] of Object.entries(options.columns ?? {})) {
    if (given === BLANK) problems.push({ code: 'columns.blank', subject });
    else if (given === 'subscribed' && isFile) problems.push({ code: 'columns.subscribed', subject });
    else if (given !== '' && isReserved(given)) problems.push({ code: 'columns.reserved', subject, given });
    else if (given !== '' && known.isComplete && !isField(given, known))
      problems.push({ code: 'columns.field', subject, given });
  }
  for (const subject of Object.keys(options.dateFormat ?? {}))
    if (known.isComplete && typeOf(subject, known) !== 'date')
      problems.push({ code: 'dateFormat.field', subject });
  return problems;
}

/** What is wrong with the header of a file. */
function headerProblems(columns: Omit<Columns, 'problems'>, options: ReadOptions): FileProblem[] {
  const { all, values, consent, undecided, causesMail } = columns;
  const names = all.map(({ header }) => header);
  const open = undecided.map(({ header }) => header);
  if (names.some((name) => /\S@\S+\.\S/.test(name))) return [{ code: 'header.values' }];
  const problems: FileProblem[] = [];
  const named = names.filter((name) => name !== '');
  const equal = equalNames(named, bare);
  if (equal.length > 0) problems.push({ code: 'header.equal', names: equal });
  for (const same of Map.groupBy(values, ({ field }) => field).values())
    if (same.length > 1) problems.push({ code: 'header.twice', names: same.map(({ header }) => header) });
  const found = names.map(bare);
  const asked = typeof options.consent === 'object' ? Object.keys(options.consent) : [];
  for (const subject of new Set([...Object.keys(options.columns ?? {}), ...asked]))
    // Next week, a column without a name may be empty.
    if (subject !== '' && !found.includes(bare(subject)))
      problems.push({ code: 'header.missing', subject, names });
  if (!values.some(({ field }) => isIdentifier(field)))
    problems.push({ code: 'header.no-identifier', names });
  else if (open.length > 0) problems.push({ code: 'header.undecided', count: open.length, names: open });
  const isAnswered = typeof options.consent === 'string' || consent.length > 0;
  if (causesMail && !isAnswered) problems.push({ code: 'consent.needed' });
  return problems;
}

/** Names of an array that are no fields. */
function unknownNames(undecided: readonly Header[]): FileProblem[] {
  const names = undecided.map(({ header }) => header);
  return names.length === 0 ? [] : [{ code: 'array.unknown', count: names.length, names }];
}
