/**
 * The interface as data, for those who build on it: endpoints with their schemas, the fields of a contact, the codec
 * of values, the OpenAPI document.
 */
export { canonicalJson } from '../canonical-json.js';
export { describeIssue } from '../errors.js';
export type { ValidationIssue } from '../errors.js';
export { readWith, toIssues, validate } from '../issues.js';
export type { Schema } from '../issues.js';
export * from './common.js';
export * from './contact-fields.js';
export * from './contact-properties.js';
export * from './contacts.js';
export * from './endpoint.js';
export * from './events.js';
export * from './identifier.js';
export * from './property-names.js';
export * from './property-values.js';
export * from './subscription-groups.js';
export * from './transactional.js';
export * from './table.js';
