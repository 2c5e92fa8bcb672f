import { z } from 'zod/v4';
import { propertyTypeSchema, successSchema } from './common.js';
import { propertyNameSchema } from './contact-fields.js';
import { defineEndpoint } from './endpoint.js';

/** A contact property, as listed (interface: Contact property). */
export const contactPropertySchema = z.looseObject({
  /** camelCase name; the top-level field on contacts. */
  key: z.string(),
  /** Human-readable label. */
  label: z.string().nullish(),
  type: propertyTypeSchema,
});

/** A contact property, as listed. */
export type ContactProperty = z.infer<typeof contactPropertySchema>;

/** Query of the list of contact properties. */
export const listContactPropertiesQuerySchema = z.strictObject({
  /** `all` (unless given): every property; `custom`: only those that the account's people made. */
  list: z.enum(['all', 'custom']).optional().meta({ default: 'all' }),
});

/** Query of the list of contact properties: `list` is `all` (unless given) or `custom`. */
export type ListContactPropertiesQuery = z.infer<typeof listContactPropertiesQuerySchema>;

/** GET /v1/contacts/properties */
export const listContactProperties = defineEndpoint({
  operationId: 'listContactProperties',
  method: 'GET',
  path: '/v1/contacts/properties',
  summary: 'List contact properties',
  section: 'GET /v1/contacts/properties',
  tag: 'properties',
  repeatability: 'idempotent',
  query: listContactPropertiesQuerySchema,
  answer: z.array(contactPropertySchema),
});

/** Body of a custom contact property to create. */
export const createContactPropertyBodySchema = z.strictObject({
  /** camelCase, neither reserved nor built in. */
  name: propertyNameSchema,
  type: propertyTypeSchema,
});

/** A custom contact property to create (interface: POST /v1/contacts/properties). */
export type NewContactProperty = z.infer<typeof createContactPropertyBodySchema>;

/** POST /v1/contacts/properties */
export const createContactProperty = defineEndpoint({
  operationId: 'createContactProperty',
  method: 'POST',
  path: '/v1/contacts/properties',
  summary: 'Create a custom contact property',
  section: 'POST /v1/contacts/properties',
  tag: 'properties',
  repeatability: 'unsafe',
  body: createContactPropertyBodySchema,
  answer: successSchema,
});
