import type { Column, Columns } from './columns.js';
import { RowFaults, type FileProblem } from './problems.js';
import { isReadable, type RowRead } from './row.js';
import { locationOf, type NamedRow, type Unit } from './rows.js';
import { blockToCopy } from './suggest.js';

/** Invalid rows that `invalidRows: 'skip'` leaves out: so many percent, or so many rows if that is more. */
const MAX_INVALID_PERCENT = 5;
const MAX_INVALID = 10;

/** Where a row is, and its cells as they are. */
interface Row extends Required<Pick<NamedRow, 'number' | 'names' | 'cells'>> {
  readonly unit: Unit;
}

/** A row of a list. An invalid one that says "no mail" declares that alone. */
export interface ListRow extends Row, RowRead {
  /** Whether it declares nothing, as it is skipped or invalid: then its entry in the state stays. */
  readonly isLeftOut: boolean;
}

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

/** Counts rows, collects their faults, and decides which of them the list declares. */
export class Tally {
  readonly #faults = new RowFaults();
  /** Faults of rows that are never left out. */
  readonly #fatal = new RowFaults();
  readonly #ofHeader: FileProblem[] = [];
  readonly #counts = { all: 0, read: 0, 'no-mail': 0, 'no-identifier': 0, skipped: 0, invalid: 0 };

  constructor(private readonly columns: Columns) {}

  addHeader(problems: readonly (FileProblem | undefined)[]): void {
    this.#ofHeader.push(...problems.filter((one) => one !== undefined));
  }

  /** Adds a row; `undefined` where it is nobody, and left out. */
  add(row: Row, read: RowRead): ListRow | undefined {
    const { answer, problems, isSomebody, mayBeLost } = read;
    const counts = this.#counts;
    counts.all += 1;
    if (!isSomebody && this.columns.options.invalidRows === 'skip') {
      counts['no-identifier'] += 1;
      return undefined;
    }
    if (answer === 'skip' && isReadable(read) && !mayBeLost) {
      counts.skipped += 1;
      return { ...row, ...read, problems: [], isLeftOut: true };
    }
    const isNoMail = answer === 'no mail' && isReadable(read);
    const isBad = problems.length > 0;
    if (isNoMail) counts['no-mail'] += 1;
    counts[isBad ? 'invalid' : 'read'] += 1;
    for (const problem of problems)
      (mayBeLost ? this.#fatal : this.#faults).add(locationOf(row.unit, row.number), problem);
    if (!isBad && !isNoMail) return { ...row, ...read, isLeftOut: false };
    const values = { ...(!isBad && read.values), ...(isNoMail && { subscribed: false }) };
    const emptied = isBad ? [] : read.emptied;
    return { ...row, ...read, values, emptied, isLeftOut: isBad && !isNoMail };
  }

  /** @param ofFile why the file cannot be read to its end. */
  report(ofFile: FileProblem | undefined, endsInLineEnd: boolean | undefined): Report {
    const { file, invalidRows } = this.columns.options;
    const ofHeader = [...this.#ofHeader, ...this.columns.problems()];
    const isOfHeader = ofHeader.length > 0;
    const others = ofFile === undefined ? this.#rowProblems() : [ofFile];
    const problems = isOfHeader ? ofHeader : others;
    const hasWayOut = file !== undefined && problems.length > 0 && (isOfHeader || ofFile === undefined);
    const canSkip = !isOfHeader && this.#fatal.problems.length === 0 && invalidRows !== 'skip';
    const block = blockToCopy(this.columns, ofHeader, [...this.#faults.problems, ...this.#fatal.problems]);
    return {
      problems,
      wayOut: hasWayOut ? (block ?? (canSkip ? { code: 'wayOut.skip' } : undefined)) : undefined,
      notes: this.#notes(),
      columns: this.columns.all,
      endsInLineEnd,
    };
  }

  #rowProblems(): readonly FileProblem[] {
    const { all, invalid } = this.#counts;
    const isSkipping = this.columns.options.invalidRows === 'skip';
    const isTooMany = invalid > Math.max(MAX_INVALID, (MAX_INVALID_PERCENT * all) / 100);
    if (isSkipping && !isTooMany) return this.#fatal.problems;
    const tooMany = { code: 'rows.invalid', count: invalid, expected: String(all) } as const;
    return [...(isSkipping ? [tooMany] : []), ...this.#faults.problems, ...this.#fatal.problems];
  }

  #notes(): readonly FileProblem[] {
    const { all, options } = this.columns;
    const names = all.flatMap(({ header, field }) =>
      field === undefined ? [] : [header === field ? field : `${field} ('${header}')`],
    );
    const unread = all.filter(({ field, consent }) => field === undefined && consent === undefined);
    const texts = Object.fromEntries(unread.map((one) => [one.header, one.texts?.few ?? []]));
    const ofFile: readonly FileProblem[] = [
      { code: 'note.read', count: this.#counts.read, names },
      ...(unread.length === 0 ? [] : [{ code: 'note.unread', texts } as const]),
    ];
    const isFile = options.file !== undefined;
    const kinds = [...(isFile ? (['no-mail'] as const) : []), 'skipped', 'no-identifier', 'invalid'] as const;
    const expected = String(this.#counts.all);
    const counted = kinds.map(
      (kind) => ({ code: `note.${kind}`, count: this.#counts[kind], expected }) as const,
    );
    return [...(isFile ? ofFile : []), ...counted.filter(({ count }) => count > 0), ...this.#faults.problems];
  }
}
