import { canAddress } from 'audience-core/internal';
import type { AudienceApi } from 'audience-core/internal';
import type { CallOptions, Contact } from 'audience-core';
import { lookUp } from './service-contacts.js';
import type { Values } from './values.js';

/** The identifiers that a program declares of a contact: one of them, or both. */
export interface Identity {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/** What a contact of the service is known by. */
interface Known {
  readonly id?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

/** What a search by both identifiers came to. */
export type Found =
  | { readonly kind: 'found'; readonly contact: Contact; readonly by: 'userId' | 'email' }
  | { readonly kind: 'none' }
  | Refused;

/** Why nobody is changed. */
export interface Refused {
  readonly kind: 'refused';
  /** Holds no identifier of anybody, but the service's ids. */
  readonly reason: string;
  /** The identifiers, for messages that may name the contact. */
  readonly detail?: string;
}

/** Whether there is a text. */
export function isGiven(text: string | null | undefined): text is string {
  return typeof text === 'string' && text !== '';
}

/** An email address as it is compared: the service ignores its case. */
export function sameEmail(email: string): string {
  return email.toLowerCase();
}

/** Whether a value is that address, in whatever case. */
export function isEmail(value: unknown, email: string): boolean {
  return typeof value === 'string' && sameEmail(value) === sameEmail(email);
}

/** What is declared of a contact, by flat name with its identifiers, as it is compared. */
export function comparable({ email, userId }: Identity, values: Values): Values {
  return {
    ...(email === undefined ? {} : { email: sameEmail(email) }),
    ...(userId === undefined ? {} : { userId }),
    ...values,
  };
}

/**
 * Keys under which two declarations of one contact meet; `id` is the service's own. Large lists share the text of most
 * identifiers with their keys.
 */
export function keysOf({ id, email, userId }: Known): string[] {
  const keys: string[] = [];
  if (isGiven(email)) keys.push(sameEmail(email));
  if (isGiven(userId)) keys.push(/[@\s]/.test(userId) ? `userId ${userId}` : userId);
  if (isGiven(id)) keys.push(`id ${id}`);
  return keys;
}

/** The contact for messages: `'ada@example.com' (userId 'user-1')`. */
export function nameOf({ email, userId }: Known): string {
  if (typeof email !== 'string') return `'${userId ?? ''}'`;
  return typeof userId === 'string' ? `'${email}' (userId '${userId}')` : `'${email}'`;
}

/**
 * Looks for a contact by userId, then by email. Where the two lead to two contacts, or to one with another email or
 * userId, the search is refused: nobody may be changed.
 */
export async function find(
  { email, userId }: Identity,
  client: AudienceApi,
  options?: CallOptions,
): Promise<Found> {
  const byUserId = canAddress(userId) ? await lookUp(client, userId, options) : undefined;
  const isWhole = email === undefined || (byUserId !== undefined && isEmail(byUserId.email, email));
  const byEmail = isWhole ? undefined : await lookUp(client, email, options);
  if (byUserId !== undefined && byEmail !== undefined && byUserId.id !== byEmail.id) {
    return {
      kind: 'refused',
      reason: `its email and userId belong to two contacts of the service (ids ${byEmail.id} and ${byUserId.id}). Declare one of them, or correct the wrong identifier`,
    };
  }
  const contact = byUserId ?? byEmail;
  if (contact === undefined) return { kind: 'none' };
  const by = byUserId === undefined ? 'email' : 'userId';
  const refused = otherIdentifier('userId', contact, userId) ?? otherIdentifier('email', contact, email);
  return refused ?? { kind: 'found', contact, by };
}

/** Why a contact that has another email or userId than the declared one is not written. */
export function otherIdentifier(
  name: 'email' | 'userId',
  contact: Contact,
  declared: string | undefined,
): Refused | undefined {
  const current = contact[name];
  if (!isGiven(declared) || !isGiven(current)) return undefined;
  if (name === 'email' ? isEmail(current, declared) : current === declared) return undefined;
  return {
    kind: 'refused',
    reason: `the contact has another ${name} in the service. Correct it in the program, or there`,
    detail: `In the service its ${name} is '${current}'`,
  };
}

/** A refusal of a contact that may be named. */
export function refusalText(identity: Known, { reason, detail }: Refused): string {
  return `contact ${nameOf(identity)}: ${reason}${detail === undefined ? '' : `. ${detail}`}`;
}

/** Why an address that another contact has is not given away. */
export function notFree(name: 'email' | 'userId'): string {
  return `its ${name} still belongs to another contact. The next 'pulumi up' writes it, if that contact has another ${name} by then`;
}

/** Whether another contact than this one has an identifier. */
export async function isTaken(
  identifier: string,
  { id }: { readonly id: string | undefined },
  client: AudienceApi,
  options?: CallOptions,
): Promise<boolean> {
  const holder = await lookUp(client, identifier, options);
  return holder !== undefined && holder.id !== id;
}

/** Why a contact that is declared by such a userId only is refused. */
export const NO_ADDRESS =
  "has an @, so it finds whichever contact has that email address: declare the contact's 'email' as well";
