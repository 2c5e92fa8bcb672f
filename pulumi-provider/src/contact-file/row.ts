import { canAddress, isClearable } from 'audience-core/internal';
import type { Column, Columns } from './columns.js';
import { decisive, type Answer, type ConsentColumn } from './consent.js';
import { groupOf, isIdentifier, type Value } from './fields.js';
import { CLEARED } from './json.js';
import type { ReadOptions } from './options.js';
import type { FileProblem } from './problems.js';
import { textOfCell, UnreadableCell } from './rows.js';
import type { ReadValue } from './values.js';

/** Texts of programs that usually mean "no value". */
const NO_VALUES: ReadonlySet<unknown> = new Set(['#N/A', '#NV', 'NULL', 'NaN', String.raw`\N`]);

const EMPTIED = Symbol('emptied');

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
  /** Fields with an empty cell, where `emptyCells` is `clear`. */
  readonly emptied: readonly string[];
  /** Why it is invalid. */
  readonly problems: readonly FileProblem[];
  readonly answer: Answer | undefined;
  /** Whether the row has an identifier, readable or not. */
  readonly isSomebody: boolean;
  /** Whether it may say "no mail" of a contact that cannot be identified: then it is never left out. */
  readonly mayBeLost: boolean;
}

/** Reads a row whose cells belong to the names. */
export function readRow(cells: readonly unknown[], layout: Layout, options: ReadOptions): RowRead {
  const { columns, consent, file, nullValues } = options;
  const problems: FileProblem[] = [];
  const values: Record<string, Value> = {};
  const emptied: string[] = [];
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
    if (read === EMPTIED) emptied.push(field);
    else if (typeof read === 'object' && read !== null) {
      // Values of a program may be secrets, and an address is personal.
      const isShown = file !== undefined && typeof cell === 'string' && !/[@\r\n]/.test(cell);
      problems.push({ given: isShown ? cell.slice(0, 40) : undefined, ...read, subject: field });
    } else if (isIdentifier(field)) identity[field] = String(read);
    // Only the contact can subscribe again, so `true` declares nothing.
    else if (field !== 'subscribed' || read !== true) values[field] = read;
  }
  const isSomebody = isReadable(identity) || problems.some(({ subject }) => isIdentifier(subject));
  let isConsentUnreadable = problems.some(({ subject }) => subject === 'subscribed');
  if (!isSomebody) problems.push({ code: 'row.no-identifier' });
  if (identity.email === undefined && identity.userId !== undefined && !canAddress(identity.userId)) {
    problems.push({ code: 'row.address', subject: 'userId' });
    delete identity.userId;
  }
  const answers: (Answer | undefined)[] = [];
  for (const { index, column } of isSomebody ? layout.consent : []) {
    const cell = cells[index];
    if (!(cell instanceof UnreadableCell)) answers.push(column.answerTo(textIn(cell, nullValues)));
    else problems.push({ ...cell.problem, subject: column.header });
    isConsentUnreadable ||= cell instanceof UnreadableCell;
  }
  const ofRow = values['subscribed'] === false ? 'no mail' : decisive(answers);
  const answer = typeof consent === 'string' ? consent : ofRow;
  const mayBeLost = isSomebody && (isConsentUnreadable || (!isReadable(identity) && answer === 'no mail'));
  return { ...identity, values, emptied, problems, answer, isSomebody, mayBeLost };
}

/** Reads a row whose cells do not belong to the names. A note below the list, of one cell, is nobody. */
export function readFaulty(
  cells: readonly unknown[],
  fault: FileProblem,
  { columns, consent }: Layout,
  options: ReadOptions,
): RowRead {
  const texts = cells.map(textOfCell).filter((text) => text !== '');
  const isNote =
    fault.code === 'row.header' || (texts.length < 2 && !texts.some((text) => text.includes('@')));
  const saysWho = options.consent === 'no mail' || consent.length > 0;
  const mayBeLost = !isNote && (saysWho || columns.some(({ column }) => column?.field === 'subscribed'));
  const problems = [fault];
  return { values: {}, emptied: [], problems, answer: undefined, isSomebody: true, mayBeLost };
}

export function isReadable({ email, userId }: Identity): boolean {
  return email !== undefined || userId !== undefined;
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
  { file, nullValues = [], emptyCells }: ReadOptions,
): ReturnType<ReadValue> | typeof EMPTIED {
  if (cell instanceof UnreadableCell) return cell.problem;
  // A program's null clears; in a file it means "no value".
  if (cell === CLEARED || (cell === null && file === undefined)) {
    if (canClear(field)) return null;
    return cell === CLEARED || !isIdentifier(field) ? { code: 'row.not-clearable' } : undefined;
  }
  if (cell === '' || cell === null || (typeof cell === 'string' && nullValues.includes(cell)))
    return emptyCells === 'clear' && canClear(field) ? EMPTIED : undefined;
  const isNoValue = file !== undefined && NO_VALUES.has(cell);
  return isNoValue ? { code: 'row.no-value', expected: textOfCell(cell) } : read(cell);
}

function canClear(field: string): boolean {
  return groupOf(field) === undefined && isClearable(field);
}
