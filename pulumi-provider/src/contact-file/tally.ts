import type { Column, Columns } from './columns.js';
import { RowFaults, type FileProblem } from './problems.js';
import type { Identity, RowRead } from './row.js';
import { locationOf, type Unit } from './rows.js';
import { blockToCopy } from './suggest.js';

/** A row of a list. */
export interface ListRow extends Identity, Pick<RowRead, 'values'> {
  readonly number: number;
  /** Whether `consent` leaves it out: then it declares nothing, and its entry in the state stays. */
  readonly isSkipped: boolean;
}

/** What a reading came to. */
export interface Report {
  /** Why the list is refused; none where it was read. */
  readonly problems: readonly FileProblem[];
  /** What a refusal ends with. */
  readonly wayOut: FileProblem | undefined;
  /** What was read, and what was left out. */
  readonly notes: readonly FileProblem[];
  readonly columns: readonly Pick<Column, 'header' | 'field'>[];
}

/** Counts rows, and collects their faults. */
export class Tally {
  readonly #faults = new RowFaults();
  readonly #counts = { read: 0, 'no-mail': 0, 'no-identifier': 0, skipped: 0 };
  readonly #unit: Unit;

  constructor(private readonly columns: Columns) {
    this.#unit = columns.options.file === undefined ? 'contacts' : 'line';
  }

  /** Adds a row; `undefined` where it is left out, or has a fault. */
  add(number: number, { email, userId, values, answer, problems, isSomebody }: RowRead): ListRow | undefined {
    const isFile = this.columns.options.file !== undefined;
    if (!isSomebody && isFile) {
      this.#counts['no-identifier'] += 1;
      return undefined;
    }
    for (const problem of problems) this.addFault(number, problem);
    if (!isSomebody) this.addFault(number, { code: 'row.no-identifier' });
    if (problems.length > 0 || !isSomebody) return undefined;
    if (answer === 'skip') {
      this.#counts.skipped += 1;
      return { number, email, userId, values: {}, isSkipped: true };
    }
    this.#counts.read += 1;
    if (answer !== 'no mail') return { number, email, userId, values, isSkipped: false };
    this.#counts['no-mail'] += 1;
    return { number, email, userId, values: { ...values, subscribed: false }, isSkipped: false };
  }

  addFault(number: number, fault: FileProblem): void {
    this.#faults.add(locationOf(this.#unit, number), fault);
  }

  /** @param ofFile why the file cannot be read to its end. */
  report(ofFile: FileProblem | undefined): Report {
    const { columns } = this;
    const { file } = columns.options;
    const ofHeader = columns.problems();
    const ofRows = this.#faults.problems;
    const all = ofHeader.length > 0 ? ofHeader : ofRows;
    const problems = ofFile === undefined ? all : [ofFile];
    const hasWayOut = file !== undefined && ofFile === undefined && problems.length > 0;
    return {
      problems,
      wayOut: hasWayOut ? blockToCopy(columns, ofHeader, ofRows) : undefined,
      notes: this.#notes(),
      columns: columns.all,
    };
  }

  #notes(): readonly FileProblem[] {
    const { all, options } = this.columns;
    const isFile = options.file !== undefined;
    const names = all.flatMap(({ header, field }) =>
      field === undefined ? [] : [header === field ? field : `${field} ('${header}')`],
    );
    const unread = all.filter(({ field, consent }) => field === undefined && consent === undefined);
    const texts = Object.fromEntries(unread.map((one) => [one.header, one.texts?.few ?? []]));
    const ofFile: readonly FileProblem[] = [
      { code: 'note.read', count: this.#counts.read, names },
      ...(unread.length === 0 ? [] : [{ code: 'note.unread', texts } as const]),
    ];
    const kinds = [...(isFile ? (['no-mail'] as const) : []), 'skipped', 'no-identifier'] as const;
    const counted = kinds.map((kind) => ({ code: `note.${kind}`, count: this.#counts[kind] }) as const);
    return [...(isFile ? ofFile : []), ...counted.filter(({ count }) => count > 0)];
  }
}
