import './dynamic/supported-node.js';
export type { PropertyType } from 'audience-core';
export * from './dynamic/contact-property.js';
export * from './dynamic/contact.js';
export * from './dynamic/contacts.js';
export * from './dynamic/functions.js';
