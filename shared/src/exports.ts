// What every client has, whatever it is made of.
export { defineContactSchema, type ContactSchema, type ValueOf } from './client/contact-schema.js';
export { defineEmailSchema } from './client/email-schema.js';
export { defineEventSchema } from './client/event-schema.js';
export type { ApiCall, Contact, ContactUpdate, EventMessage, SendResult } from './client/types.js';
export type {
  ContactProperty,
  PropertyType,
  PropertyValue,
  SubscriptionGroup,
  TransactionalEmail,
} from './contract/types.js';
export type { TransactionalEmailMessage } from './contract/messages.js';
export {
  AbortedError,
  AudienceError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RejectedError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
  ValidationError,
} from './errors.js';
export type { CallOptions } from './http/call.js';
