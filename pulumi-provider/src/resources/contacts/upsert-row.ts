import { AudienceError } from 'audience-core';
import { canAddress } from 'audience-core/internal';
import type { CreationEvent } from '../people/creation-event.js';
import { isGiven, notFree } from '../people/identity.js';
import { lookUp, update } from '../people/service-contacts.js';
import { upsertNew } from '../people/upsert-new.js';
import type { Upserted } from '../people/upsert-new.js';
import { changesOf } from '../people/values.js';
import type { Changes } from '../people/values.js';
import type { Run } from '../run.js';
import { ANOTHER_USER_ID } from './match.js';
import type { Match } from './match.js';
import type { DeclaredRow } from './rows.js';
import { unsure } from './state.js';
import type { Entry } from './state.js';
import { IN_BULK, textOfFailure } from './work.js';

/** What became of one row, and what state has of it from now on. */
export interface RowResult {
  readonly kind: 'added' | 'changed' | 'unchanged' | 'gone' | 'nothing' | 'failed';
  readonly entry?: Entry | undefined;
  /** Entries that stay unless another row has them now. */
  readonly keep?: readonly Entry[];
  /** Why it failed: no value of the row is in it. */
  readonly reason?: string;
  /** The service's id, where it told it. */
  readonly id?: string | undefined;
  /** The error of the call that failed. */
  readonly error?: AudienceError;
}

/** Brings the contact of one row to what is declared. */
export async function upsertRow(
  row: DeclaredRow,
  match: Match,
  event: CreationEvent | undefined,
  run: Run,
): Promise<RowResult> {
  if (match.kind === 'refused') return { kind: 'failed', reason: match.reason, keep: match.keep };
  if (match.kind === 'known') return updateKnown(row, match, run);
  return upsertOther(row, match.entry, { event, isKnown: false }, run);
}

async function updateKnown(
  row: DeclaredRow,
  { known, entry, byUserId, values }: Extract<Match, { kind: 'known' }>,
  run: Run,
): Promise<RowResult> {
  const refused = (reason: string): RowResult => ({ kind: 'failed', reason, keep: [known] });
  let changes: Changes = changesOf(values);
  const { email, userId } = row;
  try {
    if (byUserId && email !== undefined && known.email !== entry.email) {
      const holder = await lookUp(run.client, email, IN_BULK);
      if (holder !== undefined && holder.userId !== userId) return refused(notFree('email'));
      if (holder === undefined) changes = { ...changes, email };
    }
    if (!byUserId && email !== undefined && userId !== undefined && known.userId === undefined) {
      const holder = await lookUp(run.client, email, IN_BULK);
      const other = canAddress(userId) ? await lookUp(run.client, userId, IN_BULK) : undefined;
      if (isGiven(holder?.userId) && holder.userId !== userId) return refused(ANOTHER_USER_ID);
      if (other !== undefined && other.id !== holder?.id) return refused(USER_ID_TAKEN);
      if (holder !== undefined && !isGiven(holder.userId)) changes = { ...changes, userId };
    }
    if (Object.keys(changes).length === 0) return { kind: 'unchanged', entry };
    const address = byUserId && canAddress(userId) ? userId : email;
    if (address === undefined) return refused(USER_ID_TAKEN);
    const updated = await update(run.client, address, changes, IN_BULK);
    if (updated !== undefined) return { kind: 'changed', entry, id: updated.id };
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    const after = error.unclear ? { entry: unsure(known, Object.keys(values)) } : { keep: [known] };
    return { kind: 'failed', reason: textOfFailure(error, row), error, ...after };
  }
  // Its other identifier may still lead to the contact. It is never created again.
  if (email !== undefined && userId !== undefined)
    return upsertOther(row, entry, { isKnown: true, known }, run);
  return { kind: 'gone', entry: unsure(entry) };
}

/** How a row is upserted that no entry leads to. */
interface Other {
  readonly event?: CreationEvent | undefined;
  readonly isKnown: boolean;
  readonly known?: Entry;
}

async function upsertOther(
  row: DeclaredRow,
  entry: Entry,
  { event, isKnown, known }: Other,
  run: Run,
): Promise<RowResult> {
  const { email, userId, values } = row;
  const keep = known === undefined ? [] : [known];
  try {
    const upserted = await upsertNew({ identity: { email, userId }, values, event, isKnown }, run, IN_BULK);
    switch (upserted.kind) {
      case 'written':
        return { kind: isKnown ? 'changed' : 'added', entry, id: upserted.id };
      case 'refused':
        return { kind: 'failed', reason: upserted.reason, keep };
      case 'none':
        if (upserted.why === 'known') return { kind: 'gone', entry: unsure(entry) };
        if (values['subscribed'] === false) return { kind: 'nothing' };
        return { kind: 'failed', reason: upserted.why === 'opted out' ? OPTED_OUT : NO_EVENT };
      case 'not shown':
        return notShown(row, entry, upserted);
    }
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    const after = error.unclear ? { entry: unsure(entry) } : { keep };
    return { kind: 'failed', reason: textOfFailure(error, row), error, ...after };
  }
}

/** An unclear event leaves no entry, so that the next run sends it again: within 24 hours it is carried out once. */
function notShown(
  row: DeclaredRow,
  entry: Entry,
  { event, error }: Extract<Upserted, { kind: 'not shown' }>,
): RowResult {
  const failed = error === undefined ? {} : { error };
  const reason = error === undefined ? NOT_SHOWN[event] : textOfFailure(error, row);
  return { kind: 'failed', reason, ...failed, ...(event === 'unclear' ? {} : { entry: unsure(entry) }) };
}

const NOT_SHOWN = {
  sent: "the service does not show the contact that its event creates yet. Run 'pulumi up' again in a minute",
  'sent before':
    'its event was sent in the last 24 hours, but the service does not show the contact. Look there whether it was removed',
  unclear: "its event may have been sent: the service gave no clear response. Run 'pulumi up' again",
} as const;

const NO_EVENT = 'the contact does not exist. Set createWithEvent to create it by an event';
const OPTED_OUT =
  "the contact does not exist, and another resource declares it 'subscribed: false', so no event is sent";
const USER_ID_TAKEN = 'its userId belongs to another contact. Correct it in the list, or in the service';
