import { Claims } from './declarations.js';
import type { Claim } from './declarations.js';

/** What a person is known by; `id` is the service's own. */
export interface Identity {
  readonly id?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

/** An email address as it is compared: the service does not mind its case. */
export function sameEmail(email: string): string {
  return email.toLowerCase();
}

/** Keys under which a person is found: either identifier is the same person. */
export function keysOf({ id, email, userId }: Identity): string[] {
  const keys: string[] = [];
  if (typeof email === 'string' && email !== '') keys.push(`email ${sameEmail(email)}`);
  if (typeof userId === 'string' && userId !== '') keys.push(`userId ${userId}`);
  if (typeof id === 'string' && id !== '') keys.push(`id ${id}`);
  return keys;
}

/** The people whom one run declares or has upserted: nothing is taken from them. */
export class People extends Claims {
  /** @returns the earlier claim, where somebody else has claimed this person. */
  claim(identity: Identity, claim: Claim): Claim | undefined {
    return this.add(keysOf(identity), claim);
  }

  /** Who claims this person, by whichever identifier. */
  ownerOf(identity: Identity): Claim | undefined {
    return this.find(keysOf(identity));
  }
}

/** The person for messages: `'ada@example.com' (userId 'user-1')`. */
export function nameOf({ email, userId }: Identity): string {
  if (typeof email !== 'string') return `'${userId ?? ''}'`;
  return typeof userId === 'string' ? `'${email}' (userId '${userId}')` : `'${email}'`;
}
