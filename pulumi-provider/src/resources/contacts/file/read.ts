import { ResourceError } from '../../errors.js';
import type { Raw } from '../../raw.js';
import { Columns, quoted } from './columns.js';
import type { KnownNames } from './columns.js';
import { readCsv } from './csv.js';
import type { DeclaredRow } from './declared-row.js';
import { endedWith } from './faults.js';
import { readJsonArray, readJsonLines, rowOf } from './json.js';
import type { SourceRow } from './json.js';
import type { FileOptions } from './options.js';
import { RowBuilder } from './row-builder.js';
import type { SkippedRow } from './row-builder.js';
import { readText } from './text.js';

/** Where contacts are declared, and how to read them. */
export interface RowSource extends FileOptions {
  readonly file?: string | undefined;
  readonly contacts?: readonly Raw[] | undefined;
}

/** In characters; no header is longer, and some JSON is one line. */
const LONGEST_HEADER = 65_536;

/** The part of the rows that may be skipped. */
const MOST_SKIPPED = 0.05;

/** One pass over the declared contacts. What it counts is complete when all rows have been read. */
export class Reading {
  /** Whether the file ends in a line end; `undefined` where that says nothing, as of a JSON array. */
  endsInLineEnd: boolean | undefined;
  private readonly columns: Columns;
  private readonly builder: RowBuilder;
  private readonly name: string;
  private lastLocation = '';

  /**
   * @param known names of properties and groups.
   * @param endedInLineEnd what {@link endsInLineEnd} was when the file was read in an earlier run.
   */
  constructor(
    private readonly source: RowSource,
    known: KnownNames,
    private readonly endedInLineEnd?: boolean,
  ) {
    this.columns = new Columns(source, known);
    this.builder = new RowBuilder({
      nulls: new Set(source.nullValues),
      clears: source.emptyCells === 'clear',
      isNullDeclared: source.file === undefined,
    });
    this.name = source.file === undefined ? "the array 'contacts'" : `'${source.file}'`;
  }

  /** Rows that were read, without empty and skipped ones. */
  get count(): number {
    return this.builder.count;
  }

  /** Rows that `invalidRows: 'skip'` skips. */
  get skipped(): readonly SkippedRow[] {
    return this.builder.invalid;
  }

  /**
   * The valid rows, one after the other; a file is never held as a whole.
   *
   * @throws ResourceError after the last row, with one message for each cause; at once where the rest cannot be read.
   */
  async *rows(): AsyncGenerator<DeclaredRow, void> {
    const { file, contacts = [], columns } = this.source;
    const { builder } = this;
    const sources =
      file === undefined
        ? contacts.map((record, index) => rowOf(`contacts[${index}]`, record))
        : this.rowsIn(file);
    for await (const { location, values, fault } of sources) {
      this.lastLocation = location;
      builder.begin(location);
      for (const [name, value] of values) {
        const column = this.columns.of(name);
        if (column !== undefined) builder.put(column, value);
        else if (name === '' && value !== '' && columns === undefined)
          builder.refuse('has a value in a column without a name. Name the column, or set columns');
      }
      const row = builder.end(fault);
      if (row !== undefined) yield row;
    }
    this.stopAt([...this.columns.problems(), ...this.cutOff()]);
    const most = this.source.invalidRows === 'skip' ? MOST_SKIPPED * this.all : 0;
    if (this.skipped.length > most) {
      const many = `${this.name}: ${this.skipped.length} of ${this.all} rows are invalid, and 5 % may be. Correct them, or export the list again.`;
      throw new ResourceError(
        [...(most > 0 ? [many] : []), ...builder.faults.messages(this.name)].join('\n'),
      );
    }
  }

  /** For the plan: what was read, what was not, and why; a sentence each. */
  describe(): string[] {
    const { used, leftOut } = this.columns;
    const fields = [...used].map(([header, { field }]) =>
      header === field ? field : `${field} ('${header}')`,
    );
    const skipped = `${this.skipped.length} of ${this.all} rows are skipped:`;
    return [
      `${this.name}: ${this.count} ${this.count === 1 ? 'row' : 'rows'} read, with ${fields.join(', ')}.`,
      ...(leftOut.size === 0 ? [] : [`Columns that are not read: ${quoted([...leftOut])}.`]),
      ...(this.skipped.length === 0 ? [] : [skipped, ...this.builder.faults.messages(this.name)]),
    ];
  }

  /** The `columns` for a program that reads this file; empty where no header is like a field. */
  suggestion(): string {
    return this.columns.suggestion();
  }

  private get all(): number {
    return this.count + this.skipped.length;
  }

  private async *rowsIn(file: string): AsyncGenerator<SourceRow, void> {
    const text = this.notingEnd(readText(file, this.source.encoding));
    try {
      let head = '';
      while (head.length < LONGEST_HEADER && !/\S.*[\r\n]/.test(head)) {
        const next = await text.next();
        if (next.done === true) break;
        head += next.value;
      }
      const first = head.trimStart()[0];
      if (first === undefined)
        this.stopAt(['the file is empty. A list without contacts still has its header']);
      const whole = withHead(head, text);
      if (first === '{') yield* readJsonLines(file, whole);
      else if (first === '[') {
        yield* readJsonArray(file, whole);
        this.endsInLineEnd = undefined;
      } else {
        const isKnown = (header: string): boolean => this.columns.isKnown(header);
        const onHeader = (header: readonly string[], row: readonly string[]): void =>
          this.stopAt(this.columns.readHeader(header, row));
        yield* readCsv(file, head, whole, { isKnown, onHeader });
      }
    } finally {
      await text.return();
    }
  }

  private async *notingEnd(text: AsyncIterable<string>): AsyncGenerator<string, void> {
    for await (const chunk of text) {
      if (chunk !== '') this.endsInLineEnd = /[\r\n]$/.test(chunk);
      yield chunk;
    }
  }

  private cutOff(): string[] {
    if (this.endedInLineEnd !== true || this.endsInLineEnd !== false) return [];
    const advice = 'was it cut off? If it is complete, end its last line';
    return [`${this.lastLocation} has no line end, and the file had one before: ${advice}`];
  }

  private stopAt(problems: readonly string[]): void {
    const messages = problems.map((problem) => `${this.name}: ${endedWith(problem)}`);
    if (messages.length > 0) throw new ResourceError(messages.join('\n'));
  }
}

async function* withHead(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield head;
  yield* rest;
}
