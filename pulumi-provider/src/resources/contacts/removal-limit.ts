import { count, digits } from '../words.js';
import { LEAVERS } from '../on-removal.js';
import type { OnRemoval } from '../on-removal.js';
import { nameOfSource } from './records.js';
import type { Inputs } from './inputs.js';

/** How many contacts may leave a list of so many in one run. */
export function mostRemovals(before: number, allowed: number | undefined): number {
  return allowed ?? Math.max(10, Math.ceil(before / 10));
}

/** Contacts that would leave a list in one run. */
interface Leaving {
  readonly leaving: number;
  /** How many the list had. */
  readonly before: number;
  readonly onRemove: OnRemoval;
  /** The list, by its label in the program; a list that leaves as a whole has none any more. */
  readonly label?: string | undefined;
  readonly source: Inputs;
}

/** Why so many must not leave at once; `undefined` where they may. */
export function removalProblem({ leaving, before, onRemove, label, source }: Leaving): string | undefined {
  const most = mostRemovals(before, source.maxRemovals);
  if (leaving <= most) return undefined;
  const list = `${label ?? 'Contacts'} (${nameOfSource(source)})`;
  const contacts = `${digits(leaving)} of the last run's ${count(before, 'contact')}`;
  const limit = `would ${LEAVERS[onRemove]}, and at most ${digits(most)} may leave in one run`;
  return label === undefined
    ? `${list} are no longer declared: ${contacts} ${limit}. Nobody was changed. If that is meant, declare them once more as they were, with maxRemovals: ${leaving}, run 'pulumi up', and then take them out; if not, declare them again, here or in another list: who is declared is left alone.`
    : `${list}: ${contacts} left it and ${limit}. If that is meant, set maxRemovals: ${leaving}; if not, look whether the file was cut off.`;
}
