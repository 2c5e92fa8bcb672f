import { createContactProperty, listContactProperties } from './contact-properties.js';
import { getContact, updateContact } from './contacts.js';
import { sendEvent } from './events.js';
import { listSubscriptionGroups } from './subscription-groups.js';
import { listTransactionalEmails, sendTransactionalEmail } from './transactional.js';

/** The endpoints of the service. Where two paths fit a request, the one without a parameter wins. */
export const contract = {
  listTransactionalEmails,
  sendTransactionalEmail,
  getContact,
  updateContact,
  listContactProperties,
  createContactProperty,
  listSubscriptionGroups,
  sendEvent,
};

/** Name of one of the endpoints. */
export type OperationId = keyof typeof contract;
