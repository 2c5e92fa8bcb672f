/** For the packages of this repository only: these exports may change with any version. */
export { canonicalJson } from './canonical-json.js';
export { AudienceApi, type AudienceApiOptions } from './client/audience-api.js';
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
export { PROPERTY_TYPES, PER_PAGE } from './contract/types.js';
export {
  CONTACT_FIELDS,
  contactFieldEntries,
  fieldsSetBy,
  type ContactField,
  type ContactFieldName,
  type FieldSetBy,
  type FieldValues,
  type FieldWriter,
} from './contract/contact-fields.js';
export { FIELD_SCHEMAS, WIRE_SCHEMAS } from './contract/contact-field-schemas.js';
export { updateContactBodySchema } from './contract/contacts.js';
export type { Endpoint } from './contract/endpoint.js';
export { eventSchemas, sendEventBodySchema } from './contract/events.js';
export { canAddress, contactIdentifierSchema } from './contract/identifier.js';
export { parseJsonText } from './contract/json.js';
export type { JsonValue } from './contract/types.js';
export { BUILT_IN_PROPERTIES, propertyNameProblem, propertyNameSchema } from './contract/property-names.js';
export {
  decodeValue,
  encodeUntypedValue,
  encodeValue,
  isRoundedNumber,
  kindOf,
  parseValue,
  propertyValueProblem,
  type EncodedValue,
} from './contract/property-values.js';
export { consentOfHeader, isOtherChannel, meansNoMail, type ConsentHeader } from './contract/consent.js';
export { contract, type OperationId } from './contract/table.js';
export { sendTransactionalEmailBodySchema } from './contract/transactional.js';
export type { Runtime } from './http/runtime.js';
export {
  LARGEST_BODY,
  TransportFailure,
  type Transport,
  type TransportFailureReason,
  type TransportRequest,
  type TransportResponse,
} from './http/transport.js';
export { isRecord } from './is-record.js';
export { readWith, validate, type Schema } from './issues.js';
export {
  didYouMean,
  quoteOfService,
  wordCallEnd,
  wordExpected,
  wordIssue,
  wordProblem,
  type CallReason,
  type Form,
  type Kind,
  type ProblemCode,
} from './messages.js';
export type { FieldPath, Problem, ProblemDetails } from './problem.js';
export { type CallData, type CallFacts, type ValidationIssue } from './errors.js';
export { nearest } from './nearest.js';
export * from './exports.js';
