import { canAddress } from 'audience-core/internal';
import type { AudienceApi } from 'audience-core/internal';
import type { CallOptions, Contact } from 'audience-core';
import { lookUp } from './service-contacts.js';
import type { Values } from './values.js';

/** The declared identifiers of a contact: at least one. */
export interface Identity {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

interface Known {
  readonly id?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

export type Found =
  | { readonly kind: 'found'; readonly contact: Contact; readonly by: 'userId' | 'email' }
  | { readonly kind: 'none' }
  | Refused;

/** Why no contact is changed. */
export interface Refused {
  readonly kind: 'refused';
  /** Has no email or userId, only the service's ids. */
  readonly reason: string;
  /** For messages that may show identifiers. */
  readonly detail?: string;
}

/** Whether a text is set and not empty. */
export function isGiven(text: string | null | undefined): text is string {
  return typeof text === 'string' && text !== '';
}

/** Lower case, for comparison: the service ignores the case. */
export function sameEmail(email: string): string {
  return email.toLowerCase();
}

/** Whether a value is that address, in any case. */
export function isEmail(value: unknown, email: string): boolean {
  return typeof value === 'string' && sameEmail(value) === sameEmail(email);
}

/** Declared values with the identifiers, for comparison. */
export function comparable({ email, userId }: Identity, values: Values): Values {
  return {
    ...(email === undefined ? {} : { email: sameEmail(email) }),
    ...(userId === undefined ? {} : { userId }),
    ...values,
  };
}

/** Keys for declarations of one contact. Most are the identifier itself: that saves memory with large lists. */
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

/** Finds a contact by userId, then by email; refuses two contacts, or one with another email or userId. */
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

/** Refuses a contact whose email or userId is not the declared one. */
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

export function refusalText(identity: Known, { reason, detail }: Refused): string {
  return `contact ${nameOf(identity)}: ${reason}${detail === undefined ? '' : `. ${detail}`}`;
}

/** Why an identifier that another contact has is not written. */
export function notFree(name: 'email' | 'userId'): string {
  return `its ${name} still belongs to another contact. The next 'pulumi up' writes it, once that contact has another ${name}`;
}

/** Whether a different contact has an identifier. */
export async function belongsToOther(
  identifier: string,
  { id }: { readonly id: string | undefined },
  client: AudienceApi,
): Promise<boolean> {
  const found = await lookUp(client, identifier);
  return found !== undefined && found.id !== id;
}

/** Why a userId with an @ needs an email beside it. */
export const NO_ADDRESS =
  "has an @, so the service reads it as an email address: declare the contact's 'email' as well";
