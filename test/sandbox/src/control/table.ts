import * as account from './account.js';
import * as clock from './clock.js';
import * as emails from './emails.js';
import type { ControlEndpoint } from './endpoint.js';
import * as faults from './faults.js';
import * as requests from './requests.js';

/** Path under which the control plane lies. */
export const CONTROL_PREFIX = '/__sandbox';

/** The endpoints of the control plane; its OpenAPI document is made of them. */
export const controlTable: readonly ControlEndpoint[] = [
  account.loadSeed,
  account.reset,
  account.exportAccount,
  account.addDesign,
  account.listContacts,
  account.listEvents,
  account.listSchema,
  clock.getClock,
  clock.setClock,
  emails.listEmails,
  emails.waitForEmail,
  emails.getEmail,
  emails.markEmail,
  emails.deleteEmail,
  emails.clearEmails,
  requests.listRequests,
  requests.getRequest,
  requests.clearRequests,
  faults.listFaults,
  faults.setFault,
  faults.removeFault,
  faults.clearFaults,
  faults.getRateLimit,
  faults.setRateLimit,
  faults.liftRateLimit,
];
