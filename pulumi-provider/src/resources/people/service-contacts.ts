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
    // Only the identifier can be wrong, and the interface leaves open which status says so.
    if (error instanceof NotFoundError || isBadRequest(error)) return undefined;
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
    // It may be the contact or the values: a read shows which.
    const isOpen = error instanceof RejectedError || isBadRequest(error);
    if (!isOpen) throw error;
    if ((await lookUp(client, identifier, options)) === undefined) return undefined;
    // A new contact may have begun to show between the two: what is refused again is refused for its values.
    return { id: (await client.contacts.update(identifier, changes, options)).id };
  }
}

function isBadRequest(error: unknown): boolean {
  return error instanceof InvalidRequestError && error.status === 400;
}

/**
 * Whether the service answers at all: a wrong path in the base URL makes every contact a 404.
 *
 * @throws AudienceError where it does not.
 */
export async function assertAnswers(client: AudienceApi, options?: CallOptions): Promise<void> {
  await client.properties.list({}, options);
}
