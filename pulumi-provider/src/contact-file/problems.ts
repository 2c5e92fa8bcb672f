import type { ProblemDetails } from 'audience-core/internal';
import type { TextCount } from './texts.js';

/** What is wrong with a file, or what a plan notes of it. `messages/files.ts` has the sentence of each. */
export type FileCode =
  | `file.${'missing' | 'unreadable' | 'large' | 'encoding' | 'empty' | 'many' | 'quote-open' | 'quote'}`
  | `header.${'values' | 'equal' | 'twice' | 'missing' | 'no-identifier' | 'undecided'}`
  | 'array.unknown'
  | 'dateFormat.field'
  | `columns.${'blank' | 'subscribed' | 'reserved' | 'field'}`
  | `consent.${'needed' | 'unanswered'}`
  | `row.${'long' | 'twice' | 'not-clearable' | 'no-identifier' | 'address' | 'line-break'}`
  | `row.${'quotes' | 'invisible' | 'placeholder' | 'spreadsheet'}`
  | `row.${'two-ways' | 'date-format' | 'date' | 'value' | 'reason'}`
  | `note.${'read' | 'no-mail' | 'skipped' | 'no-identifier' | 'no-consent'}`
  | 'wayOut.copy';

/** A problem or note as data. */
export interface FileProblem {
  readonly code: FileCode;
  /** The header, field or group. */
  readonly subject?: string | undefined;
  /** The value or text of the file; absent where it is not shown. */
  readonly given?: string | undefined;
  readonly expected?: string | undefined;
  readonly names?: readonly string[];
  /** How many rows have it. */
  readonly count?: number;
  /** Texts of a column. */
  readonly texts?: readonly TextCount[];
  /** What is wrong with a value. */
  readonly issue?: ProblemDetails | undefined;
  /** Where it is, such as `line 7`: the first ones. */
  readonly locations?: readonly string[];
}

/** A file that cannot be read to its end as a list. */
export class FileError extends Error {
  override readonly name = 'FileError';

  constructor(readonly problem: FileProblem) {
    super(problem.code);
  }
}

/** How many rows a message names. */
const NAMED = 10;

/** Faults of rows, one for each cause. */
export class RowFaults {
  private readonly causes = new Map<string, FileProblem & { locations: string[]; count: number }>();

  add(location: string, problem: FileProblem): void {
    const { code, subject, expected, issue } = problem;
    const key = [code, subject, expected, issue?.code].join('\n');
    const cause = this.causes.get(key) ?? { ...problem, locations: [], count: 0 };
    this.causes.set(key, cause);
    cause.count += 1;
    if (cause.locations.length < NAMED) cause.locations.push(problem.locations?.[0] ?? location);
  }

  get problems(): readonly FileProblem[] {
    return [...this.causes.values()];
  }
}
