import type { OperationId } from 'audience-core/contract';
import { getContact, updateContact } from './contacts.js';
import { sendEvent } from './events.js';
import type { Operation } from './operation.js';
import { createContactProperty, listContactProperties } from './properties.js';
import { listSubscriptionGroups } from './subscription-groups.js';
import { listTransactionalEmails, sendTransactionalEmail } from './transactional.js';

/** What the sandbox does for each endpoint of the contract; leaving one out does not compile. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  listTransactionalEmails,
  sendTransactionalEmail,
  getContact,
  updateContact,
  listContactProperties,
  createContactProperty,
  listSubscriptionGroups,
  sendEvent,
};
