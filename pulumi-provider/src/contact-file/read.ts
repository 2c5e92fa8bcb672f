import { canAddress } from 'audience-core/internal';
import { DeclaredRow } from '../resources/contacts/declared-rows.js';
import { nameOfSource, type Inputs } from '../resources/contacts/inputs.js';
import type { Resource } from '../resources/declarations.js';
import type { KnownNames } from '../resources/known-service.js';
import type { Identity } from '../resources/contact-record/identity.js';
import type { Value } from '../resources/contact-record/values.js';
import { fileText, sentenceOf, type FileCode, type FileProblem } from '../messages/files.js';
import { counted, textOf, type Problem } from '../messages/index.js';
import { throttled } from '../resources/contacts/work.js';
import { Columns, isIdentifier, type Column } from './columns.js';
import { formatOf } from './formats.js';
import { CLEARED, rowOf } from './json.js';
import { FileError, RowFaults } from './problems.js';
import type { Unit } from './rows.js';
import { Source } from './source.js';
import { suggestion } from './suggest.js';

const MAX_SKIPPED_PERCENT = 5;

/** Texts of programs that usually mean "no value". */
const NO_VALUES: ReadonlySet<unknown> = new Set(['#N/A', '#NV', 'NULL', 'NaN', String.raw`\N`]);

const EMPTIED = Symbol('emptied');

/** What a reading tells while it goes on. */
export interface ReadingHooks {
  /** Called at least every 30 seconds with the number of rows so far. */
  readonly onProgress?: (rows: number) => void;
  /** Called with each row that is refused, as the file has it. */
  readonly onReject?: (names: readonly string[], values: readonly unknown[], reasons: string) => void;
}

/** Reads the declared contacts once. Its counts are complete after the last row. */
export class Reading {
  /** Whether the file ends in a line end; `undefined` for arrays. */
  endsInLineEnd: boolean | undefined;
  /** Rows with an identifier that `invalidRows: 'skip'` leaves out. */
  readonly skipped: Identity[] = [];
  /** How many rows without an identifier `invalidRows: 'skip'` leaves out. */
  withoutIdentifier = 0;
  readonly columns: Columns;
  private readonly faults = new RowFaults();
  /** Faults of rows that contradict others. These rows are never skipped. */
  private readonly contradictions = new RowFaults();
  private readonly nulls: ReadonlySet<unknown>;
  /** How long a text can be that means no value. */
  private readonly longest: number;
  private readonly isFile: boolean;
  /** The header, or the names of the row before. */
  private names: readonly string[] | undefined;
  private plan: readonly { readonly index: number; readonly column: Column | undefined }[] = [];
  private twice: FileProblem | undefined;
  private unit: Unit = 'line';
  private count = 0;
  private unsubscribed = 0;
  private onRow: (row: DeclaredRow) => Problem | undefined = () => undefined;
  private readonly tell: (rows: number) => void;

  constructor(
    readonly inputs: Inputs,
    known: KnownNames,
    readonly resource: Resource = { key: '', label: 'Contacts' },
    readonly hooks: ReadingHooks = {},
  ) {
    this.columns = new Columns(inputs, known);
    this.nulls = new Set([null, '', ...(inputs.nullValues ?? [])]);
    this.longest = Math.max(4, ...(inputs.nullValues ?? []).map(({ length }) => length));
    this.isFile = inputs.file !== undefined;
    this.tell = throttled((rows) => this.hooks.onProgress?.(rows));
  }

  /**
   * Streams the valid rows. After the last one it throws a FileError with one problem for each cause.
   *
   * @param onRow says how a row contradicts another.
   */
  async read(onRow: (row: DeclaredRow) => Problem | undefined): Promise<void> {
    this.onRow = onRow;
    const { file, contacts = [] } = this.inputs;
    for (const [index, record] of contacts.entries()) {
      const [names, values] = rowOf(record);
      this.row(index, names, values);
    }
    const ofFile = file === undefined ? [] : await this.readFile(file);
    const ofHeader = await this.columns.problems();
    const problems = [ofHeader, ofFile, this.rowProblems()].find((some) => some.length > 0);
    if (problems === undefined) return;
    const wayOut = this.wayOut(ofFile.length === 0, ofHeader.length > 0);
    throw new FileError(problems, nameOfSource(this.inputs), wayOut);
  }

  /** A format calls it first. */
  begin(unit: Unit, delimiter?: string): void {
    this.unit = unit;
    this.columns.delimiter = delimiter;
  }

  /** @param found the number of the header's row, where that is not at the top. */
  header(names: readonly string[], found?: number): void {
    this.columns.begin(names, found);
    this.planFor(names);
  }

