import { Claims } from './declarations.js';
import type { Claim } from './declarations.js';
import type { SharedClaims } from './host.js';

/** What a person is known by; `id` is the service's own. */
export interface Identity {
  readonly id?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

/** Whether there is a text. */
export function isGiven(text: string | null | undefined): text is string {
  return typeof text === 'string' && text !== '';
}

/** What there is to say of a contact that is declared by such a userId only. */
export const NO_ADDRESS =
  "leads to whoever has that email address, as it has an @: declare the contact's 'email' as well";

/** An email address as it is compared: the service does not mind its case. */
export function sameEmail(email: string): string {
  return email.toLowerCase();
}

/** Whether a value is that address, in whatever case. */
export function isEmail(value: unknown, email: string): boolean {
  return typeof value === 'string' && sameEmail(value) === sameEmail(email);
}

/** Keys under which a person is found: either identifier is the same person. */
export function keysOf({ id, email, userId }: Identity): string[] {
  const keys: string[] = [];
  if (isGiven(email)) keys.push(`email ${sameEmail(email)}`);
  if (isGiven(userId)) keys.push(`userId ${userId}`);
  if (isGiven(id)) keys.push(`id ${id}`);
  return keys;
}

/** Whether a contact has every identifier that is declared. */
export function agrees(found: Identity, { email, userId }: Identity): boolean {
  return (!isGiven(userId) || found.userId === userId) && (!isGiven(email) || isEmail(found.email, email));
}

/** The people whom one run declares or has upserted: nothing is taken from them. */
export class People extends Claims {
  /** The service's ids of those whose are known, by where they are declared. */
  readonly #ids = new Map<string, string>();

  /** By which identifiers people are declared in this run. */
  readonly #kinds = new Set<string>();

  constructor(private readonly others?: SharedClaims) {
    super();
  }

  /** @returns the earlier claim, where somebody else has claimed this person. */
  claim(identity: Identity, claim: Claim): Claim | undefined {
    const keys = keysOf(identity);
    if (isGiven(identity.id)) this.#ids.set(placeOf(claim), identity.id);
    this.others?.add(keys);
    for (const kind of ['email', 'userId'] as const) {
      if (!isGiven(identity[kind]) || this.#kinds.has(kind)) continue;
      this.#kinds.add(kind);
      this.others?.add([`some ${kind}`]);
    }
    return this.add(keys, claim);
  }

  /** Whether an address is declared of another contact of the service than the one that had it. */
  belongsToAnotherContact({ id }: Identity, claim: Claim): boolean {
    const known = this.#ids.get(placeOf(claim));
    return isGiven(id) && known !== undefined && known !== id;
  }

  /**
   * Who claims this person, by whichever identifier; another process of the run as well.
   *
   * @param except a claim that does not count.
   */
  ownerOf(identity: Identity, except?: Claim): Claim | undefined {
    const keys = keysOf(identity);
    return this.find(keys, except) ?? (this.others?.has(keys) === true ? ELSEWHERE : undefined);
  }

  /** Whether some other declaration may lead to this person: by the identifier that this one lacks. */
  mayBeShared({ email, userId }: Identity): boolean {
    const lacking = [...(isGiven(email) ? [] : ['email']), ...(isGiven(userId) ? [] : ['userId'])];
    return lacking.some((kind) => this.#kinds.has(kind) || this.others?.has([`some ${kind}`]) === true);
  }
}

/** Two resources may have one name, as in two components. */
function placeOf({ declarant, location }: Claim): string {
  return `${declarant.key} ${location}`;
}

const ELSEWHERE: Claim = {
  declarant: { key: 'elsewhere', label: 'another provider of this run' },
  location: 'another provider of this run',
};

/** What there is to say of values that are no longer declared, and which stay. */
export function keptAsDeclaredBy(names: readonly string[], { location }: Claim): string {
  return `${names.join(', ')} ${names.length === 1 ? 'stays' : 'stay'} as before, as ${location} declares the same contact. Keep one of them.`;
}

/** The person for messages: `'ada@example.com' (userId 'user-1')`. */
export function nameOf({ email, userId }: Identity): string {
  if (typeof email !== 'string') return `'${userId ?? ''}'`;
  return typeof userId === 'string' ? `'${email}' (userId '${userId}')` : `'${email}'`;
}
