/**
 * For hosts with HTTP, timers or authentication of their own: the client over a transport and a runtime that the
 * host gives.
 */
export { AudienceApi } from './client/audience-api.js';
export type { AudienceApiOptions } from './client/audience-api.js';
export { checkApiKey } from './client/credentials.js';
export { contactSchemaOf } from './client/contact-schema.js';
export type { HostWords } from './http/error-messages.js';
export type { Runtime } from './http/runtime.js';
export { LARGEST_BODY, TransportFailure } from './http/transport.js';
export type {
  Transport,
  TransportFailureReason,
  TransportRequest,
  TransportResponse,
} from './http/transport.js';
