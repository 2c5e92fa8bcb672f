import { ResourceError } from '../../errors.js';
import type { Raw } from '../../raw.js';
import { Columns, quoted } from './columns.js';
import type { Column, KnownNames } from './columns.js';
import { readCsv } from './csv.js';
import type { DeclaredRow } from './declared-row.js';
import { endedWith } from './faults.js';
import { readJsonArray, readJsonLines, valuesOf } from './json.js';
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
    const { file, contacts = [] } = this.source;
    if (file !== undefined) yield* this.ofFile(file);
    else {
      for (const [index, record] of contacts.entries()) {
        const row = this.ofRecord(`contacts[${index}]`, record);
        if (row !== undefined) yield row;
      }
    }
    const { faults } = this.builder;
    this.stopAt([...this.columns.problems(), ...this.cutOff()]);
    if (this.source.invalidRows !== 'skip') stopAt(faults.messages(this.name));
    else if (this.skipped.length > MOST_SKIPPED * this.all)
      stopAt([this.tooMany(), ...faults.messages(this.name)]);
  }

  /** For the plan: what was read, what was not, and why; a sentence each. */
  describe(): string[] {
    const { used, leftOut } = this.columns;
    const fields = [...used.values()].map(({ header, field }) =>
      header === field ? field : `${field} ('${header}')`,
    );
    return [
      `${this.name}: ${this.count} ${this.count === 1 ? 'row' : 'rows'} read, with ${fields.join(', ')}.`,
      ...(leftOut.size === 0 ? [] : [`Columns that are not read: ${quoted([...leftOut])}.`]),
      ...(this.skipped.length === 0
        ? []
        : [
            `${this.skipped.length} of ${this.all} rows are skipped:`,
            ...this.builder.faults.messages(this.name),
          ]),
    ];
  }

  /** The `columns` for a program that reads this file; empty where no header is like a field. */
  suggestion(): string {
    return this.columns.suggestion(new Map());
  }

  private get all(): number {
    return this.count + this.skipped.length;
  }

  private async *ofFile(file: string): AsyncGenerator<DeclaredRow, void> {
    const text = this.notingEnd(readText(file, this.source.encoding));
    try {
      let head = '';
      while (head.length < LONGEST_HEADER && !/\S.*[\r\n]/.test(head)) {
        const next = await text.next();
        if (next.done === true) break;
        head += next.value;
      }
      const [first] = /\S/.exec(head) ?? [];
      if (first === undefined)
        this.stopAt(['the file is empty. A list without contacts still has its header']);
      if (first !== '{' && first !== '[') yield* this.ofCsv(file, head, text);
      else {
        const read = first === '{' ? readJsonLines : readJsonArray;
        for await (const { location, record } of read(file, withHead(head, text))) {
          const row = this.ofRecord(location, record);
          if (row !== undefined) yield row;
        }
        if (first === '[') this.endsInLineEnd = undefined;
      }
    } finally {
      await text.return();
    }
  }

  private async *ofCsv(
    file: string,
    head: string,
    text: AsyncIterable<string>,
  ): AsyncGenerator<DeclaredRow, void> {
    let header: readonly string[] | undefined;
    let columns: readonly (Column | undefined)[] | undefined;
    for await (const rows of readCsv(file, head, text, (name) => this.columns.isKnown(name))) {
      for (const { line, cells } of rows) {
        if (cells.every((cell) => cell === '')) continue;
        if (header === undefined) {
          header = cells.map((name) => name.trim());
          continue;
        }
        // The first row helps to say what is wrong with the header.
        columns ??= this.columnsOf(header, cells);
        if (cells.length === header.length && cells.every((cell, index) => cell === header?.[index])) {
          this.stopAt([`line ${line} is the header again. Were two files joined?`]);
        }
        const row = this.ofCells(`line ${line}`, cells, columns, header);
        if (row !== undefined) yield row;
      }
    }
    if (columns === undefined) this.columnsOf(header ?? [], []);
  }

  private columnsOf(header: readonly string[], sample: readonly string[]): readonly (Column | undefined)[] {
    const columns = this.columns.ofHeader(header);
    const values = new Map(header.map((name, index) => [name, sample[index]]));
    const isFound = columns.some((column) => column?.field === 'email' || column?.field === 'userId');
    this.stopAt(isFound ? this.columns.problems(values) : [this.columns.noIdentifier(header, values)]);
    return columns;
  }

  private ofCells(
    location: string,
    cells: readonly string[],
    columns: readonly (Column | undefined)[],
    header: readonly string[],
  ): DeclaredRow | undefined {
    const { builder } = this;
    builder.begin(location);
    this.lastLocation = location;
    for (const [index, cell] of cells.entries()) {
      const column = columns[index];
      if (column !== undefined) builder.put(column, cell);
    }
    if (cells.length < header.length || cells.some((cell, index) => cell !== '' && index >= header.length)) {
      const values = cells.length === 1 ? '1 value' : `${cells.length} values`;
      builder.refuse(
        `has ${values}, the header has ${header.length}. Is a delimiter unquoted, or was the file cut off?`,
      );
    } else if (this.source.columns === undefined) {
      const nameless = cells.findIndex((cell, index) => cell !== '' && header[index] === '');
      if (nameless >= 0)
        builder.refuse(`has a value in column ${nameless + 1}, which has no name. Name it, or set columns`);
    }
    return builder.end();
  }

  private ofRecord(location: string, record: Raw): DeclaredRow | undefined {
    this.builder.begin(location);
    this.lastLocation = location;
    for (const [name, value] of valuesOf(record)) {
      const column = this.columns.of(name);
      if (column !== undefined) this.builder.put(column, value);
    }
    return this.builder.end();
  }

  private async *notingEnd(text: AsyncIterable<string>): AsyncGenerator<string, void> {
    for await (const chunk of text) {
      if (chunk !== '') this.endsInLineEnd = /[\r\n]$/.test(chunk);
      yield chunk;
    }
  }

  private cutOff(): string[] {
    if (this.endedInLineEnd !== true || this.endsInLineEnd !== false) return [];
    return [
      `${this.lastLocation} has no line end, and the file had one before: was it cut off? If it is complete, end its last line`,
    ];
  }

  private tooMany(): string {
    return `${this.name}: ${this.skipped.length} of ${this.all} rows are invalid, which is more than ${MOST_SKIPPED * 100} %. Correct them, or export the list again.`;
  }

  private stopAt(problems: readonly string[]): void {
    stopAt(problems.map((problem) => `${this.name}: ${endedWith(problem)}`));
  }
}

function stopAt(messages: readonly string[]): void {
  if (messages.length > 0) throw new ResourceError(messages.join('\n'));
}

async function* withHead(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield head;
  yield* rest;
}
