import { z } from 'zod/v4';
import { defineEndpoint } from './endpoint.js';

/** A subscription group, as listed (interface: Subscription group). */
export const subscriptionGroupSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
});

/** A subscription group, as listed. */
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
  answer: z.array(subscriptionGroupSchema),
});
