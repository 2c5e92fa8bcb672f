import * as z from '../zod.js';
import { defineEndpoint } from './endpoint.js';

const subscriptionGroupSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.nullish(z.string()),
});

/** A subscription group, as listed (interface: Subscription group). */
export type SubscriptionGroup = z.infer<typeof subscriptionGroupSchema>;

/** GET /v1/subscription-groups */
export const listSubscriptionGroups = defineEndpoint({
  operationId: 'listSubscriptionGroups',
  method: 'GET',
  path: '/v1/subscription-groups',
  summary: 'List subscription groups',
  section: 'GET /v1/subscription-groups',
  tag: 'subscriptionGroups',
  repeatability: 'idempotent',
  response: z.array(subscriptionGroupSchema),
});

/** The endpoints of this resource. */
export const subscriptionGroupEndpoints = { listSubscriptionGroups };
