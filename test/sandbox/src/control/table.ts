import { accountEndpoints } from './account.js';
import { clockEndpoints } from './clock.js';
import { emailBodyEndpoints } from './email-body.js';
import { emailEndpoints } from './emails.js';
import type { ControlEndpoint } from './endpoint.js';
import { faultEndpoints } from './faults.js';
import { findEndpoints } from './find.js';
import { metaEndpoints } from './meta.js';
import { profileEndpoints } from './profile.js';
import { requestEndpoints } from './requests.js';

/** The endpoints of the control plane. The README has a table of those for users. */
export const controlTable: readonly ControlEndpoint[] = [
  ...metaEndpoints,
  ...findEndpoints,
  ...accountEndpoints,
  ...clockEndpoints,
  ...emailEndpoints,
  ...emailBodyEndpoints,
  ...requestEndpoints,
  ...faultEndpoints,
  ...profileEndpoints,
];
