import { createHash } from 'node:crypto';
import { AudienceError, type CallOptions } from 'audience-core';
import { canAddress, canonicalJson } from 'audience-core/internal';
import { problem } from '../../messages/index.js';
import { causeOf } from '../errors.js';
import type { Run } from '../run.js';
import type { CreationEvent } from './fields.js';
import {
  keysOf,
  lookUp,
  orNobody,
  refused,
  resolve,
  sameEmail,
  type Found,
  type Identity,
  type KnownContact,
  type Refused,
  type Resolved,
} from './identity.js';
import { changesOf, effectsOn, joinsOf, type Changes, type Values } from './values.js';

/** Waits before each update of a contact that an event creates, in milliseconds. */
const APPEAR_DELAYS_MS = [0, 100, 300, 1_000, 2_000, 5_000];

export interface Upsert extends KnownContact {
  readonly identity: Identity;
  readonly values: Values;
  /** A contact in state is never created again. */
  readonly isKnown: boolean;
  /** Creates a contact that neither the service nor state has. */
  readonly event?: CreationEvent | undefined;
}

export type Upserted =
  | {
      readonly kind: 'written';
      /** The contact's, where a response has it. */
      readonly id: string | undefined;
      readonly notJoined: readonly string[];
    }
  /** No contact is changed, or the service does not show the contact after its event. */
  | Refused
  /** The contact is gone, or is opted out and does not exist. */
  | { readonly kind: 'nobody' };

/**
 * Writes values to a contact and adds a missing identifier; an event creates a contact that does not exist.
 *
 * @throws AudienceError where a call failed; `unclear` where it may have succeeded.
 */
export async function upsert(wanted: Upsert, run: Run): Promise<Upserted> {
  const { identity, values, isKnown, event } = wanted;
  const written = await write(wanted, run);
  if (written.kind !== 'nobody' || isKnown || isOptedOut(identity, values, run)) return written;
  if (event === undefined) return refused(problem('contact.missing', {}));
  const created = await run.creations.once(keysOf(identity), () => create(wanted, event, run));
  if (created !== undefined) return created;
  const after = await write(wanted, run);
  return after.kind === 'nobody' ? refused(problem('contact.notShown', {})) : after;
}

/** Updates a contact that exists. It reads first where it joins a group, or where two identifiers may be two contacts. */
async function write(wanted: Upsert, run: Run): Promise<Upserted> {
  const { identity, values } = wanted;
  const address = directAddress(wanted);
  if (address !== undefined) {
    const updated = await update(run, address, changesOf(values));
    if (updated !== undefined) return { kind: 'written', id: updated.id, notJoined: [] };
    if (!isElsewhere(identity)) return { kind: 'nobody' };
  }
  const found = await resolve(identity, run.client, wanted);
  return found.kind === 'found' ? writeTo(found, wanted, run) : found;
}

/** Finds the contact that `upsert` writes to. */
export async function find(wanted: Upsert, { client }: Run, options: CallOptions): Promise<Resolved> {
  const { identity } = wanted;
  const address = directAddress(wanted);
  const contact = address === undefined ? undefined : await lookUp(client, address, options);
  if (address !== undefined && contact !== undefined) return { kind: 'found', contact, address, lacks: {} };
  const isAsked = address === undefined || isElsewhere(identity);
  return isAsked ? resolve(identity, client, wanted, options) : { kind: 'nobody' };
}

/** The identifier that is enough; `undefined` where the contact is read first. */
function directAddress({ identity, values, id, isKnown, moved = [] }: Upsert): string | undefined {
  const { email, userId } = identity;
  const isOpen = isKnown ? moved.length > 0 : email !== undefined && userId !== undefined;
  const isAsked = id !== undefined || isOpen || joinsOf(values).length > 0;
  return isAsked ? undefined : canAddress(userId) ? userId : (email ?? '');
}

/** Whether another identifier, or another spelling, may lead to the contact. */
function isElsewhere({ email, userId }: Identity): boolean {
  return email !== undefined && (userId !== undefined || email !== sameEmail(email));
}

async function writeTo(found: Found, wanted: Upsert, run: Run): Promise<Upserted> {
  const { values, isKnown, moved = [] } = wanted;
  const { contact, address, lacks } = found;
  const { email, ...others } = lacks;
  const identifiers = {
    ...(email !== undefined && (!isKnown || moved.includes('email')) && { email }),
    ...others,
  };
  const { notJoined } = effectsOn(contact, values);
  const changes = { ...identifiers, ...changesOf(values, notJoined) };
  const written = { kind: 'written', id: contact.id, notJoined } as const;
  if (Object.keys(changes).length === 0) return written;
  const updated = await update(run, address, changes);
  if (updated !== undefined) return { ...written, id: updated.id ?? contact.id };
  // It was there a moment ago: no event creates it.
  return isKnown ? { kind: 'nobody' } : refused(problem('contact.vanished', {}));
}

/** Updates a contact; its id, where the response has it, or `undefined` when the contact does not exist. */
async function update(
  { client }: Run,
  identifier: string,
  changes: Changes,
): Promise<{ readonly id?: string | undefined } | undefined> {
  if (Object.keys(changes).length === 0) return lookUp(client, identifier);
  return orNobody(client.contacts.update(identifier, changes));
}

/** Whether this or an earlier declaration of the run says `subscribed: false`: then no event creates the contact. */
export function isOptedOut(identity: Identity, values: Values, { declarations }: Run): boolean {
  const others = declarations.find(keysOf(identity));
  return [{ values }, ...others].some((one) => one.values['subscribed'] === false);
}

/** An event also updates: the contact may have been there and have left, so a join reads again. */
async function create(wanted: Upsert, event: CreationEvent, run: Run): Promise<Upserted> {
  const isSent = await sendEvent(wanted.identity, event, run);
  for (const delay of isSent ? APPEAR_DELAYS_MS : [0]) {
    if (delay > 0) await run.host.sleep(delay);
    try {
      const written = await write(wanted, run);
      if (written.kind !== 'nobody') return written;
    } catch (error) {
      if (!(error instanceof AudienceError)) throw error;
      return refused(problem('service.failed', { cause: causeOf(error) }), error);
    }
  }
  return refused(problem(isSent ? 'contact.notShown' : 'contact.maybeSent', {}));
}

/** Resolves to whether the event was sent for certain. Its key is made of the event and the contact. */
async function sendEvent(
  { email, userId }: Identity,
  event: CreationEvent,
  { client }: Run,
): Promise<boolean> {
  const to = email === undefined ? { userId } : { email: sameEmail(email) };
  const hash = createHash('sha256').update(canonicalJson({ ...event, to }));
  const message =
    email === undefined ? { ...event, userId: userId ?? '' } : { ...event, email, ...(userId && { userId }) };
  try {
    await client.events.send(message, { idempotencyKey: `pulumi-${hash.digest('base64url')}` });
    return true;
  } catch (error) {
    // The next update shows whether the event created the contact.
    if (!(error instanceof AudienceError) || !error.unclear) throw error;
    return false;
  }
}
