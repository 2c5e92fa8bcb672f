import { ResourceError } from '../../errors.js';
import { nameOfSource } from '../rows.js';
import { Columns, quoted } from './columns.js';
import type { KnownNames } from './columns.js';
import { readCsv } from './csv.js';
import { counted } from '../../words.js';
import { endedWith, Faults } from './faults.js';
import { readJsonArray, readJsonLines, rowOf } from './json.js';
import type { SourceRow } from './json.js';
import type { RowSource } from './options.js';
import { RowBuilder } from './row-builder.js';
import type { DeclaredRow, RowIdentity } from '../rows.js';
import { readText } from './text.js';

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
  /** Rows that contradict others, which are never skipped. */
  readonly contradictions = new Faults();

  constructor(
    private readonly source: RowSource,
    known: KnownNames,
  ) {
    this.columns = new Columns(source, known);
    this.builder = new RowBuilder(source, this.columns);
    this.name = nameOfSource(source);
  }

  /** Valid rows that were read. */
  get count(): number {
    return this.builder.count;
  }

  /** Rows that `invalidRows: 'skip'` skips. */
  get skipped(): readonly RowIdentity[] {
    return this.builder.invalid;
  }

  /**
   * The valid rows, one after the other; a file is never held as a whole.
   *
   * @throws ResourceError after the last row, with one message for each cause; at once where the rest cannot be read.
   */
  async *rows(): AsyncGenerator<DeclaredRow, void> {
    const { builder } = this;
    const { file, contacts = [] } = this.source;
    const rows =
      file === undefined
        ? contacts.map((record, index) => rowOf(`contacts[${index}]`, record))
        : this.rowsIn(file);
    for await (const source of rows) {
      const row = builder.build(source);
      if (row !== undefined) yield row;
    }
    this.stopAt([...this.columns.problems(), ...(await this.columns.groupProblems())]);
    const messages = this.contradictions.messages(this.name);
    const isSkip = this.source.invalidRows === 'skip';
    if (!isSkip || this.skipped.length > MOST_SKIPPED * this.all) {
      messages.unshift(...builder.faults.messages(this.name));
      if (isSkip)
        messages.unshift(
          `${this.name}: ${this.skipped.length} of ${counted(this.all, 'row')} are invalid, and 5 % may be. Correct them, or export the list again.`,
        );
    }
    if (messages.length > 0) throw new ResourceError(messages.join('\n'));
  }

  /** For the plan of a file: what was read, what was not, and why. */
  notes(): string[] {
    if (this.source.file === undefined) return [];
    const { used, leftOut } = this.columns;
    const fields = [...used].map(([header, { field }]) =>
      header === field ? field : `${field} ('${header}')`,
    );
    const rest = leftOut.size === 0 ? '' : ` Columns that are not read: ${quoted([...leftOut])}.`;
    const skipped = `${this.skipped.length} of ${counted(this.all, 'row')} are skipped:`;
    return [
      `${counted(this.count, 'row')} read, with ${fields.join(', ')}.${rest}`,
      ...(this.skipped.length === 0 ? [] : [skipped, ...this.builder.faults.messages(this.name)]),
    ];
  }

  /** Names that are neither fields nor properties. */
  get unknown(): readonly string[] {
    return [...this.columns.unknown];
  }

  /** The `columns` for a program that reads this file; empty where no header is like a field. */
  suggestion(): string {
    return this.columns.suggestion();
  }

  private get all(): number {
    return this.count + this.skipped.length;
  }

  private async *rowsIn(file: string): AsyncGenerator<SourceRow, void> {
    const text = this.textOf(file);
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
        yield* readCsv(
          file,
          head,
          whole,
          (header) => this.columns.isKnown(header),
          (header, row) => this.stopAt(this.columns.readHeader(header, row)),
        );
      }
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

  private stopAt(problems: readonly string[]): void {
    const messages = problems.map((problem) => `${this.name}: ${endedWith(problem)}`);
    if (messages.length > 0) throw new ResourceError(messages.join('\n'));
  }
}

async function* withHead(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield head;
  yield* rest;
}
