import { AudienceError } from 'audience-core';
import { canAddress } from 'audience-core/internal';
import type { CreationEvent } from '../contact-record/creation-event.js';
import { isGiven, notFree } from '../contact-record/identity.js';
import { lookUp, update } from '../contact-record/service-contacts.js';
import { upsertNew } from '../contact-record/upsert-new.js';
import { changesOf } from '../contact-record/values.js';
import type { Changes } from '../contact-record/values.js';
import type { Run } from '../run.js';
import { ANOTHER_USER_ID } from './match.js';
import type { Match } from './match.js';
import type { DeclaredRow } from './file/read.js';
import { unsure } from './state.js';
import type { Entry } from './state.js';
import { IN_BULK, textOfFailure } from './work.js';

/** The result of one row, and its entry in state. */
export interface RowResult {
  readonly kind: 'added' | 'changed' | 'unchanged' | 'gone' | 'nothing' | 'failed';
  readonly entry?: Entry | undefined;
  /** Entries that state keeps, unless another row has their identifiers now. */
  readonly keep?: readonly Entry[];
  /** Why it failed. It has no value of the row. */
  readonly reason?: string;
  readonly id?: string | undefined;
  readonly error?: AudienceError | undefined;
}

/** Writes what a row declares to its contact. */
export async function upsertRow(
  row: DeclaredRow,
  match: Match,
  event: CreationEvent | undefined,
  run: Run,
): Promise<RowResult> {
  if (match.kind === 'refused') return { kind: 'failed', reason: match.reason, keep: match.keep };
  return match.kind === 'known' ? updateKnown(row, match, run) : upsertOther(row, match, event, run);
}

async function updateKnown(
  row: DeclaredRow,
  match: Extract<Match, { kind: 'known' }>,
  run: Run,
): Promise<RowResult> {
  const { known, entry, byUserId, values, keep } = match;
  const refused = (reason: string): RowResult => ({ kind: 'failed', reason, keep });
  let changes: Changes = changesOf(values);
  const { email, userId } = row;
  try {
    if (byUserId && email !== undefined && known.email !== entry.email) {
      const owner = await lookUp(run.client, email, IN_BULK);
      if (owner !== undefined && owner.userId !== userId) return refused(notFree('email'));
      if (owner === undefined) changes = { ...changes, email };
    }
    if (!byUserId && email !== undefined && userId !== undefined && known.userId === undefined) {
      const current = await lookUp(run.client, email, IN_BULK);
      const other = canAddress(userId) ? await lookUp(run.client, userId, IN_BULK) : undefined;
      if (isGiven(current?.userId) && current.userId !== userId) return refused(ANOTHER_USER_ID);
      if (other !== undefined && other.id !== current?.id) return refused(OTHER_CONTACT);
      if (current !== undefined && !isGiven(current.userId)) changes = { ...changes, userId };
    }
    if (Object.keys(changes).length === 0) return { kind: 'unchanged', entry };
    const address = byUserId && canAddress(userId) ? userId : email;
    if (address === undefined) return refused(OTHER_CONTACT);
    const updated = await update(run.client, address, changes, IN_BULK);
    if (updated !== undefined) return { kind: 'changed', entry, id: updated.id };
  } catch (error) {
    return failed(error, row, unsure(known, Object.keys(values)), keep);
  }
  // The contact may still have the other identifier. It is never created again.
  if (email !== undefined && userId !== undefined) return upsertOther(row, match, undefined, run);
  return { kind: 'gone', entry: unsure(entry) };
}

/** Finds the contact by both identifiers; only a new one is created. */
async function upsertOther(
  row: DeclaredRow,
  { kind, entry, keep }: Exclude<Match, { kind: 'refused' }>,
  event: CreationEvent | undefined,
  run: Run,
): Promise<RowResult> {
  const { email, userId, values } = row;
  const isKnown = kind === 'known';
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
      case 'not shown': {
        // Without an entry, the next run sends an unclear event again. Its idempotency key prevents a second one.
        const after = upserted.event === 'unclear' ? undefined : unsure(entry);
        const { error } = upserted;
        const reason = error === undefined ? NOT_SHOWN[upserted.event] : textOfFailure(error, row);
        return { kind: 'failed', reason, error, entry: after };
      }
    }
  } catch (error) {
    return failed(error, row, unsure(entry), keep);
  }
}

function failed(error: unknown, row: DeclaredRow, unclear: Entry, keep: readonly Entry[]): RowResult {
  if (!(error instanceof AudienceError)) throw error;
  const after = error.unclear ? { entry: unclear } : { keep };
  return { kind: 'failed', reason: textOfFailure(error, row), error, ...after };
}

const NOT_SHOWN = {
  sent: "the service does not show the contact that its event creates yet. Run 'pulumi up' again in a minute",
  'sent before':
    'its event was sent in the last 24 hours, but the service does not show the contact. Check there whether it was removed',
  unclear: "its event may have been sent: the service gave no clear response. Run 'pulumi up' again",
} as const;

const NO_EVENT = 'the contact does not exist. Set createWithEvent to create it by an event';
const OPTED_OUT =
  "the contact does not exist, and another resource declares it 'subscribed: false', so no event is sent";
const OTHER_CONTACT = 'its userId belongs to another contact. Correct it in the list, or in the service';
