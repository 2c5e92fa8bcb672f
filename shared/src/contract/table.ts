import { contactPropertyEndpoints } from './contact-properties.js';
import { contactEndpoints } from './contacts.js';
import { eventEndpoints } from './events.js';
import { subscriptionGroupEndpoints } from './subscription-groups.js';
import { transactionalEndpoints } from './transactional.js';

/**
 * The endpoints of the service, each declared once. Where two paths fit a request
 * (`/v1/contacts/properties` and `/v1/contacts/{identifier}`) the one without a parameter is meant.
 */
export const contract = {
  ...transactionalEndpoints,
  ...contactEndpoints,
  ...contactPropertyEndpoints,
  ...subscriptionGroupEndpoints,
  ...eventEndpoints,
};

/** Name of one of the endpoints. */
export type OperationId = keyof typeof contract;
