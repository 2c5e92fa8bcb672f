import type { Resource } from '../operation.js';
import { send } from './send.operation.js';

/** Events, and what can be done with them. */
export const event: Resource = {
  value: 'event',
  name: 'Event',
  operations: [send],
  default: send,
};
