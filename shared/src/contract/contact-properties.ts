import * as z from '../zod.js';
import { propertyTypeSchema, successSchema } from './common.js';
import { defineEndpoint } from './endpoint.js';
import { propertyNameSchema } from './property-names.js';

const contactPropertySchema = z.looseObject({
  /** camelCase name; the top-level field on contacts. */
  key: z.string(),
  /** Human-readable label. */
  label: z.nullish(z.string()),
  type: propertyTypeSchema,
});

/** A contact property, as listed (interface: Contact property). */
export type ContactProperty = z.infer<typeof contactPropertySchema>;

const querySchema = z.strictObject({
  /** `all` (unless given): every property; `custom`: only those that the account's people made. */
  list: z.optional(z.enum(['all', 'custom']).register(z.globalRegistry, { default: 'all' })),
});

/** Query of the list of contact properties. */
export type ListContactPropertiesQuery = z.infer<typeof querySchema>;

/** GET /v1/contacts/properties */
export const listContactProperties = defineEndpoint({
  operationId: 'listContactProperties',
  method: 'GET',
  path: '/v1/contacts/properties',
  summary: 'List contact properties',
  section: 'GET /v1/contacts/properties',
  tag: 'properties',
  repeatability: 'idempotent',
  query: querySchema,
  response: z.array(contactPropertySchema),
});

const newPropertySchema = z.strictObject({
  /** camelCase, neither reserved nor built in. */
  name: propertyNameSchema,
  /** It can never be changed. */
  type: propertyTypeSchema,
});

/** A custom contact property to create (interface: POST /v1/contacts/properties). */
export type NewContactProperty = z.infer<typeof newPropertySchema>;

/** POST /v1/contacts/properties */
export const createContactProperty = defineEndpoint({
  operationId: 'createContactProperty',
  method: 'POST',
  path: '/v1/contacts/properties',
  summary: 'Create a custom contact property',
  section: 'POST /v1/contacts/properties',
  tag: 'properties',
  repeatability: 'unsafe',
  body: newPropertySchema,
  response: successSchema,
});

/** The endpoints of this resource. */
export const contactPropertyEndpoints = { listContactProperties, createContactProperty };
