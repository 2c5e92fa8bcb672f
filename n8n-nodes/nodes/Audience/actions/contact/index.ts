import type { Resource } from '../operation.js';
import { get } from './get.operation.js';
import { unsubscribe } from './unsubscribe.operation.js';
import { update } from './update.operation.js';
import { upsert } from './upsert.operation.js';

/** Contacts, and what can be done with them. */
export const contact: Resource = {
  value: 'contact',
  name: 'Contact',
  operations: [upsert, get, unsubscribe, update],
  default: get,
};