  row(number: number, names: readonly string[], values: readonly unknown[], fault?: FileProblem): void {
    if (names !== this.names) this.planFor(names);
    const row = this.build(number, values, fault ?? this.twice);
    if (row !== undefined) {
      this.count += 1;
      const wrong = this.onRow(row);
      if (wrong !== undefined)
        this.contradictions.add(row.location, { code: 'reason', expected: textOf(wrong) });
    }
    this.tell(this.all);
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
      ({ header, field }) => (field ?? this.columns.answers.find(header)) === undefined,
    );
    const counts: [FileCode, number][] = [
      ['note.unread', unread.length],
      ['note.unsubscribed', this.unsubscribed],
      ['note.withoutIdentifier', this.withoutIdentifier],
      ['note.skipped', this.skipped.length],
    ];
    const facts = { names: unread.map(({ header }) => header), expected: this.all.toLocaleString('en') };
    return [
      fileText({ code: 'note.read', count: this.count, names: fields }),
      ...counts.flatMap(([code, count]) => (count === 0 ? [] : [fileText({ ...facts, code, count })])),
      ...this.faults.problems.map((one) => sentenceOf(nameOfSource(this.inputs), one)),
    ];
  }

  private get all(): number {
    return this.count + this.skipped.length + this.withoutIdentifier;
  }

  /** @returns why the file could not be read to its end. */
  private async readFile(file: string): Promise<readonly FileProblem[]> {
    try {
      const source = await Source.open(file, this.inputs.encoding);
      await formatOf(source.start)(source, this);
      this.endsInLineEnd = source.endsInLineEnd;
      const expected = this.locationOf(this.inputs.headerRow ?? 1);
      return this.names === undefined && this.unit !== 'item' ? [{ code: 'file.empty', expected }] : [];
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return error.problems;
    }
  }

  private rowProblems(): readonly FileProblem[] {
    const { faults, contradictions, skipped } = this;
    const isSkip = this.inputs.invalidRows === 'skip';
    const isTooMany = isSkip && 100 * skipped.length > MAX_SKIPPED_PERCENT * this.all;
    const expected = counted(this.all, 'row');
    return [
      ...(isTooMany ? [{ code: 'rows.invalid', count: skipped.length, expected } as const] : []),
      ...(isSkip && !isTooMany ? [] : faults.problems),
      ...contradictions.problems,
    ];
  }

  /** What a message about a file ends with: the options to copy. */
  private wayOut(isWhole: boolean, isOfHeader: boolean): string {
    if (!this.isFile || (!isWhole && !isOfHeader)) return '';
    const options = suggestion(this.columns, this.inputs, isWhole);
    if (options !== '') return fileText({ code: 'wayOut.copy', expected: options });
    const hasOther = isOfHeader || this.faults.problems.length === 0 || this.inputs.invalidRows === 'skip';
    return hasOther ? '' : fileText({ code: 'wayOut.skip' });
  }

  private planFor(names: readonly string[]): void {
    this.names = names;
    this.twice = this.columns.twiceIn(names);
    // By field, so that columns which change places change no row.
    this.plan = names
      .map((name, index) => ({ index, column: this.columns.of(name) }))
      .sort((one, other) => ((one.column?.field ?? '') < (other.column?.field ?? '') ? -1 : 1));
  }

  /** The row that these values declare; `undefined` where it is refused or left out. */
  private build(number: number, values: readonly unknown[], fault?: FileProblem): DeclaredRow | undefined {
    const problems: FileProblem[] = fault === undefined ? [] : [fault];
    const declared: Record<string, Value> = {};
    const emptied: string[] = [];
    let [email, userId]: [string | undefined, string | undefined] = [undefined, undefined];
    let isUnsubscribed = this.inputs.unsubscribed === true;
    for (const { index, column } of fault === undefined ? this.plan : []) {
      const value = values[index];
      if (column === undefined) {
        const isAsked = value !== '' && value !== null && this.inputs.columns === undefined;
        if (isAsked) problems.push({ code: 'row.nameless' });
        this.columns.isAsked ||= isAsked;
        continue;
      }
      const { field, consent } = column;
      if (consent?.declaresNoMail(value) === true) isUnsubscribed = true;
      const read = this.readCell(column, value);
      // Only the contact can subscribe again, so `true` declares nothing.
      if (field === undefined || read === undefined || (field === 'subscribed' && read === true)) continue;
      if (read === EMPTIED) emptied.push(field);
      else if (typeof read === 'object' && read !== null) {
        // Values of a program may be secrets, and an address is personal.
        const isShown = this.isFile && typeof value === 'string' && !/[@\r\n]/.test(value);
        problems.push({ ...read, subject: field, given: isShown ? value.slice(0, 40) : undefined });
      } else if (field === 'email') email = String(read);
      else if (field === 'userId') userId = String(read);
      else declared[field] = read;
    }
    if (isUnsubscribed) declared['subscribed'] = false;
    if (problems.length === 0 && email === undefined) {
      if (userId === undefined && this.inputs.invalidRows === 'skip') {
        this.withoutIdentifier += 1;
        return undefined;
      }
      if (userId === undefined) problems.push({ code: 'row.no-identifier' });
      else if (!canAddress(userId)) problems.push({ code: 'row.address', subject: 'userId' });
    }
    if (problems.length === 0) {
      if (declared['subscribed'] === false) this.unsubscribed += 1;
      return new DeclaredRow(this, number, email, userId, declared, emptied);
    }
    const location = this.locationOf(number);
    for (const problem of problems) this.faults.add(location, problem);
    this.skipped.push({ email, userId });
    const reasons = problems.map((one) => sentenceOf('', { ...one, locations: [location] }).slice(2));
    this.hooks.onReject?.(this.names ?? [], values, reasons.join(' '));
    return undefined;
  }

  /** What a cell declares; `undefined` for nothing. */
  private readCell(column: Column, value: unknown): ReturnType<Column['read']> | typeof EMPTIED {
    const { field, isClearable } = column;
    // A program's null clears; in a file it means "no value".
    if (value === CLEARED || (value === null && !this.isFile)) {
      if (isClearable) return null;
      return value === CLEARED || !isIdentifier(field) ? { code: 'row.not-clearable' } : undefined;
    }
    const isShort = typeof value !== 'string' || value.length <= this.longest;
    if (isShort && this.nulls.has(value)) {
      column.hasEmpty = true;
      return isClearable && this.inputs.emptyCells === 'clear' ? EMPTIED : undefined;
    }
    if (isShort && this.isFile && NO_VALUES.has(value)) {
      column.noValues.add(String(value));
      return { code: 'row.no-value' };
    }
    return field === undefined ? undefined : column.read(value);
  }
}
