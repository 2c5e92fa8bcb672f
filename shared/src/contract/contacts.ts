import * as z from '../zod.js';
import { propertyValueSchema, successSchema } from './common.js';
import { fieldSchemas, readSchemas } from './contact-field-schemas.js';
import type { PropertyValue } from './types.js';
import type { FieldSetBy, FieldUpdates } from './contact-fields.js';
import { defineEndpoint } from './endpoint.js';
import { contactIdentifierSchema } from './identifier.js';
import { withCustomProperties } from './property-names.js';

const contactParamsSchema = z.strictObject({ identifier: contactIdentifierSchema });

/** GET /v1/contacts/{identifier} */
export const getContact = defineEndpoint({
  operationId: 'getContact',
  method: 'GET',
  path: '/v1/contacts/{identifier}',
  summary: 'Read a contact',
  tag: 'contacts',
  repeatability: 'idempotent',
  params: contactParamsSchema,
  /** Custom properties are further top-level fields. */
  response: z.looseObject({ id: z.string(), ...readSchemas() }),
});

/** Changes to a contact on the wire: `null` clears a field, and the fields that are not given stay as they are. */
export type UpdateContactBody = FieldUpdates<FieldSetBy<'updateContact'>> &
  Record<string, PropertyValue | Record<string, boolean> | null | undefined>;

/** Schema of {@link UpdateContactBody}. */
export const updateContactBodySchema = z.pipe(
  withCustomProperties(fieldSchemas('updateContact'), z.nullable(propertyValueSchema), []),
  z.custom<UpdateContactBody, Record<string, unknown>>(),
);

/** PUT /v1/contacts/{identifier} */
export const updateContact = defineEndpoint({
  operationId: 'updateContact',
  method: 'PUT',
  path: '/v1/contacts/{identifier}',
  summary: 'Update a contact',
  tag: 'contacts',
  repeatability: 'idempotent',
  params: contactParamsSchema,
  body: updateContactBodySchema,
  response: z.extend(successSchema, {
    /** Id of the contact. */
    id: z.nullish(z.string()),
  }),
});
