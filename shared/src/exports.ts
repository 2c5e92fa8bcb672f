// What every client has, whatever it is made of.
export { defineSchema, type AccountSchema, type ContactSchema, type ValueOf } from './client/schema.js';
export type { ApiCall, Contact, ContactUpdate, EventMessage, SendResult } from './client/types.js';
export type {
  ContactProperty,
  PropertyType,
  PropertyValue,
  SubscriptionGroup,
  TransactionalEmail,
} from './contract/types.js';
export type { TransactionalEmailMessage } from './contract/messages.js';
export * from './errors.js';
export type { CallOptions } from './http/call.js';
