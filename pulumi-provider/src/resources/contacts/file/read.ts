import { canAddress } from 'audience-core/internal';
import type { Declaration, Resource } from '../../declarations.js';
import { ResourceError } from '../../errors.js';
import { NO_ADDRESS } from '../../contact-record/identity.js';
import type { Identity } from '../../contact-record/identity.js';
import type { Value, Values } from '../../contact-record/values.js';
import { counted } from '../../words.js';
import { Columns, quoted } from './columns.js';
import type { KnownNames } from './columns.js';
import { readCsv } from './csv.js';
import { assertNone, Faults } from './faults.js';
import { CLEARED, readJsonArray, readJsonLines, rowOf } from './json.js';
import type { SourceRow } from './json.js';
import { nameOfSource } from './options.js';
import type { RowSource } from './options.js';
import { readText } from './text.js';
import { Refusal } from './values.js';

const MAX_HEADER_CHARACTERS = 65_536;
const MAX_SKIPPED_PERCENT = 5;
const MAX_SHARED_VALUES = 1_000;

/** One declared contact of a list. */
export class DeclaredRow implements Identity, Declaration {
  /** @param values by flat name: `firstName`, `subscriptionGroups.<id>`; `null` clears. */
  constructor(
    private readonly reading: Reading,
    private readonly number: number,
    public email: string | undefined,
    public userId: string | undefined,
    public values: Values,
  ) {}

  /** Fields with an empty cell, where `emptyCells` is `clear`. Only values that an earlier run wrote are cleared. */
  get emptied(): readonly string[] {
    return this.reading.emptied.get(this) ?? [];
  }

  /** Adds the values of another row of the same contact. */
  join(other: DeclaredRow): void {
    const { email, userId, values } = other;
    this.email ??= email;
    this.userId ??= userId;
    this.values = { ...this.values, ...values };
    this.reading.emptied.set(this, [...this.emptied, ...other.emptied]);
  }

  get location(): string {
    return this.reading.locationOf(this.number);
  }

  get resource(): Resource {
    return this.reading.resource;
  }
}

/** Reads the declared contacts once. Its counts are complete after the last row. */
export class Reading {
  /** Whether the file ends in a line end; `undefined` for arrays. */
  endsInLineEnd: boolean | undefined;
  /** Rows that `invalidRows: 'skip'` skips. */
  readonly skipped: (Identity & { readonly location: string })[] = [];
  /** Faults of rows that contradict others. These rows are never skipped. */
  readonly contradictions = new Faults();
  /** Empty cells by row; most rows have none. */
  readonly emptied = new Map<DeclaredRow, readonly string[]>();
  readonly columns: Columns;
  private readonly faults = new Faults();
  private readonly values = new Map<Value, Value>();
  private readonly nulls: ReadonlySet<unknown>;
  private readonly name: string;
  private unit = 'line';
  private count = 0;

  constructor(
    private readonly source: RowSource,
    known: KnownNames,
    readonly resource: Resource = { key: '', label: 'Contacts' },
  ) {
    this.columns = new Columns(source, known);
    this.nulls = new Set([null, '', ...(source.nullValues ?? [])]);
    this.name = nameOfSource(source);
  }

  /** Streams the valid rows. After the last one it throws a ResourceError with one message for each cause. */
  async read(onRow: (row: DeclaredRow) => void): Promise<void> {
    const { file, contacts = [] } = this.source;
    const read = (source: SourceRow): void => {
      const row = this.build(source);
      if (row !== undefined) onRow(row);
    };
    if (file === undefined) for (const [index, record] of contacts.entries()) read(rowOf(index, record));
    else await this.readFile(file, read);
    assertNone(this.name, [...this.columns.problems(), ...(await this.columns.groupProblems())]);
    const messages = this.contradictions.messages(this.name);
    const isSkip = this.source.invalidRows === 'skip';
    if (!isSkip || 100 * this.skipped.length > MAX_SKIPPED_PERCENT * this.all) {
      messages.unshift(...this.faults.messages(this.name));
      if (isSkip)
        messages.unshift(
          `${this.name}: ${this.skipped.length} of ${counted(this.all, 'row')} are invalid, and ${MAX_SKIPPED_PERCENT} % may be. Correct them, or export the list again.`,
        );
    }
    if (messages.length > 0) throw new ResourceError(messages.join('\n'));
  }

  /** `line 7` of a file, `contacts[3]` of an array. */
  locationOf(number: number): string {
    return this.source.file === undefined ? `contacts[${number}]` : `${this.unit} ${number}`;
  }

