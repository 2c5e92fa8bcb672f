import { canAddress } from 'audience-core/internal';
import { InvalidRequestError, NotFoundError, RejectedError } from 'audience-core';
import type { CallOptions, Contact } from 'audience-core';
import type { AudienceApi } from 'audience-core/internal';
import type { Changes } from './contact/fields.js';
import { isEmail, isGiven, sameEmail } from './people.js';
import type { Identity } from './people.js';

/** The contact under an identifier; `undefined` when there is none. */
export async function lookUp(
  client: AudienceApi,
  identifier: string,
  options?: CallOptions,
): Promise<Contact | undefined> {
  return (await read(client, identifier, options)).contact;
}

async function read(client: AudienceApi, identifier: string, options?: CallOptions): Promise<Located> {
  try {
    return { contact: await client.contacts.get(identifier, options) };
  } catch (error) {
    if (error instanceof NotFoundError) return {};
    // There is nothing but the identifier that could be wrong, and which status says so is left open.
    if (isBadRequest(error)) return { isRefused: true };
    throw error;
  }
}

/**
 * Updates the contact under an identifier.
 *
 * @returns its id, where the service told it; `undefined` when there is no contact under that identifier.
 */
export async function update(
  client: AudienceApi,
  identifier: string,
  changes: Changes,
  options?: CallOptions,
): Promise<{ id: string | undefined } | undefined> {
  try {
    if (Object.keys(changes).length === 0) return await lookUp(client, identifier, options);
    return { id: (await client.contacts.update(identifier, changes, options)).id };
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    // It may be the contact or the values: a look tells.
    const isOpen = error instanceof RejectedError || isBadRequest(error);
    if (!isOpen) throw error;
    if ((await lookUp(client, identifier, options)) === undefined) return undefined;
    // A new contact may have begun to show between the two: what is refused again is so for its values.
    return { id: (await client.contacts.update(identifier, changes, options)).id };
  }
}

/** Identifiers that a contact gets; what is absent stays, and `null` takes the userId away. */
export interface NewIdentifiers {
  readonly email?: string | undefined;
  readonly userId?: string | null | undefined;
}

/**
 * Brings a contact that was located to these fields and identifiers. An email is only changed under a userId, so a new
 * email and a new userId take two calls; if only the first got through, running it again ends the same.
 *
 * @returns what came of it: there may be no userId under which its email could be changed.
 */
export async function write(
  client: AudienceApi,
  contact: Contact,
  { email, userId }: NewIdentifiers,
  changes: Changes,
  options?: CallOptions,
): Promise<'done' | 'gone' | 'no way to email'> {
  const set = async (identifier: string, all: Changes): Promise<boolean> =>
    Object.keys(all).length === 0 || (await update(client, identifier, all, options)) !== undefined;
  const isRenamed = userId !== undefined && userId !== (contact.userId ?? null);
  if (email === undefined || isEmail(contact.email, email)) {
    const address = isGiven(contact.email) ? contact.email : contact.userId;
    if (!isGiven(address)) return 'gone';
    return (await set(address, isRenamed ? { ...changes, userId } : changes)) ? 'done' : 'gone';
  }
  const address = [contact.userId, userId].find(canAddress);
  if (address === undefined) return 'no way to email';
  const isDone =
    (contact.userId === address ||
      !isGiven(contact.email) ||
      (await set(contact.email, { userId: address }))) &&
    (await set(address, { ...changes, email })) &&
    (!isRenamed || userId === address || (await set(email, { userId })));
  return isDone ? 'done' : 'gone';
}

function isBadRequest(error: unknown): boolean {
  return error instanceof InvalidRequestError && error.status === 400;
}

/** What became of a contact that state knows. */
export interface Located {
  /** The contact itself. */
  readonly contact?: Contact;
  /** Another contact, that has one of the addresses by now. */
  readonly other?: Contact;
  /** A read was refused with 400. It most likely says that nobody is there; of a removal, people are told so. */
  readonly isRefused?: boolean;
}

/** Why it is not known whether a contact is gone, for a sentence. */
export const REFUSED_TO_SAY = 'refuses to say whether it is there (400)';

/**
 * Finds a contact that is known: the interface reads by email or userId only, so each identifier is tried in turn
 * until one leads to it.
 *
 * @param isIt whether a contact that was found is the one.
 */
export async function locate(
  client: AudienceApi,
  identities: readonly Identity[],
  isIt: (contact: Contact) => boolean,
  options?: CallOptions,
): Promise<Located> {
  let [other, isRefused]: [Contact | undefined, boolean] = [undefined, false];
  for (const identifier of identifiersOf(identities)) {
    const found = await read(client, identifier, options);
    if (found.contact !== undefined && isIt(found.contact)) return found;
    other ??= found.contact;
    isRefused ||= found.isRefused === true;
  }
  return { ...(other === undefined ? {} : { other }), isRefused };
}

/** Every identifier once: emails first, as the service calls them primary. */
function identifiersOf(identities: readonly Identity[]): string[] {
  const seen = new Map<string, string>();
  for (const { email, userId } of identities) {
    if (typeof email === 'string' && email !== '') seen.set(sameEmail(email), email);
    if (canAddress(userId)) seen.set(userId, userId);
  }
  return [...seen.values()];
}
