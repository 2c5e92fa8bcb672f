import { contactsOf, digits } from '../words.js';
import { LEAVERS } from '../on-removal.js';
import type { OnRemoval } from '../on-removal.js';
import { nameOfSource } from './records.js';
import type { Inputs } from './inputs.js';
import type { Outputs } from './state.js';

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
  const contacts = `${digits(leaving)} of the last run's ${contactsOf(before)}`;
  const limit = `would ${LEAVERS[onRemove]}, and at most ${digits(most)} may leave in one run`;
  return label === undefined
    ? `${list} are no longer declared: ${contacts} ${limit}. Nobody was changed. If that is meant, declare them once more as they were, with maxRemovals: ${leaving}, run 'pulumi up', and then take them out; if not, declare them again, here or in another list: who is declared is left alone.`
    : `${list}: ${contacts} left it and ${limit}. If that is meant, set maxRemovals: ${leaving}; if not, look whether the file was cut off.`;
}

/** Contacts that left a list in an earlier run, which could not take what they had to lose. */
interface LeftBefore {
  readonly leaving: number;
  /** How many this run takes already. */
  readonly taken: number;
  /** The copy of the list that had them. */
  readonly outs: Outputs;
  /** How many the list has had last. */
  readonly before: number;
  readonly maxRemovals: number | undefined;
}

/** The same for those of an earlier run, in addition to what this run takes. */
export function pendingRemovalProblem(left: LeftBefore): string | undefined {
  const { leaving, taken, outs, before, maxRemovals } = left;
  const most = mostRemovals(before, maxRemovals);
  if (leaving === 0 || taken + leaving <= most) return undefined;
  const beside = taken === 0 ? '' : ` beside ${digits(taken)} of this run`;
  return `${outs.label} (${nameOfSource(outs)}): ${contactsOf(leaving)} that left it in an earlier run, whose removal did not end, would ${LEAVERS[outs.onRemove ?? 'retain']}${beside}, and at most ${digits(most)} may leave in one run. None of them was changed in this run. If that is meant, set maxRemovals: ${taken + leaving} until it has ended; if not, declare them again: who is declared is left alone.`;
}
