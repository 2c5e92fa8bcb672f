import { canAddress } from 'audience-core/internal';
import { Columns, type Column, type KnownProperties } from './columns.js';
import { decisive, type Answer, type ConsentColumn } from './consent.js';
import { isIdentifier, type Value } from './fields.js';
import { formatOf } from './formats.js';
import { CLEARED, namedRowOf } from './json.js';
import { FileError, RowFaults, type FileProblem } from './problems.js';
import { locationOf, textOfCell, UnreadableCell, type NamedRow, type Opened, type Unit } from './rows.js';
import { Source } from './source.js';
import type { ReadOptions } from './options.js';
import { blockToCopy } from './suggest.js';
import type { ReadValue } from './values.js';

/** Invalid rows that `invalidRows: 'skip'` leaves out: so many percent, or so many rows if that is more. */
const MAX_INVALID_PERCENT = 5;
const MAX_INVALID = 10;

/** Texts of programs that usually mean "no value". */
const NO_VALUES: ReadonlySet<unknown> = new Set(['#N/A', '#NV', 'NULL', 'NaN', String.raw`\N`]);

const EMPTIED = Symbol('emptied');

/** The identifiers of a row that can be read. */
export interface Identity {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/** A row that declares a contact. */
export interface DeclaringRow extends Identity {
  readonly unit: Unit;
  readonly number: number;
  /** By flat name: `firstName`, `subscriptionGroups.<id>`; `null` clears. */
  readonly values: Readonly<Record<string, Value>>;
  /** Fields with an empty cell, where `emptyCells` is `clear`. */
  readonly emptied: readonly string[];
  /** Whether the row is invalid, and says "no mail": then that is its only value. */
  readonly isBad: boolean;
}

/** A row that declares nothing: it is skipped, or invalid. */
export interface LeftOutRow {
  /** Whose entry in the state stays; `undefined` where another row has the identifiers. */
  readonly leftOut: Identity | undefined;
  readonly location: string;
  readonly names: readonly string[];
  readonly cells: readonly unknown[];
  /** Why it is invalid; none where it is skipped. */
  readonly problems: readonly FileProblem[];
}

type ReadRow = DeclaringRow | LeftOutRow;

/** What a reading came to. */
export interface Report {
  /** Why the list is refused; none where it was read. */
  readonly problems: readonly FileProblem[];
  /** What a refusal ends with. */
  readonly wayOut: FileProblem | undefined;
  /** What was read, what was left out, and why. */
  readonly notes: readonly FileProblem[];
  readonly columns: readonly Pick<Column, 'header' | 'field'>[];
  /** Whether the file ends in a line end; `undefined` where that means nothing. */
  readonly endsInLineEnd: boolean | undefined;
}

/** Reads a list once: its rows in batches, and in the end what the reading came to. */
export async function* readContacts(
  options: ReadOptions,
  known: KnownProperties,
): AsyncGenerator<readonly ReadRow[], Report, void> {
  const { file, contacts = [] } = options;
  const tally = new Tally(options);
  const columns = new Columns(options, known);
  let [source, problem]: [Source | undefined, FileProblem | undefined] = [undefined, undefined];
  try {
    if (file !== undefined) source = await Source.open(file, options.encoding);
    const forFormat = { ...options, identifierIn: (names: readonly string[]) => columns.identifierIn(names) };
    const {
      unit,
      delimiter,
      rows: batches,
    }: Opened = source === undefined
      ? { unit: 'contacts', rows: recordsOf(contacts) }
      : formatOf(source.start)(source, forFormat);
    let plan: Plan | undefined;
    for await (const batch of batches) {
      const rows: ReadRow[] = [];
      for (const row of batch) {
        if (row.names !== plan?.names) plan = planOf(row.names, columns, delimiter);
        if (row.values === undefined)
          tally.ofHeader.push(...[row.fault, plan.twice].filter((one) => one !== undefined));
        else rows.push(...tally.add(row, readRow(row, row.values, plan, options), unit));
      }
      yield rows;
    }
    if (plan === undefined && (unit === 'line' || unit === 'row'))
      problem = { code: 'file.empty', expected: locationOf(unit, options.headerRow ?? 1) };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    problem = error.problem;
  }
  return tally.report(columns, problem, source?.endsInLineEnd);
}

async function* recordsOf(contacts: NonNullable<ReadOptions['contacts']>): AsyncGenerator<NamedRow[], void> {
  yield await Promise.resolve(contacts.map((record, number) => ({ ...namedRowOf(record), number })));
}

/** How the values below these names are read. */
interface Plan {
  readonly names: readonly string[];
  readonly cells: readonly { readonly index: number; readonly column: Column | undefined }[];
  /** Where the columns that say who wants mail are; a name that is not there has an empty cell. */
  readonly consent: readonly { readonly index: number; readonly column: ConsentColumn }[];
  /** Two names that mean one field. */
  readonly twice: FileProblem | undefined;
}

function planOf(names: readonly string[], columns: Columns, delimiter: string | undefined): Plan {
  const all = names.map((name, index) => ({ index, column: columns.of(name, delimiter) }));
  const fields = all.map(({ column }) => column?.field);
  const again = fields.find((field, index) => field !== undefined && fields.indexOf(field) < index);
  const same = names.filter((_, index) => again !== undefined && fields[index] === again);
  return {
    names,
    // By field, so that columns which change places change no row.
    cells: all.toSorted((one, other) => ((one.column?.field ?? '') < (other.column?.field ?? '') ? -1 : 1)),
    consent: columns.consent.entries.flatMap(([, column]) => {
      const found = all.filter((one) => one.column?.consent === column);
      return found.length > 0 ? found.map(({ index }) => ({ index, column })) : [{ index: -1, column }];
    }),
    twice: again === undefined ? undefined : { code: 'header.twice', names: same, subject: again },
  };
}

/** What one row says. */
interface RowRead {
  readonly identity: Identity;
  readonly values: Readonly<Record<string, Value>>;
  readonly emptied: readonly string[];
  readonly problems: readonly FileProblem[];
  readonly answer: Answer | undefined;
  /** Whether the row has an identifier, readable or not. */
  readonly isSomebody: boolean;
  /** Whether it may say "no mail" of somebody who cannot be told: then it is never left out. */
  readonly mayBeLost: boolean;
}

function readRow(row: NamedRow, cells: readonly unknown[], plan: Plan, options: ReadOptions): RowRead {
  const fault = row.fault ?? plan.twice;
  if (fault !== undefined) return unread(cells, fault, plan, options);
  const isFile = options.file !== undefined;
  const problems: FileProblem[] = [];
  const values: Record<string, Value> = {};
  const emptied: string[] = [];
  const identity: { email?: string; userId?: string } = {};
  let [isUnreadable, isConsentUnreadable] = [false, false];
  for (const { index, column } of plan.cells) {
    const cell = cells[index];
    if (column === undefined) {
      if (textOfCell(cell) !== '' && options.columns === undefined) problems.push({ code: 'row.nameless' });
      continue;
    }
    column.texts?.note(cell);
    const { field } = column;
    const read = readCell(column, cell, options);
    if (read === undefined || field === undefined) continue;
    if (read === EMPTIED) emptied.push(field);
    else if (typeof read === 'object' && read !== null) {
      // Values of a program may be secrets, and an address is personal.
      const isShown = isFile && typeof cell === 'string' && !/[@\r\n]/.test(cell);
      problems.push({ given: isShown ? cell.slice(0, 40) : undefined, ...read, subject: field });
      isUnreadable ||= isIdentifier(field);
      isConsentUnreadable ||= field === 'subscribed';
    } else if (isIdentifier(field)) identity[field] = String(read);
    // Only the contact can subscribe again, so `true` declares nothing.
    else if (field !== 'subscribed' || read !== true) values[field] = read;
  }
  const isSomebody = isUnreadable || isReadable(identity);
  if (!isSomebody) problems.push({ code: 'row.no-identifier' });
  if (identity.email === undefined && identity.userId !== undefined && !canAddress(identity.userId)) {
    problems.push({ code: 'row.address', subject: 'userId' });
    delete identity.userId;
  }
  const answers = isSomebody
    ? plan.consent.map(({ index, column }) => {
        const cell = cells[index];
        if (cell instanceof UnreadableCell) problems.push({ ...cell.problem, subject: column.header });
        return column.answerTo(cell);
      })
    : [];
  const ofRow = values['subscribed'] === false ? 'no mail' : decisive(answers);
  const answer = typeof options.consent === 'string' ? options.consent : ofRow;
  isConsentUnreadable ||= plan.consent.some(({ index }) => cells[index] instanceof UnreadableCell);
  const mayBeLost = isSomebody && (isConsentUnreadable || (!isReadable(identity) && answer === 'no mail'));
  return { identity, values, emptied, problems, answer, isSomebody, mayBeLost };
}

function isReadable({ email, userId }: Identity): boolean {
  return email !== undefined || userId !== undefined;
}

/** A row whose values do not belong to the names. A note below the list, of one cell, is nobody. */
function unread(
  cells: readonly unknown[],
  fault: FileProblem,
  plan: Plan,
  { consent }: ReadOptions,
): RowRead {
  const texts = cells.map(textOfCell).filter((text) => text !== '');
  const isNote =
    fault.code === 'row.header' || (texts.length < 2 && !texts.some((text) => text.includes('@')));
  const saysWho = consent === 'no mail' || plan.consent.length > 0;
  const mayBeLost = !isNote && (saysWho || plan.cells.some(({ column }) => column?.field === 'subscribed'));
  const nothing = { identity: {}, values: {}, emptied: [], answer: undefined, isSomebody: true };
  return { ...nothing, problems: [fault], mayBeLost };
}

/** What a cell declares; `undefined` for nothing. */
function readCell(
  column: Column,
  cell: unknown,
  { file, nullValues = [], emptyCells }: ReadOptions,
): ReturnType<ReadValue> | typeof EMPTIED {
  const { field, isClearable } = column;
  if (field === undefined) return undefined;
  if (cell instanceof UnreadableCell) return cell.problem;
  // A program's null clears; in a file it means "no value".
  if (cell === CLEARED || (cell === null && file === undefined)) {
    if (isClearable) return null;
    return cell === CLEARED || !isIdentifier(field) ? { code: 'row.not-clearable' } : undefined;
  }
  if (cell === '' || cell === null || (typeof cell === 'string' && nullValues.includes(cell)))
    return isClearable && emptyCells === 'clear' ? EMPTIED : undefined;
  if (file !== undefined && NO_VALUES.has(cell)) {
    column.noValues.add(textOfCell(cell));
    return { code: 'row.no-value' };
  }
  return column.read(cell);
}

/** Counts rows, collects their faults, and decides which of them the list declares. */
class Tally {
  private readonly faults = new RowFaults();
  /** Faults of rows that are never left out. */
  private readonly fatal = new RowFaults();
  readonly ofHeader: FileProblem[] = [];
  private readonly counts = { all: 0, read: 0, 'no-mail': 0, 'no-identifier': 0, skipped: 0, invalid: 0 };

