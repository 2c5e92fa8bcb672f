import * as z from 'zod/mini';
import { accountEndpoints } from './account.js';
import { clockEndpoints } from './clock.js';
import { emailBodyEndpoints } from './email-body.js';
import { emailEndpoints } from './emails.js';
import { controlEndpoint, endpoints, type ControlEndpoint } from './endpoint.js';
import { faultEndpoints } from './faults.js';
import { metaEndpoints } from './meta.js';
import { controlOpenApiDocument } from './openapi.js';
import { CONTROL_PREFIX } from './prefix.js';
import { profileEndpoints } from './profile.js';
import { requestEndpoints } from './requests.js';
import { snapshotEndpoints } from './snapshots.js';
import { timelineEndpoints } from './timeline.js';

const documentEndpoints = endpoints('meta', {
  getControlDocument: controlEndpoint(
    'GET /openapi.json',
    'OpenAPI document of the control plane',
    { response: z.record(z.string(), z.unknown()) },
    () => controlOpenApiDocument(controlTable, CONTROL_PREFIX),
  ),
});

/** The endpoints of the control plane; its OpenAPI document is made of them. */
export const controlTable: readonly ControlEndpoint[] = [
  ...metaEndpoints,
  ...documentEndpoints,
  ...accountEndpoints,
  ...timelineEndpoints,
  ...clockEndpoints,
  ...emailEndpoints,
  ...emailBodyEndpoints,
  ...requestEndpoints,
  ...faultEndpoints,
  ...profileEndpoints,
  ...snapshotEndpoints,
];
