import { ResourceError } from '../../errors.js';

/** How many rows a message names, and how many causes are listed. */
const NAMED = 5;

interface Cause {
  readonly field: string;
  readonly reason: string;
  /** The first wrong value, in quotes; empty where it is not shown. */
  readonly value: string;
  readonly locations: string[];
  count: number;
}

/** Faults of rows, one message for each cause. */
export class Faults {
  private readonly causes = new Map<string, Cause>();

  /** `field` is empty for the row as a whole; `reason` completes a sentence that begins with the value. */
  add(location: string, field: string, reason: string, value = ''): void {
    const key = `${field} ${reason}`;
    const cause = this.causes.get(key) ?? { field, reason, value, locations: [], count: 0 };
    this.causes.set(key, cause);
    cause.count += 1;
    if (cause.locations.length < NAMED) cause.locations.push(location);
  }

  messages(source: string): string[] {
    const all = [...this.causes.values()].map(({ field, reason, value, locations, count }) => {
      const [first = '', ...others] = locations;
      const subject = field === '' ? first : `${first}: ${field}`;
      const more = count > NAMED ? ` and ${count - NAMED} more` : '';
      const same = others.length === 0 ? '' : ` The same in ${locationsOf(others)}${more}.`;
      return `${source}, ${[subject, value, endedWith(reason)].filter((part) => part !== '').join(' ')}${same}`;
    });
    const rest = all.length - NAMED;
    return rest > 0 ? [...all.slice(0, NAMED), `${source}: ${rest} more kinds of faults.`] : all;
  }
}

/** Throws the problems of a source as one ResourceError. */
export function assertNone(source: string, problems: readonly string[]): void {
  const messages = problems.map((problem) => `${source}: ${endedWith(problem)}`);
  if (messages.length > 0) throw new ResourceError(messages.join('\n'));
}

function endedWith(sentence: string): string {
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}

function locationsOf(locations: readonly string[]): string {
  const lines = locations.map((location) => /^line (\d+)$/.exec(location)?.[1]);
  const isLines = lines.every((line) => line !== undefined) && lines.length > 1;
  return isLines ? `lines ${lines.join(', ')}` : locations.join(', ');
}