  constructor(private readonly options: ReadOptions) {}

  add({ number, names, values: cells = [] }: NamedRow, read: RowRead, unit: Unit): readonly ReadRow[] {
    const { identity, answer, problems } = read;
    const location = locationOf(unit, number);
    const leftOut = { leftOut: identity, location, names, cells };
    this.counts.all += 1;
    if (!read.isSomebody && this.options.invalidRows === 'skip') {
      this.counts['no-identifier'] += 1;
      return [];
    }
    if (answer === 'skip' && isReadable(identity) && !read.mayBeLost) {
      this.counts.skipped += 1;
      return [{ ...leftOut, problems: [] }];
    }
    const isNoMail = answer === 'no mail' && isReadable(identity);
    if (isNoMail) this.counts['no-mail'] += 1;
    const isBad = problems.length > 0;
    this.counts[isBad ? 'invalid' : 'read'] += 1;
    const values = { ...(!isBad && read.values), ...(isNoMail && { subscribed: false }) };
    const declaring = { ...identity, unit, number, values, emptied: isBad ? [] : read.emptied, isBad };
    if (!isBad) return [declaring];
    for (const problem of problems) (read.mayBeLost ? this.fatal : this.faults).add(location, problem);
    const invalid = { ...leftOut, problems };
    return isNoMail ? [declaring, { ...invalid, leftOut: undefined }] : [invalid];
  }

