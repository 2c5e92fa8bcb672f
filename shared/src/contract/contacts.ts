import { z } from 'zod/v4';
import { emailSchema, subscriptionGroupsSchema, successSchema, userIdSchema } from './common.js';
import { clearablePropertyValueSchema, withCustomProperties } from './contact-fields.js';
import { defineEndpoint } from './endpoint.js';
import { contactIdentifierSchema } from './identifier.js';

/** A contact as the service answers it (interface: Contact); custom properties are further top-level fields. */
export const contactSchema = z.looseObject({
  /** Contact identifier, given by the service. */
  id: z.string(),
  /** Primary identifier. */
  email: z.string().nullish(),
  firstName: z.string().nullish(),
  lastName: z.string().nullish(),
  /** Client-side user identifier; can also be used to address the contact. */
  userId: z.string().nullish(),
  /** Origin of the contact. */
  source: z.string().nullish(),
  /** Overall subscription flag. */
  subscribed: z.boolean().nullish(),
  /** Map of subscription group id to whether the contact is subscribed to it. */
  subscriptionGroups: z.record(z.string(), z.boolean()).nullish(),
});

const contactParamsSchema = z.strictObject({ identifier: contactIdentifierSchema });

/** GET /v1/contacts/{identifier} */
export const getContact = defineEndpoint({
  operationId: 'getContact',
  method: 'GET',
  path: '/v1/contacts/{identifier}',
  summary: 'Read a contact',
  section: 'GET /v1/contacts/{identifier}',
  tag: 'contacts',
  repeatability: 'idempotent',
  params: contactParamsSchema,
  answer: contactSchema,
});

/** Changes to a contact: only the fields that are given change; `null` clears one. */
export const updateContactBodySchema = withCustomProperties(
  {
    /** New email address; the identifier in the path must then be the contact's userId. Cannot be cleared. */
    email: emailSchema.optional(),
    firstName: z.string().nullable().optional(),
    lastName: z.string().nullable().optional(),
    userId: userIdSchema.nullable().optional(),
    source: z.string().nullable().optional(),
    /** Only `false`: a contact can be unsubscribed here, never subscribed. */
    subscribed: z
      .literal(false, {
        error: "can only be set to false: the service lets nobody but the contact turn 'subscribed' back on",
      })
      .optional(),
    /** Groups to change, by id; groups that are not named stay as they are. */
    subscriptionGroups: subscriptionGroupsSchema.optional(),
  },
  clearablePropertyValueSchema,
);

/** Answer to an update of a contact. */
export const updateContactAnswerSchema = successSchema.extend({
  /** Id of the contact. */
  id: z.string().nullish(),
});

/** PUT /v1/contacts/{identifier} */
export const updateContact = defineEndpoint({
  operationId: 'updateContact',
  method: 'PUT',
  path: '/v1/contacts/{identifier}',
  summary: 'Update a contact',
  section: 'PUT /v1/contacts/{identifier}',
  tag: 'contacts',
  repeatability: 'idempotent',
  params: contactParamsSchema,
  body: updateContactBodySchema,
  answer: updateContactAnswerSchema,
});
