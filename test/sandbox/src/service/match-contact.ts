import type { PropertyValue } from 'audience-core';
import type { Account } from '../account/account.js';
import { newContact, withChanges, withFields, type ContactRecord } from '../account/contact-record.js';
import type { Profile } from '../profile.js';
import { SandboxError } from '../sandbox-error.js';

export interface Identifiers {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/**
 * Finds the contact of an event or an email.
 *
 * @throws SandboxError when the identifiers belong to two contacts. We assume that the service does not merge them
 */
export function findContact(account: Account, { email, userId }: Identifiers): ContactRecord | undefined {
  const byEmail = email === undefined ? undefined : account.contacts.byEmail(email);
  const byUserId = userId === undefined ? undefined : account.contacts.byUserId(userId);
  if (byEmail !== undefined && byUserId !== undefined && byEmail.id !== byUserId.id) {
    const [first, second] = [byEmail.id, byUserId.id];
    throw new SandboxError({ code: 'two_contacts', email, userId, first, second });
  }
  return byEmail ?? byUserId;
}

/** Matches or creates the contact, gives it the other identifier, and sets its fields and custom properties. */
export function matchContact(
  account: Account,
  fields: Identifiers & Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, PropertyValue | null>>,
  profile: Profile,
): ContactRecord {
  const now = account.clock.timestamp();
  const contact = findContact(account, fields) ?? {
    ...newContact(account.nextId('contact'), now),
    ...account.hiddenFor(profile.visibleAfterMs),
  };
  return account.contacts.put({
    ...withFields(contact, fields, now),
    properties: withChanges(contact.properties, properties),
  });
}