  report(columns: Columns, ofFile: FileProblem | undefined, endsInLineEnd: boolean | undefined): Report {
    const { file, invalidRows } = this.options;
    const ofHeader = [...this.ofHeader, ...columns.problems()];
    const isOfHeader = ofHeader.length > 0;
    const others = ofFile === undefined ? this.rowProblems() : [ofFile];
    const problems = isOfHeader ? ofHeader : others;
    const hasWayOut = file !== undefined && problems.length > 0 && (isOfHeader || ofFile === undefined);
    const canSkip = !isOfHeader && this.fatal.problems.length === 0 && invalidRows !== 'skip';
    const block = blockToCopy(columns, this.options, ofHeader, this.faults.problems);
    return {
      problems,
      wayOut: hasWayOut ? (block ?? (canSkip ? { code: 'wayOut.skip' } : undefined)) : undefined,
      notes: [...(file === undefined ? [] : this.notesOfFile(columns)), ...this.notesOfLeftOut()],
      columns: [...columns.all.values()],
      endsInLineEnd,
    };
  }

  private rowProblems(): readonly FileProblem[] {
    const { all, invalid } = this.counts;
    const isSkipping = this.options.invalidRows === 'skip';
    const isTooMany = invalid > Math.max(MAX_INVALID, (MAX_INVALID_PERCENT * all) / 100);
    if (isSkipping && !isTooMany) return this.fatal.problems;
    const tooMany = { code: 'rows.invalid', count: invalid, expected: String(all) } as const;
    return [...(isSkipping ? [tooMany] : []), ...this.faults.problems, ...this.fatal.problems];
  }

  private notesOfFile(columns: Columns): readonly FileProblem[] {
    const all = [...columns.all.values()];
    const names = all.flatMap(({ header, field }) =>
      field === undefined ? [] : [header === field ? field : `${field} ('${header}')`],
    );
    const unread = all.filter(({ field, consent }) => field === undefined && consent === undefined);
    const texts = Object.fromEntries(unread.map((one) => [one.header, one.texts?.few ?? []]));
    const count = this.counts['no-mail'];
    return [
      { code: 'note.read', count: this.counts.read, names },
      ...(unread.length === 0 ? [] : [{ code: 'note.unread', texts } as const]),
      ...(count === 0 ? [] : [{ code: 'note.no-mail', count } as const]),
    ];
  }

  private notesOfLeftOut(): readonly FileProblem[] {
    const expected = String(this.counts.all);
    const kinds = ['skipped', 'no-identifier', 'invalid'] as const;
    return [
      ...kinds
        .map((kind) => ({ code: `note.${kind}`, count: this.counts[kind], expected }) as const)
        .filter(({ count }) => count > 0),
      ...this.faults.problems,
    ];
  }
}
