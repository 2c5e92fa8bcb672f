import { InvalidRequestError, NotFoundError, RejectedError } from 'audience-core';
import type { CallOptions, Contact } from 'audience-core';
import type { AudienceApi } from 'audience-core/internal';
import type { Changes } from './values.js';

/** The contact under an identifier; `undefined` when there is none. */
export async function lookUp(
  client: AudienceApi,
  identifier: string,
  options?: CallOptions,
): Promise<Contact | undefined> {
  try {
    return await client.contacts.get(identifier, options);
  } catch (error) {
    // Only the identifier can be wrong, and the interface does not say with which status.
    if (error instanceof NotFoundError || isBadRequest(error)) return undefined;
    throw error;
  }
}

/** Updates a contact and returns its id, where the response has it; `undefined` when the contact does not exist. */
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
    // Contact or values may be wrong: a read shows which.
    const isOpen = error instanceof RejectedError || isBadRequest(error);
    if (!isOpen) throw error;
    if ((await lookUp(client, identifier, options)) === undefined) return undefined;
    // A new contact may have appeared in between: a second refusal is about the values.
    return { id: (await client.contacts.update(identifier, changes, options)).id };
  }
}

function isBadRequest(error: unknown): boolean {
  return error instanceof InvalidRequestError && error.status === 400;
}

/** With a wrong path in the base URL every contact is a 404. @throws AudienceError for such a path. */
export async function assertResponds(client: AudienceApi): Promise<void> {
  await client.properties.list();
}
