import { InvalidRequestError, NotFoundError, RejectedError } from 'audience-core';
import type { CallOptions, Contact } from 'audience-core';
import type { AudienceApi } from 'audience-core/host';
import type { Changes } from './contact-fields.js';
import { sameEmail } from './people.js';
import type { Identity } from './people.js';

/** The contact under an identifier; `undefined` when there is none. */
export async function lookUp(
  client: AudienceApi,
  identifier: string,
  options?: CallOptions,
): Promise<Contact | undefined> {
  try {
    return await client.contacts.get(identifier, options);
  } catch (error) {
    // There is nothing but the identifier that could be wrong, and which status says so is left open.
    if (error instanceof NotFoundError || isStatus(error, 400)) return undefined;
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
    const isOpen = error instanceof RejectedError || isStatus(error, 400);
    if (!isOpen) throw error;
    if ((await lookUp(client, identifier, options)) === undefined) return undefined;
    // A new contact may have begun to show between the two: what is refused again is so for its values.
    return { id: (await client.contacts.update(identifier, changes, options)).id };
  }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof InvalidRequestError && error.status === status;
}

/** What became of a contact that was known by its id. */
export interface Located {
  /** The contact with that id. */
  readonly contact?: Contact;
  /** Another contact, that has one of the addresses by now. */
  readonly other?: Contact;
}

/**
 * Finds a contact by its id: the interface reads by email or userId only, so each identifier is tried in turn until
 * one leads to it.
 */
export async function locate(
  client: AudienceApi,
  id: string,
  identities: readonly Identity[],
  options?: CallOptions,
): Promise<Located> {
  let other: Contact | undefined;
  for (const identifier of identifiersOf(identities)) {
    const contact = await lookUp(client, identifier, options);
    if (contact?.id === id) return { contact };
    other ??= contact;
  }
  return other === undefined ? {} : { other };
}

/** Every identifier once: emails first, as the service calls them primary. */
function identifiersOf(identities: readonly Identity[]): string[] {
  const seen = new Map<string, string>();
  for (const { email, userId } of identities) {
    if (typeof email === 'string') seen.set(sameEmail(email), email);
    if (typeof userId === 'string') seen.set(userId, userId);
  }
  return [...seen.values()];
}
