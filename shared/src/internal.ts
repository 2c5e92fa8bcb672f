/** For the packages of this repository only: these exports may change with any version. */
export { AudienceApi, type AudienceApiOptions } from './client/audience-api.js';
export { checkApiKey } from './client/credentials.js';
export {
  apiKeyProblem,
  canAddress,
  contactIdentifierSchema,
  emailSchema,
  IDEMPOTENCY_KEY_LIFETIME_MS,
  idempotencyKeySchema,
  propertyTypeSchema,
  propertyValueSchema,
  USED_KEY_STATUSES,
  usedKeyStatusSchema,
} from './contract/common.js';
export {
  CONTACT_FIELDS,
  contactFieldEntries,
  fieldsSetBy,
  isClearable,
  type ContactField,
  type FieldSetBy,
  type FieldValues,
  type FieldWriter,
} from './contract/contact-fields.js';
export type { Endpoint } from './contract/endpoint.js';
export { FIELD_SCHEMAS, WIRE_SCHEMAS } from './contract/contact-field-schemas.js';
export {
  contract,
  eventSchemas,
  sendEventBodySchema,
  sendTransactionalEmailBodySchema,
  updateContactBodySchema,
  type OperationId,
} from './contract/endpoints.js';
export { parseJsonText } from './contract/json.js';
export { PER_PAGE, PROPERTY_TYPES, type JsonValue } from './contract/types.js';
export { BUILT_IN_PROPERTIES, propertyNameProblem, propertyNameSchema } from './contract/property-names.js';
export * from './contract/property-values.js';
export type { Runtime } from './http/runtime.js';
export {
  failureOf,
  LARGEST_BODY,
  TransportFailure,
  type Transport,
  type TransportFailureReason,
  type TransportRequest,
  type TransportResponse,
} from './http/transport.js';
export { canonicalJson, isRecord } from './is-record.js';
export { readWith, validate, type Schema } from './issues.js';
export { quoteOfService, wordCallEnd } from './messages/calls.js';
export { wordIssue, wordProblem, type Kind } from './messages/problems.js';
export { nearest } from './nearest.js';
export * from './words.js';
export * from './exports.js';
