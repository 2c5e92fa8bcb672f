import { createHash } from 'node:crypto';
import { AudienceError, ConflictError, type CallOptions } from 'audience-core';
import { canAddress, canonicalJson } from 'audience-core/internal';
import { problem, type Problem } from '../../messages/index.js';
import type { NotCreated } from '../creations.js';
import { causeOf } from '../errors.js';
import type { Run } from '../run.js';
import type { CreationEvent } from './fields.js';
import {
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

/** What is written to one contact. */
export interface Upsert extends KnownContact {
  readonly identity: Identity;
  readonly values: Values;
  /** A contact in state is never created again. */
  readonly isKnown: boolean;
  /** Creates a contact that neither the service nor state has. */
  readonly event?: CreationEvent | undefined;
  /** The declaration, for messages: `line 7 of Contacts 'customers'`. */
  readonly where: string;
}

export type Upserted =
  | {
      readonly kind: 'written';
      /** The contact's, where a response has it. */
      readonly id: string | undefined;
      readonly notJoined: readonly string[];
    }
  /** No contact is changed. */
  | Refused
  /** The contact does not exist, and this declaration creates nobody: it says "no mail", or has no event. */
  | { readonly kind: 'nobody' }
  /** The contact does not exist, and is not created. */
  | NotCreated
  | CallFailed;

/** A request failed. */
export interface CallFailed {
  readonly kind: 'failed';
  /** The reason, without a value of the contact. */
  readonly problem: Problem;
  readonly error: AudienceError;
  /** Whether the event was sent before: then the contact is known from now on. */
  readonly isCreated: boolean;
}

/** What is known of a contact before it is written. `created`: the service had no such contact before this run's event. */
type Situation = 'known' | 'new' | 'created';

/** Writes values to a contact and adds a missing identifier; an event creates a contact that does not exist. */
export async function upsert(wanted: Upsert, run: Run): Promise<Upserted> {
  const { values, isKnown, event } = wanted;
  const written = await write(wanted, isKnown ? 'known' : 'new', run);
  if (written.kind !== 'nobody') return written;
  if (isKnown) return { kind: 'gone' };
  if (event === undefined || values['subscribed'] === false) return written;
  return create(wanted, event, run);
}

type Written = Extract<Upserted, { kind: 'written' | 'refused' | 'nobody' | 'failed' }>;

/** Updates a contact that exists. */
async function write(wanted: Upsert, situation: Situation, run: Run): Promise<Written> {
  try {
    return await findAndUpdate(wanted, situation, run);
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    const cause = causeOf(error, valuesIn(wanted));
    const isCreated = situation === 'created';
    return { kind: 'failed', problem: problem('service.failed', { cause }), error, isCreated };
  }
}

/** What a message must not show. */
function valuesIn({ identity: { email, userId }, values, event }: Upsert): readonly unknown[] {
  return [email, userId, ...Object.values(values), ...Object.values(event?.eventProperties ?? {})];
}

async function findAndUpdate(wanted: Upsert, situation: Situation, run: Run): Promise<Written> {
  const { identity, values } = wanted;
  const address = directAddress(wanted, situation);
  if (address !== undefined) {
    const updated = await update(run, address, changesOf(values));
    if (updated !== undefined) return { kind: 'written', id: updated.id, notJoined: [] };
    if (!isElsewhere(identity)) return { kind: 'nobody' };
  }
  const found = await resolve(identity, run.client, wanted);
  return found.kind === 'found' ? writeTo(found, wanted, situation, run) : found;
}

/** Finds the contact that `upsert` writes to. */
export async function find(wanted: Upsert, { client }: Run, options: CallOptions): Promise<Resolved> {
  const { identity, isKnown } = wanted;
  const address = directAddress(wanted, isKnown ? 'known' : 'new');
  const contact = address === undefined ? undefined : await lookUp(client, address, options);
  if (address !== undefined && contact !== undefined) return { kind: 'found', contact, address, lacks: {} };
  const isAsked = address === undefined || isElsewhere(identity);
  return isAsked ? resolve(identity, client, wanted, options) : { kind: 'nobody' };
}

/** The identifier that is enough; `undefined` where the contact is read first. */
function directAddress(
  { identity: { email, userId }, values, id, moved = [] }: Upsert,
  situation: Situation,
): string | undefined {
  const hasTwo = email !== undefined && userId !== undefined;
  // State knows that both identifiers are the contact's, unless one has changed.
  const isOpen = situation === 'known' ? id !== undefined || moved.length > 0 : hasTwo;
  const mayHaveLeft = situation !== 'created' && joinsOf(values).length > 0;
  if (isOpen || mayHaveLeft) return undefined;
  return canAddress(userId) ? userId : (email ?? '');
}

/** Whether another identifier, or another spelling, may lead to the contact. */
function isElsewhere({ email, userId }: Identity): boolean {
  return email !== undefined && (userId !== undefined || email !== sameEmail(email));
}

async function writeTo(found: Found, wanted: Upsert, situation: Situation, run: Run): Promise<Written> {
  const { values, moved = [] } = wanted;
  const { contact, address, lacks } = found;
  const { email, ...others } = lacks;
  const isKnown = situation === 'known';
  const identifiers = {
    ...(email !== undefined && (!isKnown || moved.includes('email')) && { email }),
    ...others,
  };
  // Whom this run created has left nothing.
  const notJoined = situation === 'created' ? [] : effectsOn(contact, values).notJoined;
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

/** Sends the event, unless the run knows a reason not to, and writes the contact once the service shows it. */
async function create(wanted: Upsert, event: CreationEvent, run: Run): Promise<Upserted> {
  const { identity, where } = wanted;
  const end = await run.creations.create({ identity, where }, () => sendEvent(wanted, event, run));
  if (end !== undefined && end.kind !== 'sent') return end;
  for (const delay of APPEAR_DELAYS_MS) {
    if (delay > 0) await run.host.sleep(delay);
    const written = await write(wanted, 'created', run);
    if (written.kind !== 'nobody') return written;
  }
  return refused(problem('contact.notShown', {}));
}

/** Its key is made of the event and the contact: a later run sends the same request. @returns how it failed. */
async function sendEvent(
  wanted: Upsert,
  event: CreationEvent,
  { client }: Run,
): Promise<CallFailed | undefined> {
  const { email, userId } = wanted.identity;
  const to = email === undefined ? { userId } : { email: sameEmail(email) };
  const hash = createHash('sha256').update(canonicalJson({ ...event, to }));
  const message =
    email === undefined ? { ...event, userId: userId ?? '' } : { ...event, email, ...(userId && { userId }) };
  const idempotencyKey = `pulumi-${hash.digest('base64url')}`;
  try {
    await client.events.send(message, { idempotencyKey, earlierRequest: false });
    return undefined;
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    const cause = causeOf(error, valuesIn(wanted));
    return { kind: 'failed', problem: problem(codeOf(error), { cause }), error, isCreated: false };
  }
}

function codeOf(error: AudienceError): 'event.conflict' | 'event.unclear' | 'event.notSent' {
  if (error instanceof ConflictError) return 'event.conflict';
  return error.unclear ? 'event.unclear' : 'event.notSent';
}
