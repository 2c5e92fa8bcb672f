import { canAddress } from 'audience-core/internal';
import { DeclaredRow } from '../declared-rows.js';
import type { Resource } from '../../declarations.js';
import type { Identity } from '../../contact-record/identity.js';
import type { Value } from '../../contact-record/values.js';
import { counted } from '../../../messages.js';
import { listOf } from '../../../file-messages.js';
import { Columns } from './columns.js';
import type { Column, KnownNames } from './columns.js';
import { formatOf } from './formats.js';
import { CLEARED, rowOf } from './json.js';
import { nameOfSource } from './options.js';
import type { RowSource } from './options.js';
import { FileError, RowFaults, sentenceOf } from './problems.js';
import type { FileProblem } from './problems.js';
import type { Sink, Unit } from './rows.js';
import { Source } from './source.js';
import { asText, fieldsToCopy, suggestion } from './suggest.js';
import { Refusal } from './values.js';

const MAX_SKIPPED_PERCENT = 5;
const PROGRESS_MS = 30_000;
const ROWS_BETWEEN_LOOKS = 1_000;

/** Texts of programs that usually mean "no value". */
const NO_VALUES: readonly string[] = ['#N/A', '#NV', 'NULL', 'NaN', String.raw`\N`];

const EMPTIED = Symbol('emptied');
const NAMELESS = new Refusal('row.nameless');
const TWICE = new Refusal('row.twice');
const UNIDENTIFIED = new Refusal('row.no-identifier');
const ADDRESS = new Refusal('row.address');
const NOT_CLEARABLE = new Refusal('row.not-clearable');
const NO_VALUE = new Refusal('row.no-value');
const TEXT_CELL = new Refusal('row.text-cell');

/** A row that is refused, as the file has it. */
export interface RejectedRow {
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  readonly reasons: readonly string[];
}

/** What a reading tells while it goes on. */
export interface ReadingHooks {
  /** Called at least every 30 seconds with the number of rows so far. */
  onProgress?: (rows: number) => void;
  readonly onReject?: (row: RejectedRow) => void;
}

/** Reads the declared contacts once. Its counts are complete after the last row. */
export class Reading implements Sink {
  /** Whether the file ends in a line end; `undefined` for arrays. */
  endsInLineEnd: boolean | undefined;
  /** Rows with an identifier that `invalidRows: 'skip'` leaves out. */
  readonly skipped: (Identity & { readonly location: string })[] = [];
  /** How many rows without an identifier `invalidRows: 'skip'` leaves out. */
  withoutIdentifier = 0;
  /** How many rows `unsubscribed` declares `subscribed: false`. */
  unsubscribed = 0;
  /** Faults of rows that contradict others. These rows are never skipped. */
  readonly contradictions = new RowFaults();
  readonly columns: Columns;
  private readonly faults = new RowFaults();
  private readonly found: FileProblem[] = [];
  private readonly noValues = new Set<string>();
  private readonly nulls: ReadonlySet<unknown>;
  private readonly refusedTexts: ReadonlySet<unknown>;
  private readonly name: string;
  private readonly isFile: boolean;
  private names: readonly string[] = [];
  private plan: readonly { readonly index: number; readonly column: Column | undefined }[] = [];
  private unit: Unit = 'line';
  private delimiter: string | undefined;
  private headerRow: number | undefined;
  private count = 0;
  private onRow: (row: DeclaredRow) => void = () => undefined;
  private lookedAt = Date.now();

  constructor(
    private readonly source: RowSource,
    known: KnownNames,
    readonly resource: Resource = { key: '', label: 'Contacts' },
    readonly hooks: ReadingHooks = {},
  ) {
    this.columns = new Columns(source, known);
    this.nulls = new Set([null, '', ...(source.nullValues ?? [])]);
    this.refusedTexts = new Set(NO_VALUES.filter((text) => !this.nulls.has(text)));
    this.name = nameOfSource(source);
    this.isFile = source.file !== undefined;
  }

