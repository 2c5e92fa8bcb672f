import { contract } from 'audience-core/internal';
import { operation } from './operation.js';

const listSubscriptionGroups = operation(contract.listSubscriptionGroups, (account) =>
  [...account.groups.values()].map(({ id, name, description }) => ({ id, name, description })),
);

export const subscriptionGroupOperations = { listSubscriptionGroups };
