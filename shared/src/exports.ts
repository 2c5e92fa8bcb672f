// What every client has, whatever it is made of.
export type { ApiCall } from './client/api-call.js';
export type { ClientOptions } from './client/audience-api.js';
export type { ContactsResource } from './client/contacts.js';
export type { EventsResource } from './client/events.js';
export type { PropertiesResource } from './client/properties.js';
export type { SubscriptionGroupsResource } from './client/subscription-groups.js';
export type { TransactionalResource } from './client/transactional.js';
export { defineContactSchema } from './client/contact-schema.js';
export type { ContactSchema, ValueOf } from './client/contact-schema.js';
export type { IterateOptions, PagesOptions } from './client/transactional.js';
export type {
  Contact,
  ContactUpdate,
  ContactUpdateResult,
  EventMessage,
  SendResult,
  WriteResult,
} from './client/types.js';
export type { PropertyType, PropertyValue } from './contract/common.js';
export type { ContactProperty, NewContactProperty } from './contract/contact-properties.js';
export type { SubscriptionGroup } from './contract/subscription-groups.js';
export type {
  TransactionalEmail,
  TransactionalEmailMessage,
  TransactionalEmailPage,
} from './contract/transactional.js';
export * from './errors.js';
export type { CallOptions, ResponseInfo, WithResponse } from './http/call.js';
export type { IdempotencyOptions } from './http/idempotency.js';
export type { GivenCallLimits } from './http/limits.js';
export type { Logger } from './http/diagnostics.js';
