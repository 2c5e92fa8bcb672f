import { createHash } from 'node:crypto';
import { AudienceError } from 'audience-core';
import type { CallOptions } from 'audience-core';
import { canAddress, canonicalJson } from 'audience-core/internal';
import type { Changes } from './fields.js';
import type { CreationEvent } from '../creation-event.js';
import { sameEmail } from '../people.js';
import type { Identity } from '../people.js';
import type { Run } from '../run.js';
import { update } from '../service-contacts.js';

/** Follows the event's name where the service says that the event was sent before, and has no such contact. */
export const SENT_BEFORE =
  'went out to it before, by this run or one of the last 24 hours, and is not sent again so soon, but the service does not show the contact yet: run it again in a minute, and look there whether the event was refused or the contact removed; with other eventProperties it is another event';

/** Waits between looks for a contact that an event creates, in milliseconds. */
const APPEAR_DELAYS_MS = [0, 100, 300, 1_000, 2_000, 5_000];

/** What an upsert came to. */
export type Upserted =
  /** `id` where the service told it. */
  | { readonly done: true; readonly id: string | undefined }
  /** There is no such contact, and this is what is known of the event that creates it. */
  | { readonly done: false; readonly event: CreationEventState };

/** Whether the event was sent: by this run, by one before it (within 24 hours), or perhaps. */
export type CreationEventState = 'none' | 'sent' | 'sent before' | 'unclear';

/**
 * Sets fields of the contact that email or userId name, both of which it then has. Where there is none, it is created
 * by the event, if one is given: the same event goes to the same contact once in 24 hours, whichever run sends it.
 */
export async function upsert(
  identity: Identity,
  event: CreationEvent | undefined,
  fields: Changes,
  { client, host }: Run,
  options: CallOptions = {},
): Promise<Upserted> {
  const set = () => setFields(identity, fields, client, options);
  const found = await set();
  if (found !== undefined) return { done: true, id: found.id };
  if (event === undefined) return { done: false, event: 'none' };
  let sent: CreationEventState = 'sent';
  try {
    const { email, userId } = identity;
    const message = { ...event, ...named({ email: email ?? undefined, userId: userId ?? undefined }) };
    // A run that was cut off, or did not see the contact come, is run again: nobody gets the event twice for it.
    const to = typeof email === 'string' ? sameEmail(email) : userId;
    const idempotencyKey = `pulumi-${createHash('sha256')
      .update(canonicalJson({ ...event, to }))
      .digest('base64url')}`;
    const { deduplicated, attempts } = await client.events.send(message, {
      ...options,
      idempotencyKey,
      ifKeyIsUsed: 'sent-before',
    });
    if (deduplicated && attempts === 1) sent = 'sent before';
  } catch (error) {
    // It may have been carried out: whether the contact is there tells.
    if (!(error instanceof AudienceError) || !error.unclear) throw error;
    sent = 'unclear';
  }
  for (const delay of APPEAR_DELAYS_MS) {
    if (delay > 0) await host.sleep(delay);
    const created = await set();
    if (created !== undefined) return { done: true, id: created.id };
  }
  return { done: false, event: sent };
}

function named({ email, userId }: { email: string | undefined; userId: string | undefined }) {
  return email === undefined ? { userId: userId ?? '' } : { email, userId };
}

async function setFields(
  { email, userId }: Identity,
  fields: Changes,
  client: Run['client'],
  options: CallOptions,
): Promise<{ id: string | undefined } | undefined> {
  if (typeof email === 'string') {
    const changes = typeof userId === 'string' ? { ...fields, userId } : fields;
    const updated = await update(client, email, changes, options);
    if (updated !== undefined) return updated;
  }
  if (!canAddress(userId)) return undefined;
  return update(client, userId, typeof email === 'string' ? { ...fields, email } : fields, options);
}
