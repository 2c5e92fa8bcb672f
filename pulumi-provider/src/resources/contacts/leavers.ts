import { chunks, HASH_LENGTH } from './ledger.js';
import type { LedgerEntry } from './ledger.js';

/** Of how many replacements it is kept who left: removals that failed are tried again by every run. */
const KEPT_REPLACEMENTS = 20;

/** What a list keeps of who left at its replacements, with those of another one. */
export function withLeaving(left: readonly string[] | undefined, leaving: readonly LedgerEntry[]): string[] {
  return [...(left ?? []), leaving.map(({ keys }) => keys.join('')).join(' ')].slice(-KEPT_REPLACEMENTS);
}

/**
 * Whether somebody left at a replacement and was not declared since; `undefined` where that is not known.
 *
 * @param ago how many replacements it is ago: 1 for the last one.
 */
export function leftAgo(
  left: readonly string[] = [],
  ago: number,
): ((entry: LedgerEntry) => boolean) | undefined {
  if (ago < 1 || ago > left.length) return undefined;
  const [then = new Map<string, string[]>(), ...since] = left.slice(-ago).map(byKeyOf);
  const isIn = (people: ReadonlyMap<string, string[]>, { keys }: LedgerEntry): boolean =>
    keys.some((key) => isSamePerson(keys, people.get(key) ?? []));
  return (entry) => isIn(then, entry) && !since.some((people) => isIn(people, entry));
}

function byKeyOf(left: string): Map<string, string[]> {
  const people = left.split(' ').map((joined) => chunks(joined, HASH_LENGTH));
  return new Map(people.flatMap((keys) => keys.map((key): [string, string[]] => [key, keys])));
}

/** Who shares a key is the same person, unless both have a userId, and not the same one. */
function isSamePerson(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.some((key) => other.includes(key)) && (one.length < 2 || other.length < 2 || one[1] === other[1])
  );
}
