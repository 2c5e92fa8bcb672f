import type { PropertyValue } from 'audience-core';
import type { Account } from '../account/account.js';
import { newContact, withChanges, withFields } from '../account/contact-record.js';
import type { ContactRecord } from '../account/contact-record.js';
import type { Profile } from '../profile.js';
import { SandboxError } from './sandbox-error.js';

/** By what a contact is matched. */
export interface Identifiers {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/**
 * Finds the contact that an event or a mail belongs to (interface: POST /v1/transactional, contact matching).
 *
 * @throws SandboxError 400 when both identifiers are found and belong to different contacts: the interface tells of
 * no merging, and giving one contact's identifier to the other would take it from its owner. Not 409, which on
 * these endpoints says that an idempotency key was used before.
 */
export function findContact(account: Account, { email, userId }: Identifiers): ContactRecord | undefined {
  const byEmail = email === undefined ? undefined : account.contacts.byEmail(email);
  const byUserId = userId === undefined ? undefined : account.contacts.byUserId(userId);
  if (byEmail !== undefined && byUserId !== undefined && byEmail.id !== byUserId.id) {
    throw new SandboxError(
      `The email address '${email}' and the userId '${userId}' belong to two different contacts (${byEmail.id} and ${byUserId.id}); send only one of the two identifiers.`,
    );
  }
  return byEmail ?? byUserId;
}

/** Matches or creates the contact, gives it the other identifier, and sets its fields and custom properties. */
export function matchContact(
  account: Account,
  fields: Identifiers & Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, PropertyValue | null>>,
  { contactDelayMs }: Profile,
): ContactRecord {
  const now = account.clock.timestamp();
  const contact = findContact(account, fields) ?? {
    ...newContact(account.nextId('contact'), now),
    ...account.hiddenFor(contactDelayMs),
  };
  return account.contacts.put({
    ...withFields(contact, fields, now),
    properties: withChanges(contact.properties, properties),
  });
}
