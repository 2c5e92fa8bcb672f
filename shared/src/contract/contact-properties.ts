import * as z from '../zod.js';
import { propertyTypeSchema, successSchema } from './common.js';
import type { PropertyType } from './common.js';
import { defineEndpoint } from './endpoint.js';
import { propertyNameSchema } from './property-names.js';

const contactPropertySchema = z.looseObject({
  key: z.string(),
  label: z.nullish(z.string()),
  type: propertyTypeSchema,
});

/** A contact property, as listed (interface: Contact property). */
export interface ContactProperty {
  /** camelCase name; the top-level field on contacts. */
  key: string;
  /** Human-readable label. */
  label?: string | null | undefined;
  type: PropertyType;
  [field: string]: unknown;
}

/** Query of the list of contact properties: `list` is `all` (unless given) or `custom`. */
export interface ListContactPropertiesQuery {
  /** `all` (unless given): every property; `custom`: only those that the account's people made. */
  list?: 'all' | 'custom' | undefined;
}

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

/** A custom contact property to create (interface: POST /v1/contacts/properties). */
export interface NewContactProperty {
  /** camelCase, neither reserved nor built in. */
  name: string;
  /** `string`, `number`, `boolean` or `date`; it can never be changed. */
  type: PropertyType;
}

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

export const contactPropertyEndpoints = { listContactProperties, createContactProperty };
