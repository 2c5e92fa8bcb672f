export { canonicalJson } from './canonical-json.js';
export { AudienceApi } from './client/audience-api.js';
export type { AudienceApiOptions, ClientOptions } from './client/audience-api.js';
export { AudienceClient } from './client/audience-client.js';
export type { AudienceClientOptions } from './client/audience-client.js';
export { contactSchemaOf, contactSchemaSource, defineContactSchema } from './client/contact-schema.js';
export type { ContactSchema, ValueOf } from './client/contact-schema.js';
export { propertyValueProblem } from './client/contact-values.js';
export { responseOf } from './client/response-of.js';
export type { IterateOptions, TransactionalEmailPage } from './client/transactional.js';
export type {
  Contact,
  ContactUpdate,
  ContactUpdateResult,
  EventMessage,
  SendResult,
  WriteResult,
} from './client/types.js';
export * from './contract/index.js';
export * from './errors.js';
export { normalizeBaseUrl } from './http/base-url.js';
export { DIAGNOSTICS_CHANNELS } from './http/node-runtime.js';
export type { CallLimits, CallOptions, ResponseInfo } from './http/pipeline.js';
export type { DiagnosticsEvent, Runtime } from './http/runtime.js';
export { TransportFailure } from './http/transport.js';
export type {
  Transport,
  TransportFailureReason,
  TransportRequest,
  TransportResponse,
} from './http/transport.js';
export { validate } from './http/validate.js';
