import { contract } from 'audience-core/contract';
import { operation } from './operation.js';

/** GET /v1/subscription-groups */
const listSubscriptionGroups = operation(contract.listSubscriptionGroups, (account) =>
  [...account.groups.values()].map(({ id, name, description }) => ({ id, name, description })),
);

/** What the sandbox does for the endpoints of this resource. */
export const subscriptionGroupOperations = { listSubscriptionGroups };
