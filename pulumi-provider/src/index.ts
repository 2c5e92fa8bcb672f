export { defineContactSchema } from 'audience-core';
export type { ContactSchema as ContactPropertyTypes, PropertyType } from 'audience-core';
export * from './dynamic/contact-property.js';
export * from './dynamic/contact.js';
export * from './dynamic/contacts.js';
export * from './dynamic/contact-schema.js';
export * from './dynamic/functions.js';
