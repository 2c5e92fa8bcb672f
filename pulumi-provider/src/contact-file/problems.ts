import { sentenceOf, type FileProblem } from '../messages/files.js';
import { limited } from '../messages/index.js';
import { ResourceError } from '../resources/errors.js';

/** A file that cannot be read as a list. The reading that a format ends with it adds the name of the file. */
export class FileError extends ResourceError {
  constructor(
    readonly problems: readonly FileProblem[],
    source = '',
    wayOut = '',
  ) {
    const lines = limited(problems.map((problem) => sentenceOf(source, problem)));
    super([...lines, wayOut].filter(Boolean).join('\n'));
  }
}

/** How many rows a message names; `check --rejects` writes all of them. */
const NAMED = 10;

/** Faults of rows, one for each cause. */
export class RowFaults {
  private readonly causes = new Map<string, FileProblem & { locations: string[]; count: number }>();

  add(location: string, problem: FileProblem): void {
    const key = [problem.code, problem.subject, problem.expected].join('\n');
    const cause = this.causes.get(key) ?? { ...problem, locations: [], count: 0 };
    this.causes.set(key, cause);
    cause.count += 1;
    if (cause.locations.length < NAMED) cause.locations.push(location);
  }

  get problems(): readonly FileProblem[] {
    return [...this.causes.values()];
  }
}
