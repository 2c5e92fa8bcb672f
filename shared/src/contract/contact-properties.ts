import * as z from '../zod.js';
import { propertyTypeSchema, successSchema } from './common.js';
import { defineEndpoint } from './endpoint.js';
import { propertyNameSchema } from './property-names.js';

const contactPropertySchema = z.looseObject({
  key: z.string(),
  label: z.nullish(z.string()),
  type: propertyTypeSchema,
});

/** GET /v1/contacts/properties */
export const listContactProperties = defineEndpoint({
  operationId: 'listContactProperties',
  method: 'GET',
  path: '/v1/contacts/properties',
  summary: 'List contact properties',
  tag: 'properties',
  repeatability: 'idempotent',
  query: z.strictObject({
    list: z.optional(z.enum(['all', 'custom']).register(z.globalRegistry, { default: 'all' })),
  }),
  response: z.array(contactPropertySchema),
});

/** POST /v1/contacts/properties */
export const createContactProperty = defineEndpoint({
  operationId: 'createContactProperty',
  method: 'POST',
  path: '/v1/contacts/properties',
  summary: 'Create a custom contact property',
  tag: 'properties',
  repeatability: 'unsafe',
  body: z.strictObject({ name: propertyNameSchema, type: propertyTypeSchema }),
  response: successSchema,
});
