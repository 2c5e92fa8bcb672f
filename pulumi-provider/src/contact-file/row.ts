import { canAddress, isClearable } from 'audience-core/internal';
import { CLEARED } from './array.js';
import type { Column, Columns } from './columns.js';
import { decisive, type Answer, type ConsentColumn } from './consent.js';
import { groupOf, isIdentifier, type Value } from './fields.js';
import type { ReadOptions } from './options.js';
import type { FileProblem } from './problems.js';
import { textOfCell } from './rows.js';
import type { ReadValue } from './values.js';

/** The identifiers of a row that can be read. */
export interface Identity {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/** How the cells below these names are read. */
export interface Layout {
  readonly names: readonly string[];
  readonly columns: readonly { readonly index: number; readonly column: Column | undefined }[];
  /** Where the columns that say who wants mail are; a name that is not there has an empty cell. */
  readonly consent: readonly { readonly index: number; readonly column: ConsentColumn }[];
  /** Two names that mean one field. */
  readonly twice: FileProblem | undefined;
}

export function layoutOf(names: readonly string[], columns: Columns, delimiter: string | undefined): Layout {
  const all = names.map((name, index) => ({ index, column: columns.of(name, delimiter) }));
  const fields = all.map(({ column }) => column?.field);
  const subject = fields.find((field, index) => field !== undefined && fields.indexOf(field) < index);
  const same = names.filter((_, index) => subject !== undefined && fields[index] === subject);
  return {
    names,
    // By field, so that columns which change places change no row.
    columns: all.toSorted((one, other) => ((one.column?.field ?? '') < (other.column?.field ?? '') ? -1 : 1)),
    consent: columns.consent.entries.flatMap(([, column]) => {
      const found = all.filter((one) => one.column?.consent === column);
      return found.length > 0 ? found.map(({ index }) => ({ index, column })) : [{ index: -1, column }];
    }),
    twice: subject === undefined ? undefined : { code: 'header.twice', names: same, subject },
  };
}

/** What one row says. */
export interface RowRead extends Identity {
  /** By flat name: `firstName`, `subscriptionGroups.<id>`; `null` clears. */
  readonly values: Readonly<Record<string, Value>>;
  /** Why it is invalid. */
  readonly problems: readonly FileProblem[];
  readonly answer: Answer | undefined;
  /** Whether the row has an identifier, readable or not. */
  readonly isSomebody: boolean;
}

/** Reads a row whose cells belong to the names. */
export function readRow(cells: readonly unknown[], layout: Layout, options: ReadOptions): RowRead {
  const { columns, consent, file, nullValues } = options;
  const problems: FileProblem[] = [];
  const values: Record<string, Value> = {};
  const identity: { email?: string; userId?: string } = {};
  for (const { index, column } of layout.columns) {
    const cell = cells[index];
    if (column === undefined) {
      if (columns === undefined && textOfCell(cell) !== '') problems.push({ code: 'row.nameless' });
      continue;
    }
    const { field, texts } = column;
    if (texts?.areMany === false) texts.note(textIn(cell, nullValues));
    const read = field === undefined ? undefined : readCell(column, cell, options);
    if (read === undefined || field === undefined) continue;
    if (typeof read === 'object' && read !== null) {
      // Values of a program may be secrets, and an address is personal.
      const isShown = file !== undefined && typeof cell === 'string' && !/[@\r\n]/.test(cell);
      problems.push({ given: isShown ? cell.slice(0, 40) : undefined, ...read, subject: field });
    } else if (isIdentifier(field)) identity[field] = String(read);
    // Only the contact can subscribe again, so `true` declares nothing.
    else if (field !== 'subscribed' || read !== true) values[field] = read;
  }
  const isSomebody =
    identity.email !== undefined ||
    identity.userId !== undefined ||
    problems.some(({ subject }) => isIdentifier(subject));
  if (identity.email === undefined && identity.userId !== undefined && !canAddress(identity.userId)) {
    problems.push({ code: 'row.address', subject: 'userId' });
    delete identity.userId;
  }
  const answers = isSomebody
    ? layout.consent.map(({ index, column }) => column.answerTo(textIn(cells[index], nullValues)))
    : [];
  const ofRow = values['subscribed'] === false ? 'no mail' : decisive(answers);
  const answer = typeof consent === 'string' ? consent : ofRow;
  return { ...identity, values, problems, answer, isSomebody };
}

/** The text of a cell; a text that means "no value" is that of an empty cell. */
function textIn(cell: unknown, nullValues: readonly string[] = []): string {
  const text = textOfCell(cell);
  return nullValues.includes(text) ? '' : text;
}

/** What a cell declares; `undefined` for nothing. */
function readCell(
  { field = '', read }: Column,
  cell: unknown,
  { nullValues = [] }: ReadOptions,
): ReturnType<ReadValue> {
  if (cell === CLEARED || cell === null) {
    if (groupOf(field) === undefined && isClearable(field)) return null;
    return cell === CLEARED || !isIdentifier(field) ? { code: 'row.not-clearable' } : undefined;
  }
  if (cell === '' || (typeof cell === 'string' && nullValues.includes(cell))) return undefined;
  return read(cell);
}
