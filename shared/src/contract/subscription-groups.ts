import * as z from '../zod.js';
import { defineEndpoint } from './endpoint.js';

/** A subscription group, as listed (interface: Subscription group). */
export interface SubscriptionGroup {
  id: string;
  name: string;
  description?: string | null | undefined;
  [field: string]: unknown;
}

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

export const subscriptionGroupEndpoints = { listSubscriptionGroups };
