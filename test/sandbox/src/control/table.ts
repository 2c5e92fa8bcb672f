import * as account from './account.js';
import * as clock from './clock.js';
import { getEmailBody } from './email-body.js';
import * as emails from './emails.js';
import * as z from 'zod';
import { controlEndpoint } from './endpoint.js';
import type { ControlEndpoint } from './endpoint.js';
import * as faults from './faults.js';
import * as meta from './meta.js';
import { controlOpenApiDocument } from './openapi.js';
import { CONTROL_PREFIX } from './prefix.js';
import * as profile from './profile.js';
import * as requests from './requests.js';
import { getTimeline } from './timeline.js';
import * as snapshots from './snapshots.js';

const getControlDocument = controlEndpoint(
  {
    operationId: 'getControlDocument',
    method: 'GET',
    path: '/openapi.json',
    tag: 'meta',
    summary: 'OpenAPI document of the control plane',
    response: z.record(z.string(), z.unknown()),
  },
  () => controlOpenApiDocument(controlTable, CONTROL_PREFIX),
);

/** The endpoints of the control plane; its OpenAPI document is made of them. */
export const controlTable: readonly ControlEndpoint[] = [
  meta.getStatus,
  getControlDocument,
  meta.getServiceDocument,
  meta.followChanges,
  account.loadSeed,
  account.reset,
  account.exportAccount,
  account.addDesign,
  account.listContacts,
  getTimeline,
  account.listEvents,
  account.listSchema,
  clock.getClock,
  clock.setClock,
  emails.listEmails,
  emails.waitForEmail,
  emails.getEmail,
  getEmailBody,
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
  profile.getProfile,
  profile.setProfile,
  snapshots.listSnapshots,
  snapshots.takeSnapshot,
  snapshots.restoreSnapshot,
  snapshots.removeSnapshot,
];
