import { contract } from 'audience-core/internal';
import type { Account } from '../account/account.js';
import { withChanges, withFields, type ContactRecord } from '../account/contact-record.js';
import type { Profile } from '../profile.js';
import { checkContactValues } from './contact-values.js';
import { operation } from './operation.js';
import { SandboxError } from '../sandbox-error.js';

const getContact = operation(contract.getContact, (account, { params, profile }) =>
  publicContact(account, contactAt(account, params.identifier), profile),
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

const updateContact = operation(contract.updateContact, (account, { params, body }) => {
  const custom = checkContactValues(account, body);
  const contact = contactAt(account, params.identifier);
  const changed = {
    ...withFields(contact, body, account.clock.timestamp()),
    properties: withChanges(contact.properties, custom),
  };
  checkIdentifiers(account, params.identifier, contact, changed);
  account.contacts.put(changed);
  return { success: true, id: contact.id };
});

function contactAt(account: Account, identifier: string): ContactRecord {
  const contact = account.contacts.byEmail(identifier) ?? account.contacts.byUserId(identifier);
  if (contact !== undefined && account.shows(contact)) return contact;
  throw new SandboxError({ code: 'no_contact', identifier }, 404);
}

function checkIdentifiers(
  account: Account,
  identifier: string,
  before: ContactRecord,
  after: ContactRecord,
): void {
  const changesEmail = after.email?.toLowerCase() !== before.email?.toLowerCase();
  if (changesEmail && before.userId !== identifier) {
    throw new SandboxError({ code: before.userId === null ? 'email_without_user_id' : 'email_by_email' });
  }
  if (after.email === null && after.userId === null) {
    throw new SandboxError({ code: 'user_id_not_clearable' });
  }
  const ownerOfEmail = after.email === null ? undefined : account.contacts.byEmail(after.email);
  if (ownerOfEmail !== undefined && ownerOfEmail.id !== before.id) {
    throw new SandboxError({ code: 'email_taken', id: ownerOfEmail.id, email: after.email });
  }
  const ownerOfUserId = after.userId === null ? undefined : account.contacts.byUserId(after.userId);
  if (ownerOfUserId !== undefined && ownerOfUserId.id !== before.id) {
    throw new SandboxError({ code: 'user_id_taken', id: ownerOfUserId.id, userId: after.userId });
  }
}

export const contactOperations = { getContact, updateContact };
