import type { OperationId } from 'audience-core/internal';
import { contactOperations } from './contacts.js';
import { eventOperations } from './events.js';
import type { Operation } from './operation.js';
import { contactPropertyOperations } from './properties.js';
import { subscriptionGroupOperations } from './subscription-groups.js';
import { transactionalOperations } from './transactional.js';

/** What the sandbox does for each endpoint of the contract; a missing one does not compile. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  ...transactionalOperations,
  ...contactOperations,
  ...contactPropertyOperations,
  ...subscriptionGroupOperations,
  ...eventOperations,
};
