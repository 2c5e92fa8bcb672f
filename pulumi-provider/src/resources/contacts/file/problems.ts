import { FILE_MESSAGES, type FileCode, type FileFacts } from '../../../file-messages.js';
import { fill } from '../../../messages.js';
import { ResourceError } from '../../errors.js';

/** What is wrong with a file, as data. The catalogue has the sentence of each code. */
export interface FileProblem extends FileFacts {
  readonly code: FileCode;
  /** Where it is, such as `line 7`: the first ones. */
  readonly locations?: readonly string[];
}

const SHOWN = 7;

/** A file that cannot be read as a list. The reading that a format ends with it adds the name of the file. */
export class FileError extends ResourceError {
  constructor(
    readonly problems: readonly FileProblem[],
    source = '',
    wayOut = '',
  ) {
    const rest = problems.length - SHOWN;
    const lines = problems.slice(0, SHOWN).map((problem) => sentenceOf(source, problem));
    if (rest > 0) lines.push(`${source}: ${rest} more kinds of faults.`);
    super([...lines, wayOut].filter(Boolean).join('\n'));
  }
}

/** `'people.csv', line 7: email 'N/A' is a placeholder. …` */
export function sentenceOf(source: string, problem: FileProblem): string {
  const { code, subject, given, locations = [], count = locations.length } = problem;
  const message: string | ((facts: FileFacts) => string) = FILE_MESSAGES[code];
  const text = typeof message === 'string' ? fill(message, problem) : message(problem);
  const [first, ...others] = locations;
  if (first === undefined) return `${source}: ${text}`;
  const value = given === undefined ? '' : `'${given}' `;
  const lead = subject === undefined ? `${first} ` : `${first}: ${subject} ${value}`;
  const rest = count - locations.length;
  const more = rest > 0 ? ` and ${rest.toLocaleString('en')} more` : '';
  return `${source}, ${lead}${text}${others.length > 0 ? ` The same in ${others.join(', ')}${more}.` : ''}`;
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
