import type { Resource } from '../operation.js';
import { get } from './get.operation.js';
import { unsubscribe } from './unsubscribe.operation.js';
import { update } from './update.operation.js';

/** Contacts, and what can be done with them. */
export const contact: Resource = {
  value: 'contact',
  name: 'Contact',
  operations: [get, unsubscribe, update],
  default: get,
};
