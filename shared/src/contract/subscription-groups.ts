import * as z from '../zod.js';
import { defineEndpoint } from './endpoint.js';

/** GET /v1/subscription-groups */
export const listSubscriptionGroups = defineEndpoint({
  operationId: 'listSubscriptionGroups',
  method: 'GET',
  path: '/v1/subscription-groups',
  summary: 'List subscription groups',
  tag: 'subscriptionGroups',
  repeatability: 'idempotent',
  response: z.array(z.looseObject({ id: z.string(), name: z.string(), description: z.nullish(z.string()) })),
});
