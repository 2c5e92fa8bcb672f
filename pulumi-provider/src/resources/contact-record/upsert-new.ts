import { createHash } from 'node:crypto';
import { AudienceError } from 'audience-core';
import type { CallOptions } from 'audience-core';
import { canAddress, canonicalJson } from 'audience-core/internal';
import type { Run } from '../run.js';
import type { CreationEvent } from './creation-event.js';
import { find, isGiven, keysOf, sameEmail } from './identity.js';
import type { Identity, Refused } from './identity.js';
import { lookUp, update } from './service-contacts.js';
import { changesOf } from './values.js';
import type { Changes, Values } from './values.js';

/** Waits before each update of a contact that an event creates, in milliseconds. */
const APPEAR_DELAYS_MS = [0, 100, 300, 1_000, 2_000, 5_000];

export type Upserted =
  /** `id` is the contact's, where the response has it. */
  | { readonly kind: 'written'; readonly id: string | undefined }
  | Refused
  /** The contact does not exist, and is not created. */
  | { readonly kind: 'none'; readonly why: 'no event' | 'known' | 'opted out' }
  /** The service does not show the contact after its event. */
  | { readonly kind: 'not shown'; readonly event: EventState; readonly error?: AudienceError };

/** Whether the event was sent by this run, or by an earlier one within 24 hours. */
export type EventState = 'sent' | 'sent before' | 'unclear';

export interface Upsert {
  readonly identity: Identity;
  readonly values: Values;
  readonly event: CreationEvent | undefined;
  /** A contact in state is never created again. */
  readonly isKnown: boolean;
}

/**
 * Updates a contact and adds a missing identifier; an event creates a contact that does not exist.
 *
 * @throws AudienceError where a call failed; `unclear` where it may have been carried out.
 */
export async function upsertNew(upsert: Upsert, run: Run, options: CallOptions = {}): Promise<Upserted> {
  const { identity, values } = upsert;
  const { client } = run;
  const { email, userId } = identity;
  let changes: Changes = changesOf(values);
  let address = canAddress(userId) ? userId : email;
  if (email !== undefined && userId !== undefined) {
    const found = await find(identity, client, options);
    if (found.kind === 'refused') return found;
    if (found.kind === 'found') {
      const { contact } = found;
      if (!isGiven(contact.email)) changes = { ...changes, email };
      if (!isGiven(contact.userId)) changes = { ...changes, userId };
      if (found.by === 'email') address = email;
    }
  }
  if (address === undefined) throw new Error('A contact has an identifier that leads to it.');
  const updated = await update(client, address, changes, options);
  if (updated !== undefined) return { kind: 'written', id: updated.id };
  return create(upsert, run, options);
}

async function create(
  { identity, values, event, isKnown }: Upsert,
  run: Run,
  options: CallOptions,
): Promise<Upserted> {
  const { client, host } = run;
  const { email, userId } = identity;
  if (isKnown) return { kind: 'none', why: 'known' };
  if (values['subscribed'] === false || isOptedOut(identity, run)) return { kind: 'none', why: 'opted out' };
  if (event === undefined) return { kind: 'none', why: 'no event' };
  const changes = changesOf(values);
  // The service may have the address in lower case only.
  const lower = email === undefined ? undefined : sameEmail(email);
  if (lower !== undefined && lower !== email) {
    const found = await lookUp(client, lower, options);
    if (found !== undefined) {
      if (userId !== undefined && found.userId !== userId)
        return {
          kind: 'refused',
          reason:
            'the service has its email in lower case, with another userId. Write both as they are there',
        };
      const updated = await update(client, lower, changes, options);
      if (updated !== undefined) return { kind: 'written', id: updated.id };
    }
  }
  const sent = await sendEvent(identity, event, run, options);
  const address = canAddress(userId) ? userId : (email ?? '');
  for (const delay of APPEAR_DELAYS_MS) {
    if (delay > 0) await host.sleep(delay);
    try {
      const created = await update(client, address, changes, options);
      if (created !== undefined) return { kind: 'written', id: created.id };
    } catch (error) {
      if (!(error instanceof AudienceError)) throw error;
      return { kind: 'not shown', event: sent, error };
    }
    if (sent === 'unclear') break;
  }
  return { kind: 'not shown', event: sent };
}

/** Whether a resource of this run declares `subscribed: false`. */
function isOptedOut(identity: Identity, { declarations }: Run): boolean {
  return declarations.find(keysOf(identity)).some(({ values }) => values['subscribed'] === false);
}

/** The idempotency key is a hash of the content: a contact gets an event once in 24 hours, from all runs. */
async function sendEvent(
  { email, userId }: Identity,
  event: CreationEvent,
  { client }: Run,
  options: CallOptions,
): Promise<EventState> {
  const to = { email: email === undefined ? undefined : sameEmail(email), userId };
  const hash = createHash('sha256').update(canonicalJson({ ...event, to }));
  const idempotencyKey = `pulumi-${hash.digest('base64url')}`;
  const message =
    email === undefined ? { ...event, userId: userId ?? '' } : { ...event, email, ...(userId && { userId }) };
  try {
    const { deduplicated, attempts } = await client.events.send(message, {
      ...options,
      idempotencyKey,
    });
    return deduplicated && attempts === 1 ? 'sent before' : 'sent';
  } catch (error) {
    // The next update shows whether the event created the contact.
    if (!(error instanceof AudienceError) || !error.unclear) throw error;
    return 'unclear';
  }
}
