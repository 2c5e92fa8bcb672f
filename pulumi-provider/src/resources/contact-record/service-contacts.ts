import { NotFoundError } from 'audience-core';
import type { CallOptions, Contact } from 'audience-core';
import type { AudienceApi } from 'audience-core/internal';
import type { Changes } from './values.js';

/** The contact under an identifier; `undefined` where the service says 404, and only there. */
export function lookUp(
  client: AudienceApi,
  identifier: string,
  options?: CallOptions,
): Promise<Contact | undefined> {
  return orNobody(client.contacts.get(identifier, options));
}

/** Updates a contact and returns its id, where the response has it; `undefined` when the contact does not exist. */
export async function update(
  client: AudienceApi,
  identifier: string,
  changes: Changes,
  options?: CallOptions,
): Promise<{ readonly id: string | undefined } | undefined> {
  if (Object.keys(changes).length === 0) return lookUp(client, identifier, options);
  const updated = await orNobody(client.contacts.update(identifier, changes, options));
  return updated && { id: updated.id };
}

async function orNobody<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
