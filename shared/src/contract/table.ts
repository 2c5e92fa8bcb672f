import { createContactProperty, listContactProperties } from './contact-properties.js';
import { getContact, updateContact } from './contacts.js';
import { sendEvent } from './events.js';
import { listSubscriptionGroups } from './subscription-groups.js';
import { listTransactionalEmails, sendTransactionalEmail } from './transactional.js';

/**
 * The endpoints of the service, each declared once. Where two paths fit a request
 * (`/v1/contacts/properties` and `/v1/contacts/{identifier}`) the one without a parameter is meant.
 */
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
