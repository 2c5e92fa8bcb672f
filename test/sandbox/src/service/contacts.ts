import { contract } from 'audience-core/internal';
import type { Account } from '../account/account.js';
import { withChanges, withFields } from '../account/contact-record.js';
import type { ContactRecord } from '../account/contact-record.js';
import type { Profile } from '../profile.js';
import { checkContactValues } from './contact-values.js';
import { operation } from './operation.js';
import { SandboxError } from '../sandbox-error.js';

const getContact = operation(contract.getContact, (account, { params, profile }) =>
  publicContact(account, contactAt(account, params.identifier, profile), profile),
);

/** A contact as the service shows it; what is not set is null. */
function publicContact(account: Account, contact: ContactRecord, { shownGroups }: Profile) {
  const { properties, createdAt: _createdAt, updatedAt: _updatedAt, hidden: _hidden, ...fields } = contact;
  const custom = [...account.properties.values()].map(({ id }): [string, unknown] => [
    id,
    Object.hasOwn(properties, id) ? (properties[id] ?? null) : null,
  ]);
  const all = [...account.groups.values()].map(({ id }): [string, boolean] => [
    id,
    fields.subscriptionGroups[id] ?? false,
  ]);
  const groups = shownGroups === 'set' ? Object.entries(fields.subscriptionGroups) : all;
  const shown = groups.filter(([, isIn]) => isIn || shownGroups !== 'joined');
  return { ...fields, subscriptionGroups: Object.fromEntries(shown), ...Object.fromEntries(custom) };
}

const updateContact = operation(contract.updateContact, (account, { params, body, profile }) => {
  const custom = checkContactValues(account, body);
  const contact = contactAt(account, params.identifier, profile);
  const changed = {
    ...withFields(contact, body, account.clock.timestamp()),
    properties: withChanges(contact.properties, custom),
  };
  checkIdentifiers(account, params.identifier, contact, changed, profile);
  account.contacts.put(changed);
  return { success: true, id: contact.id };
});

function contactAt(account: Account, identifier: string, profile: Profile): ContactRecord {
  const contact = account.contacts.byEmail(identifier) ?? account.contacts.byUserId(identifier);
  if (contact !== undefined && account.shows(contact)) return contact;
  throw new SandboxError(
    `There is no contact with the email address or userId '${identifier}'. An event or an email with 'addToAudience' creates one, an update does not.`,
    profile.unknownContact,
  );
}

function checkIdentifiers(
  account: Account,
  identifier: string,
  before: ContactRecord,
  after: ContactRecord,
  { contactConflict }: Profile,
): void {
  const changesEmail = after.email?.toLowerCase() !== before.email?.toLowerCase();
  if (changesEmail && before.userId !== identifier) {
    throw new SandboxError(
      `To change 'email', use the contact's userId in the path, not its email address${before.userId === null ? ': give the contact a userId first' : ''}.`,
    );
  }
  if (after.email === null && after.userId === null) {
    throw new SandboxError(
      `'userId' cannot be cleared: the contact has no email address, so nothing would address it.`,
    );
  }
  const ownerOfEmail = after.email === null ? undefined : account.contacts.byEmail(after.email);
  if (ownerOfEmail !== undefined && ownerOfEmail.id !== before.id) {
    throw new SandboxError(
      `'email': another contact (${ownerOfEmail.id}) has the address '${after.email}'.`,
      contactConflict,
    );
  }
  const ownerOfUserId = after.userId === null ? undefined : account.contacts.byUserId(after.userId);
  if (ownerOfUserId !== undefined && ownerOfUserId.id !== before.id) {
    throw new SandboxError(
      `'userId': another contact (${ownerOfUserId.id}) has the userId '${after.userId}'.`,
      contactConflict,
    );
  }
}

export const contactOperations = { getContact, updateContact };
