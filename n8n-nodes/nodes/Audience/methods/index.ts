import { getSubscriptionGroups, searchEmails } from './lists.js';

export * as credentialTest from './credentialTest.js';
export * as resourceMapping from './resourceMapping.js';
export const listSearch = { searchEmails };
export const loadOptions = { getSubscriptionGroups };
