import { AudienceError } from 'audience-core';
import { problem } from '../../messages.js';
import type { Problem } from '../../messages.js';
import { causeOf } from '../cause.js';
import type { CreationEvent } from '../contact-record/creation-event.js';
import { upsert } from '../contact-record/upsert.js';
import { groupName } from '../contact-record/values.js';
import type { Run } from '../run.js';
import type { Match } from './match.js';
import type { DeclaredRow } from './declared-rows.js';
import { NOT_JOINED, unsure } from './state.js';
import type { Entry } from './state.js';
import { IN_BULK } from './work.js';

/** The result of one row, and its entry in state. */
export interface RowResult {
  readonly kind: 'added' | 'changed' | 'unchanged' | 'gone' | 'nothing' | 'failed';
  readonly entry?: Entry | undefined;
  /** Entries that state keeps, unless another row has their identifiers now. */
  readonly keep?: readonly Entry[];
  /** Why it failed. It has no value of the row. */
  readonly problem?: Problem;
  readonly id?: string | undefined;
  readonly error?: AudienceError | undefined;
  /** Declared groups that the contact may have left. */
  readonly notJoined?: readonly string[];
}

/** Writes what a row declares to its contact. */
export async function upsertRow(
  row: DeclaredRow,
  match: Match,
  event: CreationEvent | undefined,
  run: Run,
): Promise<RowResult> {
  const { keep } = match;
  if (match.kind === 'refused') return { kind: 'failed', problem: match.problem, keep };
  const { email, userId } = row;
  const { entry } = match;
  const known = match.kind === 'known' ? match.known : undefined;
  const values = match.kind === 'known' ? match.values : row.values;
  const hasNewEmail = entry.email !== undefined && entry.email !== known?.email;
  const isMoved = hasNewEmail || (entry.userId !== undefined && entry.userId !== known?.userId);
  if (known !== undefined && Object.keys(values).length === 0 && !isMoved)
    return { kind: 'unchanged', entry };
  const wanted = {
    identity: { email, userId },
    ...{ values, event, hasNewEmail, isKnown: known !== undefined, isMoved: known !== undefined && isMoved },
    hasUserId: known?.userId !== undefined && known.userId === entry.userId,
    rejoins: match.kind === 'known' ? match.rejoins : [],
  };
  const failed = (why: Problem, more: Partial<RowResult> = { keep }): RowResult => ({
    ...{ kind: 'failed', problem: why },
    ...more,
  });
  const failedBy = (error: AudienceError, after: Entry | undefined): RowResult => {
    const cause = causeOf(error, [email, userId, ...Object.values(row.values)]);
    return failed(problem('row.failed', { cause }), {
      error,
      ...(error.unclear ? { entry: after } : { keep }),
    });
  };
  try {
    const upserted = await upsert(wanted, run, IN_BULK);
    switch (upserted.kind) {
      case 'written': {
        const { id, notJoined } = upserted;
        const written = joined(entry, notJoined);
        return { kind: known === undefined ? 'added' : 'changed', entry: written, id, notJoined };
      }
      case 'refused':
        return failed(upserted.problem);
      case 'nobody':
        if (known !== undefined) return { kind: 'gone', entry: { ...known, isGone: true } };
        return upserted.why === 'opted out' ? { kind: 'nothing' } : failed(problem('row.missing', {}));
      case 'not shown':
        // Without an entry the next run looks for the contact anew.
        return upserted.error === undefined
          ? failed(problem(upserted.isSent ? 'row.sentNotShown' : 'row.maybeSent', {}), {})
          : { ...failedBy(upserted.error, undefined), keep: [] };
    }
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    return failedBy(error, unsure(known ?? entry, Object.keys(values)));
  }
}

/** The entry of a contact that is there, with a mark for each group that it may have left. */
function joined({ isGone: _, ...entry }: Entry, notJoined: readonly string[]): Entry {
  const values = new Map(entry.values);
  for (const group of notJoined) values.set(groupName(group), NOT_JOINED);
  return { ...entry, values };
}
