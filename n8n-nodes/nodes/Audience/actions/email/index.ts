import type { Resource } from '../operation.js';
import { getAll } from './getAll.operation.js';
import { send } from './send.operation.js';

/** Emails, and what can be done with them. */
export const email: Resource = {
  value: 'email',
  name: 'Email',
  operations: [getAll, send],
  default: send,
};
