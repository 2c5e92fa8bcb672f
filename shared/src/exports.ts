// What every client has, whatever it is made of: each type that a signature names, so that libraries can be built on it.
export type { AudienceApi, ClientOptions } from './client/audience-api.js';
export type { ContactsResource } from './client/contacts.js';
export type { EventsResource } from './client/events.js';
export type { PropertiesResource, SubscriptionGroupsResource } from './client/properties.js';
export { defineSchema } from './client/schema.js';
export type * from './client/schema.js';
export type { PagesOptions, TransactionalResource } from './client/transactional.js';
export type * from './client/types.js';
export type * from './contract/contact-fields.js';
export type * from './contract/messages.js';
export type * from './types.js';
export * from './errors.js';
export type * from './http/call.js';
export type { Runtime } from './http/runtime.js';
export { TransportFailure, type TransportFailureReason } from './http/transport.js';
export type { Transport, TransportRequest, TransportResponse } from './http/transport.js';
export type { CallCode, CallData, CallProgress } from './messages/calls.js';
export type {
  FieldPath,
  Form,
  Problem,
  ProblemCode,
  ProblemDetails,
  ProblemFacts,
} from './messages/problems.js';
