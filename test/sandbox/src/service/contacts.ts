import { contract } from 'audience-core/contract';
import type { PropertyValue } from 'audience-core';
import type { Account } from '../account/account.js';
import type { ContactRecord } from '../account/records.js';
import { checkContactValues } from './contact-values.js';
import { operation } from './operation.js';
import { Problem } from './problem.js';

/** GET /v1/contacts/{identifier} */
export const getContact = operation(contract.getContact, (account, { params }) =>
  publicContact(account, contactAt(account, params.identifier)),
);

/** A contact as the service answers it; what is not set is null. */
export function publicContact(account: Account, contact: ContactRecord) {
  const custom: Record<string, PropertyValue | null> = {};
  for (const property of account.properties.values())
    custom[property.id] = contact.properties[property.id] ?? null;
  const { id, email, firstName, lastName, userId, source, subscribed, subscriptionGroups } = contact;
  return { id, email, firstName, lastName, userId, source, subscribed, subscriptionGroups, ...custom };
}

/** PUT /v1/contacts/{identifier} */
export const updateContact = operation(contract.updateContact, (account, { params, body }) => {
  const { email, firstName, lastName, userId, source, subscribed, subscriptionGroups, ...custom } = body;
  checkContactValues(account, custom, subscriptionGroups);
  const contact = contactAt(account, params.identifier);
  const changed: ContactRecord = {
    ...contact,
    email: email ?? contact.email,
    userId: userId === undefined ? contact.userId : userId,
    firstName: firstName === undefined ? contact.firstName : firstName,
    lastName: lastName === undefined ? contact.lastName : lastName,
    source: source === undefined ? contact.source : source,
    subscribed: subscribed ?? contact.subscribed,
    subscriptionGroups: { ...contact.subscriptionGroups, ...subscriptionGroups },
    properties: withChanges(contact.properties, custom),
    updatedAt: account.clock.timestamp(),
  };
  checkIdentifiers(account, params.identifier, contact, changed);
  account.contacts.put(changed);
  return { success: true, id: contact.id };
});

function contactAt(account: Account, identifier: string): ContactRecord {
  const contact = account.contacts.byEmail(identifier) ?? account.contacts.byUserId(identifier);
  if (contact !== undefined) return contact;
  throw new Problem(
    404,
    `There is no contact with the email address or userId '${identifier}'. An update creates none: send an event for it first, or an email with 'addToAudience'.`,
  );
}

function withChanges(
  properties: Readonly<Record<string, PropertyValue>>,
  changes: Readonly<Record<string, PropertyValue | null>>,
): Record<string, PropertyValue> {
  const values: [string, PropertyValue][] = [];
  for (const [name, value] of Object.entries({ ...properties, ...changes })) {
    if (value !== null) values.push([name, value]);
  }
  return Object.fromEntries(values);
}

function checkIdentifiers(
  account: Account,
  identifier: string,
  before: ContactRecord,
  after: ContactRecord,
): void {
  const changesEmail = after.email?.toLowerCase() !== before.email?.toLowerCase();
  if (changesEmail && before.userId !== identifier) {
    throw new Problem(
      400,
      `'email' can only be changed when the path holds the contact's userId, not its email address${before.userId === null ? ': give the contact a userId first' : ''}.`,
    );
  }
  if (after.email === null && after.userId === null) {
    throw new Problem(
      400,
      `'userId' cannot be cleared: the contact has no email address, so nothing would address it.`,
    );
  }
  const ownerOfEmail = after.email === null ? undefined : account.contacts.byEmail(after.email);
  if (ownerOfEmail !== undefined && ownerOfEmail.id !== before.id) {
    throw new Problem(409, `'email': another contact (${ownerOfEmail.id}) has the address '${after.email}'.`);
  }
  const ownerOfUserId = after.userId === null ? undefined : account.contacts.byUserId(after.userId);
  if (ownerOfUserId !== undefined && ownerOfUserId.id !== before.id) {
    throw new Problem(
      409,
      `'userId': another contact (${ownerOfUserId.id}) has the userId '${after.userId}'.`,
    );
  }
}
