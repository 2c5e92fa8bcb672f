import type { Resource } from '../operation.js';
import { create } from './create.operation.js';
import { getAll } from './getAll.operation.js';

/** Contact properties, and what can be done with them. */
export const contactProperty: Resource = {
  value: 'contactProperty',
  name: 'Contact Property',
  operations: [create, getAll],
  default: getAll,
};
