import type { Resource } from '../operation.js';
import { getAll } from './getAll.operation.js';

/** Subscription Groups, and what can be done with them. */
export const subscriptionGroup: Resource = {
  value: 'subscriptionGroup',
  name: 'Subscription Group',
  operations: [getAll],
  default: getAll,
};
