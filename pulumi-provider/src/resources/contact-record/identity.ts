import { canAddress, type AudienceApi } from 'audience-core/internal';
import { AudienceError, NotFoundError, PermissionError, type CallOptions, type Contact } from 'audience-core';
import { problem, type Problem } from '../../messages/index.js';
import { causeOf, isRefusal } from '../errors.js';
import type { Identity } from '../../contact-file/row.js';
import type { Values } from './values.js';

export type { Identity };

/** The one contact that declared identifiers mean, nobody, or why no contact is changed. */
export type Resolved = Found | { readonly kind: 'nobody' } | Refused;

export interface Found {
  readonly kind: 'found';
  readonly contact: Contact;
  /** The identifier that leads to it. */
  readonly address: string;
  /** Declared identifiers that it does not have. */
  readonly lacks: Identity;
}

export interface Refused {
  readonly kind: 'refused';
  /** It has ids of the service, and no identifier. */
  readonly problem: Problem;
}

/** What state knows of a contact. */
export interface KnownContact {
  /** The service's id; lists do not keep it. */
  readonly id?: string;
  /** Whether state has the declared userId: then another email in the service is a change, not another contact. */
  readonly hasUserId?: boolean;
  /** Declared identifiers that are new to state. */
  readonly moved?: readonly string[];
}

/** Finds a contact by userId, then by email as written, then by email in lower case. */
export async function resolve(
  { email, userId }: Identity,
  client: AudienceApi,
  { id, hasUserId = id !== undefined, moved = [] }: KnownContact = {},
  options?: CallOptions,
): Promise<Resolved> {
  const byUserId = canAddress(userId) ? await lookUp(client, userId, options) : undefined;
  let [byEmail, address]: [Contact | undefined, string] = [undefined, userId ?? ''];
  if (email !== undefined && !isEmail(byUserId?.email, email)) {
    for (const spelling of new Set([email, sameEmail(email)])) {
      byEmail ??= await lookUp(client, spelling, options);
      if (byEmail === undefined) continue;
      if (byUserId === undefined) address = spelling;
      break;
    }
  }
  const contact = byUserId ?? byEmail;
  if (contact === undefined) return { kind: 'nobody' };
  if (byEmail !== undefined && byEmail.id !== contact.id)
    return refused(problem('identity.twoContacts', { first: contact.id, second: byEmail.id }));
  if (id !== undefined && contact.id !== id)
    return refused(problem('identity.otherId', { id: contact.id, known: id }));
  if (userId !== undefined && isGiven(contact.userId) && contact.userId !== userId)
    return refused(problem('identity.otherUserId', { id: contact.id }));
  // A new email leads to a contact, and the userId does not lead there.
  if (id === undefined && hasUserId && moved.includes('email') && byUserId === undefined)
    return refused(problem('identity.emailTaken', { id: contact.id }));
  const lacksEmail = email !== undefined && !isEmail(contact.email, email);
  if (lacksEmail && isGiven(contact.email) && !hasUserId)
    return refused(problem('identity.otherEmail', { id: contact.id }));
  const lacks = {
    ...(lacksEmail && { email }),
    ...(userId !== undefined && !isGiven(contact.userId) && { userId }),
  };
  return { kind: 'found', contact, address, lacks };
}

/** What was looked for; where the service refuses to show it, that is no error. */
export async function orRefused(found: Promise<Resolved>, isRefused = isRefusal): Promise<Resolved> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof AudienceError && isRefused(error))) throw error;
    return refused(problem('service.failed', { cause: causeOf(error) }));
  }
}

/** The same for a refresh, where a missing permission is a warning too. */
export function resolveToRead(...args: Parameters<typeof resolve>): Promise<Resolved> {
  return orRefused(resolve(...args), (error) => isRefusal(error) || error instanceof PermissionError);
}

export function refused(why: Problem): Refused {
  return { kind: 'refused', problem: why };
}

/** The contact under an identifier; `undefined` where the service says 404, and only there. */
export function lookUp(
  client: AudienceApi,
  identifier: string,
  options?: CallOptions,
): Promise<Contact | undefined> {
  return orNobody(client.contacts.get(identifier, options));
}

export async function orNobody<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

export function isGiven(text: string | null | undefined): text is string {
  return typeof text === 'string' && text !== '';
}

/** Lower case in one form of Unicode, for comparison: we assume that the service ignores the case. */
export function sameEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

export function isEmail(value: unknown, email: string): boolean {
  return typeof value === 'string' && sameEmail(value) === sameEmail(email);
}

/** Declared values with the identifiers, for comparison. */
export function comparable({ email, userId, values }: Identity & { readonly values: Values }): Values {
  return {
    ...(email === undefined ? {} : { email: sameEmail(email) }),
    ...(userId === undefined ? {} : { userId }),
    ...values,
  };
}

/** Keys for declarations of one contact. Most are the identifier itself: that saves memory with large lists. */
export function keysOf({ email, userId }: Identity): string[] {
  const keys: string[] = [];
  if (isGiven(email)) keys.push(sameEmail(email));
  if (isGiven(userId)) keys.push(/[@\s]/.test(userId) ? `userId ${userId}` : userId);
  return keys;
}