  /** Streams the valid rows. After the last one it throws a FileError with one problem for each cause. */
  async read(onRow: (row: DeclaredRow) => void): Promise<void> {
    this.onRow = onRow;
    const { file, contacts = [] } = this.source;
    let fatal: FileError | undefined;
    try {
      if (file === undefined)
        for (const [index, record] of contacts.entries()) {
          const { names, values } = rowOf(record);
          this.row(index, names, values);
        }
      else {
        const source = await Source.open(file, this.source);
        await formatOf(source).read(source, this);
        this.endsInLineEnd = source.endsInLineEnd;
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      fatal = error;
    }
    const header = [...this.found, ...(await this.columns.problems()), ...this.consentProblems()];
    const problems = header.length > 0 ? header : this.rowProblems();
    if (fatal !== undefined && header.length === 0) throw fatal;
    if (problems.length > 0)
      throw new FileError(this.name, problems, this.wayOut(fatal === undefined, header.length > 0));
  }

  begin(unit: Unit, delimiter?: string): void {
    this.unit = unit;
    this.delimiter = delimiter;
  }

  header(names: readonly string[]): void {
    this.columns.begin(names, this.delimiter);
    this.planFor(names);
  }

  problem(problem: FileProblem): void {
    this.found.push(problem);
    if (problem.code === 'header.row') this.headerRow = problem.count;
  }

  knownIn(texts: readonly string[]): number {
    return texts.filter((text) => text !== '' && this.columns.isKnown(text)).length;
  }

  hasIdentifier(names: readonly string[]): boolean {
    return names.some((name) => name !== '' && this.columns.isIdentifier(name));
  }

  row(number: number, names: readonly string[], values: readonly unknown[], fault?: FileProblem): void {
    if (names !== this.names) this.planFor(names);
    const row = this.build(number, values, fault);
    if (row !== undefined) {
      this.count += 1;
      this.onRow(row);
    }
    if (this.hooks.onProgress !== undefined && this.all % ROWS_BETWEEN_LOOKS === 0) {
      const now = Date.now();
      if (now - this.lookedAt >= PROGRESS_MS) {
        this.lookedAt = now;
        this.hooks.onProgress(this.all);
      }
    }
  }

  /** `line 7` of a file, `contacts[3]` of an array. */
  locationOf(number: number): string {
    return this.isFile ? `${this.unit} ${number}` : `contacts[${number}]`;
  }

  /** What was read of a file, what was left out, and why. */
  notes(): string[] {
    if (!this.isFile) return [];
    const all = [...this.columns.all.values()];
    const fields = all.flatMap(({ header, field }) =>
      field === undefined ? [] : [header === field ? field : `${field} ('${header}')`],
    );
    const unread = all.filter(
      ({ header, field }) => field === undefined && this.columns.answers.keyOf(header) === undefined,
    );
    const rest =
      unread.length === 0 ? '' : ` Columns that are not read: ${listOf(unread.map(({ header }) => header))}.`;
    const { unsubscribed, withoutIdentifier, skipped } = this;
    const notes = [`${counted(this.count, 'row')} read, with ${fields.join(', ')}.${rest}`];
    if (unsubscribed > 0) notes.push(`${counted(unsubscribed, 'row')} with 'subscribed: false'.`);
    if (withoutIdentifier > 0)
      notes.push(`${counted(withoutIdentifier, 'row')} without an email and a userId left out.`);
    if (skipped.length > 0) notes.push(`${skipped.length} of ${counted(this.all, 'row')} are skipped:`);
    if (skipped.length > 0) notes.push(...this.faults.problems.map((one) => sentenceOf(this.name, one)));
    return notes;
  }

  /** The `columns` of this file, to copy. */
  columnsToCopy(): string {
    return asText({
      columns: Object.fromEntries(fieldsToCopy(this.columns, [...this.columns.all.values()])),
    });
  }

  private get all(): number {
    return this.count + this.skipped.length + this.withoutIdentifier;
  }

  private consentProblems(): FileProblem[] {
    return [...this.columns.all.values()].flatMap(({ header: subject, consent }): FileProblem[] => {
      if (consent === undefined) return [];
      if (consent.isOpen)
        return [{ code: 'consent.question', subject, given: consent.held, expected: consent.kind }];
      const names = [...consent.found];
      return names.length === 0 || consent.answer === undefined
        ? []
        : [{ code: 'consent.unlisted', subject, names }];
    });
  }

  private rowProblems(): readonly FileProblem[] {
    const isSkip = this.source.invalidRows === 'skip';
    const contradictions = this.contradictions.problems;
    if (!isSkip) return [...this.faults.problems, ...contradictions];
    if (100 * this.skipped.length <= MAX_SKIPPED_PERCENT * this.all) return contradictions;
    const tooMany = {
      code: 'rows.invalid',
      count: this.skipped.length,
      expected: counted(this.all, 'row'),
    } as const;
    return [tooMany, ...this.faults.problems, ...contradictions];
  }

  /** What a message about a file ends with: the options to copy. */
  private wayOut(isWhole: boolean, isOfHeader: boolean): string {
    if (!this.isFile) return '';
    const { headerRow, noValues } = this;
    const codes = this.faults.problems.map(({ code }) => code);
    const isSkipping = this.columns.hasIdentifier && codes.includes('row.no-identifier');
    const found = { headerRow, noValues, isWhole, isSkipping, isAsked: codes.includes('row.nameless') };
    const options = suggestion(this.columns, this.source, found);
    if (options !== undefined && Object.keys(options).length > 0)
      return `Copy these inputs, and check each line of them:\n${asText(options)}`.trimEnd();
    const isOfRows = !isOfHeader && this.faults.problems.length > 0 && this.source.invalidRows !== 'skip';
    return isOfRows
      ? `Correct the file, or set invalidRows: 'skip' to leave out up to ${MAX_SKIPPED_PERCENT} % of the rows. 'pulumi-audience check FILE --rejects OUT' writes all of them.`
      : '';
  }

  private planFor(names: readonly string[]): void {
    this.names = names;
    // By field, so that columns which change places change no row.
    this.plan = names
      .map((name, index) => ({ index, column: this.columns.of(name) }))
      .sort((one, other) => ((one.column?.field ?? '') < (other.column?.field ?? '') ? -1 : 1));
  }

  /** The row that these values declare; `undefined` where it is refused or left out. */
  private build(number: number, values: readonly unknown[], fault?: FileProblem): DeclaredRow | undefined {
    const problems: FileProblem[] = fault === undefined ? [] : [fault];
    const refuse = (one: Refusal, field?: string, value?: unknown): void =>
      void problems.push(this.refused(one, field, value));
    const declared: Record<string, Value> = {};
    const emptied: string[] = [];
    let [email, userId]: [string | undefined, string | undefined] = [undefined, undefined];
    let isUnsubscribed = this.source.unsubscribed === true;
    for (const { index, column } of fault === undefined ? this.plan : []) {
      const value = values[index];
      if (column?.consent?.declaresNoMail(value) === true) isUnsubscribed = true;
      if (column?.field === undefined) {
        if (column !== undefined) this.noteUnread(column, value);
        else if (value !== '' && value !== null && this.source.columns === undefined) refuse(NAMELESS);
        continue;
      }
      const { field } = column;
      const read = this.readCell(column, value);
      if (read === EMPTIED) emptied.push(field);
      else if (read instanceof Refusal) refuse(read, field, value);
      else if (read === undefined) continue;
      else if (Object.hasOwn(declared, field) || (field === 'email' ? email : field === 'userId' && userId))
        refuse(TWICE, field);
      else if (field === 'email') email = String(read);
      else if (field === 'userId') userId = String(read);
      else declared[field] = read;
    }
    if (isUnsubscribed) declared['subscribed'] = false;
    if (problems.length === 0 && email === undefined) {
      if (userId === undefined && this.source.invalidRows === 'skip') {
        this.withoutIdentifier += 1;
        return undefined;
      }
      if (userId === undefined) refuse(UNIDENTIFIED);
      else if (!canAddress(userId)) refuse(ADDRESS, 'userId');
    }
    if (problems.length === 0) {
      if (declared['subscribed'] === false) this.unsubscribed += 1;
      return new DeclaredRow(this, number, email, userId, declared, emptied);
    }
    const location = this.locationOf(number);
    for (const problem of problems) this.faults.add(location, problem);
    this.skipped.push({ location, email, userId });
    const reasons = problems.map((one) => sentenceOf('', { ...one, locations: [location] }).slice(2));
    this.hooks.onReject?.({ names: this.names, values, reasons });
    return undefined;
  }

  /** What a cell declares; `undefined` for nothing. */
  private readCell(column: Column, value: unknown): Value | Refusal | typeof EMPTIED | undefined {
    const { isClearable, isIdentifier } = column;
    // A program's null clears; in a file it means "no value".
    if (value === CLEARED || (value === null && !this.isFile)) {
      if (isClearable) return null;
      return value === CLEARED || !isIdentifier ? NOT_CLEARABLE : undefined;
    }
    if (this.nulls.has(value)) return isClearable && this.source.emptyCells === 'clear' ? EMPTIED : undefined;
    if (this.isFile && this.refusedTexts.has(value)) {
      this.noValues.add(String(value));
      return NO_VALUE;
    }
    if (isIdentifier && this.unit === 'row' && typeof value !== 'string') return TEXT_CELL;
    return column.read(value);
  }

  /** Notes what the options to copy need to know of a column that is not read. */
  private noteUnread(column: Column, value: unknown): void {
    if (this.refusedTexts.has(value)) (column.noValues ??= new Set()).add(String(value));
    if (column.isLikelyEmail && this.nulls.has(value)) column.isEmptyEmail = true;
  }

  private refused({ code, expected, isShown }: Refusal, subject?: string, value?: unknown): FileProblem {
    // Values of a program may be secrets, and an address is personal.
    const isText = isShown && typeof value === 'string' && this.isFile && !value.includes('@');
    return { code, subject, expected, given: isText ? value.slice(0, 40) : undefined };
  }
}
