/**
 * For the packages of this repository: the interface as data, and the client over a transport that a host gives.
 * No promise is made about these exports between versions.
 */
export { canonicalJson } from './canonical-json.js';
export { AudienceApi } from './client/audience-api.js';
export type { AudienceApiOptions } from './client/audience-api.js';
export { contactSchemaOf } from './client/contact-schema.js';
export { checkApiKey } from './client/credentials.js';
export {
  apiKeyProblem,
  emailSchema,
  IDEMPOTENCY_KEY_LIFETIME_MS,
  idempotencyKeySchema,
  propertyTypeSchema,
  propertyValueSchema,
} from './contract/common.js';
export { PROPERTY_TYPES } from './contract/types.js';
export { CONTACT_FIELDS, contactFieldEntries, fieldsSetBy } from './contract/contact-fields.js';
export { FIELD_SCHEMAS, WIRE_SCHEMAS } from './contract/contact-field-schemas.js';
export type {
  ContactField,
  ContactFieldName,
  FieldSetBy,
  FieldValues,
  FieldWriter,
} from './contract/contact-fields.js';
export { updateContactBodySchema } from './contract/contacts.js';
export type { Endpoint } from './contract/endpoint.js';
export { eventSchemas, sendEventBodySchema } from './contract/events.js';
export { canAddress, contactIdentifierSchema } from './contract/identifier.js';
export { parseJsonText } from './contract/json.js';
export type { JsonText } from './contract/json.js';
export { BUILT_IN_PROPERTIES, propertyNameProblem, propertyNameSchema } from './contract/property-names.js';
export {
  decodeValue,
  describeRefusal,
  encodeUntypedValue,
  encodeValue,
  isRoundedNumber,
  parseValue,
  propertyValueProblem,
} from './contract/property-values.js';
export type { EncodedValue } from './contract/property-values.js';
export { contract } from './contract/table.js';
export type { OperationId } from './contract/table.js';
export { PER_PAGE } from './contract/types.js';
export { sendTransactionalEmailBodySchema } from './contract/transactional.js';
export type { HostWords } from './http/host-words.js';
export type { Runtime } from './http/runtime.js';
export { LARGEST_BODY, TransportFailure } from './http/transport.js';
export type {
  Transport,
  TransportFailureReason,
  TransportRequest,
  TransportResponse,
} from './http/transport.js';
export { isRecord } from './is-record.js';
export { readWith, validate } from './issues.js';
export type { Schema } from './issues.js';
export { describeIssue } from './errors.js';
export type { AudienceErrorCode, CallFacts, ValidationIssue } from './errors.js';
export { didYouMean, nearest } from './nearest.js';
export * from './exports.js';
