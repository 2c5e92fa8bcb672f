import './dynamic/supported-node.js';
/** What the data functions give, so that a library can name it. */
export type {
  Contact as GetContactResult,
  ContactProperty as ContactPropertyInfo,
  PropertyType,
  SubscriptionGroup,
  TransactionalEmail,
} from 'audience-core';
export * from './dynamic/contact-property.js';
export * from './dynamic/contact.js';
export * from './dynamic/contacts.js';
export * from './dynamic/functions.js';