  /** What was read of a file, what was skipped, and why. */
  notes(): string[] {
    if (this.source.file === undefined) return [];
    const { used, notMapped } = this.columns;
    const fields = [...used].map(([header, { field }]) =>
      header === field ? field : `${field} ('${header}')`,
    );
    const rest = notMapped.size === 0 ? '' : ` Columns that are not read: ${quoted([...notMapped])}.`;
    const skipped = `${this.skipped.length} of ${counted(this.all, 'row')} are skipped:`;
    return [
      `${counted(this.count, 'row')} read, with ${fields.join(', ')}.${rest}`,
      ...(this.skipped.length === 0 ? [] : [skipped, ...this.faults.messages(this.name)]),
    ];
  }

  private get all(): number {
    return this.count + this.skipped.length;
  }

  private async readFile(file: string, onRow: (row: SourceRow) => void): Promise<void> {
    const text = this.textOf(file);
    try {
      let head = '';
      while (head.length < MAX_HEADER_CHARACTERS && !/\S.*[\r\n]/.test(head)) {
        const next = await text.next();
        if (next.done === true) break;
        head += next.value;
      }
      const first = head.trimStart()[0];
      if (first === undefined)
        assertNone(this.name, ['the file is empty. A list without contacts still has its header']);
      const whole = withHead(head, text);
      if (first === '{') await readJsonLines(file, whole, onRow);
      else if (first === '[') {
        this.unit = 'item';
        await readJsonArray(file, whole, onRow);
        this.endsInLineEnd = undefined;
      } else await readCsv(file, head, whole, this.columns, onRow);
    } finally {
      await text.return();
    }
  }

  private async *textOf(file: string): AsyncGenerator<string, void> {
    for await (const chunk of readText(file, this.source.encoding)) {
      if (chunk !== '') this.endsInLineEnd = /[\r\n]$/.test(chunk);
      yield chunk;
    }
  }

  private build({ number, names, values, fault }: SourceRow): DeclaredRow | undefined {
    let wrong = 0;
    const refuse = (reason: string, field = '', value = ''): void => {
      this.faults.add(this.locationOf(number), field, reason, value);
      wrong += 1;
    };
    const isProgram = this.source.file === undefined;
    const identity: { email?: string; userId?: string } = {};
    const declared: Record<string, Value> = {};
    const emptied: string[] = [];
    if (fault !== undefined) refuse(fault);
    for (let index = 0; fault === undefined && index < names.length; index += 1) {
      const [name = '', value] = [names[index], values[index]];
      const column = this.columns.of(name);
      if (column === undefined) {
        if (name === '' && value !== '' && this.source.columns === undefined)
          refuse('has a value in a column without a name. Name the column, or set columns');
        continue;
      }
      const { field, isClearable } = column;
      const isIdentifier = field === 'email' || field === 'userId';
      let wire: Value | Refusal | undefined;
      // A program's null clears; in a file it means "no value".
      if (value === CLEARED || (value === null && isProgram)) {
        if (isClearable) wire = null;
        else if (value === CLEARED || !isIdentifier) refuse('cannot be cleared: remove it', field);
      } else if (!this.nulls.has(value)) wire = column.read(value);
      else if (isClearable && this.source.emptyCells === 'clear') emptied.push(field);
      if (wire instanceof Refusal) {
        // Values of a program may be secrets, and an address is personal.
        const isShown = wire.isShown && typeof value === 'string' && !isProgram && !value.includes('@');
        refuse(wire.reason, field, isShown ? `'${value.slice(0, 40)}'` : '');
      } else if (wire !== undefined) {
        if (Object.hasOwn(isIdentifier ? identity : declared, field)) refuse('is there twice', field);
        if (isIdentifier) identity[field] = String(wire);
        else declared[field] = this.shared(wire);
      }
    }
    const { email, userId } = identity;
    if (wrong === 0 && email === undefined) {
      if (userId === undefined) refuse('has neither an email nor a userId');
      else if (!canAddress(userId)) refuse(NO_ADDRESS, 'userId');
    }
    if (wrong > 0) {
      this.skipped.push({ location: this.locationOf(number), ...identity });
      return undefined;
    }
    this.count += 1;
    const row = new DeclaredRow(this, number, email, userId, declared);
    if (emptied.length > 0) this.emptied.set(row, emptied);
    return row;
  }

  /** The equal value of an earlier row, which saves memory. */
  private shared(value: Value): Value {
    const known = this.values.get(value);
    if (known === undefined && this.values.size < MAX_SHARED_VALUES) this.values.set(value, value);
    return known ?? value;
  }
}

async function* withHead(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield head;
  yield* rest;
}
