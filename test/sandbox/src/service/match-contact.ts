import type { PropertyValue } from 'audience-core';
import type { Account } from '../account/account.js';
import type { ContactRecord } from '../account/records.js';
import { Problem } from './problem.js';

/** By what a contact is matched. */
export interface Identifiers {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/** What a matched or new contact gets. */
export interface ContactDetails {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly subscriptionGroups?: Readonly<Record<string, boolean>> | undefined;
  readonly properties?: Readonly<Record<string, PropertyValue>>;
}

/**
 * Finds the contact that an event or a mail belongs to (interface: POST /v1/transactional, contact matching).
 *
 * @throws Problem 400 when both identifiers are found and belong to different contacts: the interface tells of
 * no merging, and giving one contact's identifier to the other would take it from its owner. Not 409, which on
 * these endpoints says that an idempotency key was used before.
 */
export function findContact(account: Account, { email, userId }: Identifiers): ContactRecord | undefined {
  const byEmail = email === undefined ? undefined : account.contacts.byEmail(email);
  const byUserId = userId === undefined ? undefined : account.contacts.byUserId(userId);
  if (byEmail !== undefined && byUserId !== undefined && byEmail.id !== byUserId.id) {
    throw new Problem(
      400,
      `The email address '${email}' and the userId '${userId}' belong to two different contacts (${byEmail.id} and ${byUserId.id}); send only one of the two identifiers.`,
    );
  }
  return byEmail ?? byUserId;
}

/** Matches or creates the contact, gives it the other identifier, and sets its details. */
export function matchContact(
  account: Account,
  identifiers: Identifiers,
  details: ContactDetails,
): ContactRecord {
  const found = findContact(account, identifiers);
  const now = account.clock.timestamp();
  const contact: ContactRecord = found ?? {
    id: account.nextId('contact'),
    email: null,
    userId: null,
    firstName: null,
    lastName: null,
    source: null,
    subscribed: true,
    subscriptionGroups: {},
    properties: {},
    createdAt: now,
    updatedAt: now,
  };
  return account.contacts.put({
    ...contact,
    email: identifiers.email ?? contact.email,
    userId: identifiers.userId ?? contact.userId,
    firstName: details.firstName ?? contact.firstName,
    lastName: details.lastName ?? contact.lastName,
    subscriptionGroups: { ...contact.subscriptionGroups, ...details.subscriptionGroups },
    properties: { ...contact.properties, ...details.properties },
    updatedAt: now,
  });
}
