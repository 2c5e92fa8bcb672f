/**
 * The interface as data, for those who build on it: endpoints with their schemas, the fields of a contact, the codec
 * of values.
 */
export { canonicalJson } from '../canonical-json.js';
export { describeIssue } from '../errors.js';
export type { ValidationIssue } from '../errors.js';
export { isRecord } from '../is-record.js';
export { readWith, validate } from '../issues.js';
export type { Schema } from '../issues.js';
export {
  apiKeyProblem,
  emailSchema,
  IDEMPOTENCY_KEY_LIFETIME_MS,
  idempotencyKeySchema,
  PROPERTY_TYPES,
  propertyTypeSchema,
  propertyValueSchema,
} from './common.js';
export type { PropertyType, PropertyValue } from './common.js';
export { CONTACT_FIELDS, contactFieldEntries, fieldsSetBy, WIRE_SCHEMAS } from './contact-fields.js';
export type {
  ContactField,
  ContactFieldName,
  FieldSetBy,
  FieldValues,
  FieldWriter,
} from './contact-fields.js';
export { updateContactBodySchema } from './contacts.js';
export type { Endpoint } from './endpoint.js';
export { eventSchemas, sendEventBodySchema } from './events.js';
export { canAddress, contactIdentifierSchema } from './identifier.js';
export { parseJsonText } from './json.js';
export type { JsonText } from './json.js';
export { BUILT_IN_PROPERTIES, propertyNameProblem, propertyNameSchema } from './property-names.js';
export {
  decodeValue,
  describeRefusal,
  encodeUntypedValue,
  encodeValue,
  isRoundedNumber,
  parseValue,
  propertyValueProblem,
} from './property-values.js';
export type { EncodedValue } from './property-values.js';
export { contract } from './table.js';
export type { OperationId } from './table.js';
export { PER_PAGE, sendTransactionalEmailBodySchema } from './transactional.js';
