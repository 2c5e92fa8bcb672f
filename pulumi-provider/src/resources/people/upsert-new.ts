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

/** Waits between looks for a contact that an event creates, in milliseconds. */
const APPEAR_DELAYS_MS = [0, 100, 300, 1_000, 2_000, 5_000];

/** What the upsert of a contact came to. */
export type Upserted =
  /** It has the values; `id` where the service told it. */
  | { readonly kind: 'written'; readonly id: string | undefined }
  /** Nobody was changed. */
  | Refused
  /** There is no such contact, and nothing creates it. */
  | { readonly kind: 'none'; readonly why: 'no event' | 'known' | 'opted out' }
  /** Its event was sent, by this run or an earlier one, or perhaps; the service does not show it yet. */
  | { readonly kind: 'not shown'; readonly event: EventState; readonly error?: AudienceError };

/** Whether the event was sent: by this run, by an earlier one (within 24 hours), or perhaps. */
export type EventState = 'sent' | 'sent before' | 'unclear';

/** A contact to upsert. */
export interface Upsert {
  readonly identity: Identity;
  readonly values: Values;
  /** The event that creates it. */
  readonly event: CreationEvent | undefined;
  /** Whether state knows it: then it is never created again. */
  readonly isKnown: boolean;
}

/**
 * Sets values of the contact that email or userId name; a missing identifier is added. Where there is no contact, an
 * event creates it.
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
  // A service that minds the case of an address may have the contact in lower case.
  const lower = email === undefined ? undefined : sameEmail(email);
  if (lower !== undefined && lower !== email) {
    const found = await lookUp(client, lower, options);
    if (found !== undefined) {
      if (userId !== undefined && found.userId !== userId)
        return {
          kind: 'refused',
          reason:
            'the service has its address in lower case, with another userId. Write both as they are there',
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

/** Whether a resource of this run has declared the contact `subscribed: false`. */
function isOptedOut(identity: Identity, { declarations }: Run): boolean {
  return declarations.find(keysOf(identity)).some(({ values }) => values['subscribed'] === false);
}

/** The key is made of the content: the same event goes to the same contact once in 24 hours, whichever run sends it. */
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
      ifKeyIsUsed: 'sent-before',
    });
    return deduplicated && attempts === 1 ? 'sent before' : 'sent';
  } catch (error) {
    // The event may have been carried out: whether the contact shows tells.
    if (!(error instanceof AudienceError) || !error.unclear) throw error;
    return 'unclear';
  }
}
