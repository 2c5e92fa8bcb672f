export { ContactProperty } from './dynamic/contact-property.js';
export type { ContactPropertyArgs } from './dynamic/contact-property.js';
export { Contact } from './dynamic/contact.js';
export type {
  ContactArgs,
  ContactCreationEvent,
  ContactPropertyValue,
  ContactPropertyValues,
} from './dynamic/contact.js';
export { Contacts } from './dynamic/contacts.js';
export type { ContactRecordArgs, ContactsArgs } from './dynamic/contacts.js';
export { defineContactSchema } from 'audience-core';
export type { ContactSchema as ContactPropertyTypes, PropertyType } from 'audience-core';
export { ContactSchema } from './dynamic/contact-schema.js';
export type { ContactSchemaArgs, TypedContact, TypedContacts } from './dynamic/contact-schema.js';
export {
  getContact,
  getContactOutput,
  getContactProperties,
  getContactPropertiesOutput,
  getContactProperty,
  getContactPropertyOutput,
  getSubscriptionGroup,
  getSubscriptionGroupOutput,
  getSubscriptionGroups,
  getSubscriptionGroupsOutput,
  getTransactionalEmail,
  getTransactionalEmailOutput,
  getTransactionalEmails,
  getTransactionalEmailsOutput,
} from './dynamic/functions.js';
export type {
  Get,
  GetByNameArgs,
  GetContactArgs,
  GetContactPropertiesArgs,
  GetOutput,
} from './dynamic/functions.js';
