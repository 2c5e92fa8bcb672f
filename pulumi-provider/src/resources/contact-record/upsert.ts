import { createHash } from 'node:crypto';
import { AudienceError } from 'audience-core';
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
  type Identity,
  type KnownContact,
  type Refused,
} from './identity.js';
import { changesOf, effectsOn, joinsOf, type Changes, type Values } from './values.js';

/** Waits before each update of a contact that an event creates, in milliseconds. */
const APPEAR_DELAYS_MS = [0, 100, 300, 1_000, 2_000, 5_000];

export interface Upsert extends KnownContact {
  readonly identity: Identity;
  readonly values: Values;
  /** A contact in state is never created again. */
  readonly isKnown: boolean;
  /** Declared identifiers that are new to state. */
  readonly moved?: readonly string[];
  /** Groups that are joined whatever the contact's record says. */
  readonly rejoins?: readonly string[];
  /** Creates a contact that neither the service nor state has. */
  readonly event?: CreationEvent | undefined;
}

export type Upserted =
  /** `id` is the contact's, where the response has it. */
  | { readonly kind: 'written'; readonly id: string | undefined; readonly notJoined: readonly string[] }
  /** No contact is changed, or the service does not show the contact after its event. */
  | Refused
  /** The contact is gone, or is opted out and does not exist. */
  | { readonly kind: 'nobody' };

/**
 * Writes values to a contact and adds a missing identifier; an event creates a contact that does not exist.
 *
 * @throws AudienceError where a call failed; `unclear` where it may have been carried out.
 */
export async function upsert(wanted: Upsert, run: Run): Promise<Upserted> {
  const { identity, values, isKnown, moved = [], rejoins = [] } = wanted;
  const { email, userId } = identity;
  const joins = joinsOf(values).filter((group) => !rejoins.includes(group));
  const hasBoth = email !== undefined && userId !== undefined;
  const none = async (): Promise<Upserted> => (isKnown ? { kind: 'nobody' } : create(wanted, run));
  const isOpen = wanted.id !== undefined || (isKnown ? moved.length > 0 : hasBoth);
  if (!isOpen && joins.length === 0) {
    const updated = await update(run, addressOf(identity), changesOf(values));
    if (updated !== undefined) return { kind: 'written', id: updated.id, notJoined: [] };
    const isElsewhere = hasBoth || (email !== undefined && email !== sameEmail(email));
    if (!isElsewhere) return none();
  }
  const found = await resolve(identity, run.client, wanted);
  if (found.kind === 'refused') return found;
  if (found.kind === 'found') {
    const notJoined = effectsOn(found.contact, values).notJoined.filter((group) => joins.includes(group));
    const { email: lost, ...lacks } = found.lacks;
    const changes = {
      ...(lost !== undefined && (!isKnown || moved.includes('email')) && { email: lost }),
      ...lacks,
      ...changesOf(values, notJoined),
    };
    if (Object.keys(changes).length === 0) return { kind: 'written', id: found.contact.id, notJoined };
    const updated = await update(run, found.address, changes);
    if (updated !== undefined) return { kind: 'written', id: updated.id ?? found.contact.id, notJoined };
  }
  return none();
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

function addressOf({ email, userId }: Identity): string {
  return canAddress(userId) ? userId : (email ?? '');
}

/** Whether this or an earlier declaration of the run says `subscribed: false`: then no event creates the contact. */
export function isOptedOut(identity: Identity, values: Values, { declarations }: Run): boolean {
  const others = declarations.find(keysOf(identity));
  return [{ values }, ...others].some((one) => one.values['subscribed'] === false);
}

async function create(wanted: Upsert, run: Run): Promise<Upserted> {
  const { identity, values, event } = wanted;
  if (isOptedOut(identity, values, run)) return { kind: 'nobody' };
  if (event === undefined) return refused(problem('contact.missing', {}));
  const created = await run.creations.once(keysOf(identity), () => createNow(identity, values, event, run));
  if (created !== undefined) return created;
  const updated = await upsert({ ...wanted, event: undefined }, run);
  const isMissing = updated.kind === 'refused' && updated.problem.code === 'contact.missing';
  return isMissing ? refused(problem('contact.notShown', {})) : updated;
}

async function createNow(
  identity: Identity,
  values: Values,
  event: CreationEvent,
  run: Run,
): Promise<Upserted> {
  const isSent = await sendEvent(identity, event, run);
  for (const delay of isSent ? APPEAR_DELAYS_MS : [0]) {
    if (delay > 0) await run.host.sleep(delay);
    try {
      const updated = await update(run, addressOf(identity), changesOf(values));
      if (updated !== undefined) return { kind: 'written', id: updated.id, notJoined: [] };
    } catch (error) {
      if (!(error instanceof AudienceError)) throw error;
      return refused(problem('service.failed', { cause: causeOf(error) }), error);
    }
  }
  return refused(problem(isSent ? 'contact.notShown' : 'contact.maybeSent', {}));
}

/** Resolves to whether the event was sent for certain. Its key is made of the event and the person. */
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
