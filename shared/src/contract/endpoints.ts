import * as z from '../zod.js';
import {
  contactIdentifierSchema,
  nonEmptySchema,
  propertyTypeSchema,
  propertyValueSchema,
  successSchema,
} from './common.js';
import { fieldSchemas, readSchemas } from './contact-field-schemas.js';
import { fieldsSetBy, type FieldSetBy, type FieldUpdates } from './contact-fields.js';
import { defineEndpoint } from './endpoint.js';
import { jsonValueSchema } from './json.js';
import type { ContactDetails, ContactIdentifiers, TransactionalEmailMessage } from './messages.js';
import { propertyNameSchema, withCustomProperties } from './property-names.js';
import { rule } from './rule.js';
import { PER_PAGE, type JsonValue, type PropertyValue } from '../types.js';

const DETAILS = fieldsSetBy('sendTransactionalEmail').filter((name) => name !== 'email' && name !== 'userId');

const emailShape: Record<string, z.ZodMiniType> = {
  ...fieldSchemas('sendTransactionalEmail'),
  transactionalId: nonEmptySchema,
  addToAudience: z.optional(z.boolean()),
  dataVariables: z.optional(z.record(z.string(), jsonValueSchema)),
};

/** An email on the wire. */
type SendTransactionalEmailBody = TransactionalEmailMessage & {
  dataVariables?: Record<string, JsonValue> | undefined;
};

/** Schema of {@link SendTransactionalEmailBody}. */
export const sendTransactionalEmailBodySchema = z.pipe(
  z
    .strictObject(emailShape)
    .check(
      rule((body, report, isWrong) => {
        if (isWrong('addToAudience')) return;
        const addsToAudience = body['addToAudience'] === true;
        const hasRecipient = body['email'] !== undefined || (addsToAudience && body['userId'] !== undefined);
        if (!hasRecipient && !isWrong('email', 'userId')) report('email', { code: 'noRecipient' });
        if (addsToAudience) return;
        for (const field of DETAILS) if (body[field] !== undefined) report(field, { code: 'needsAudience' });
      }),
    )
    .register(z.globalRegistry, {
      anyOf: [
        {
          required: ['addToAudience'],
          anyOf: [{ required: ['email'] }, { required: ['userId'] }],
          properties: { addToAudience: { const: true } },
        },
        { required: ['email'], properties: Object.fromEntries(DETAILS.map((field) => [field, false])) },
      ],
    }),
  z.custom<SendTransactionalEmailBody, Record<string, unknown>>(),
);

const contactParamsSchema = z.strictObject({ identifier: contactIdentifierSchema });

/** Changes to a contact on the wire: any subset of its fields; `null` clears one. */
type UpdateContactBody = FieldUpdates<FieldSetBy<'updateContact'>> &
  Record<string, PropertyValue | Record<string, boolean> | null | undefined>;

/** Schema of the body of an update. */
export const updateContactBodySchema = z.pipe(
  withCustomProperties(fieldSchemas('updateContact'), z.nullable(propertyValueSchema), []),
  z.custom<UpdateContactBody, Record<string, unknown>>(),
);

/** Schemas of an event's own fields. */
export const eventSchemas = {
  eventName: nonEmptySchema,
  eventProperties: z.optional(z.record(z.string(), jsonValueSchema)),
};

/** An event on the wire; custom properties of the contact are further top-level fields. */
type SendEventBody = ContactIdentifiers &
  ContactDetails<'sendEvent'> & {
    eventName: string;
    eventProperties?: Record<string, JsonValue> | undefined;
  } & Record<string, PropertyValue | Record<string, JsonValue> | undefined>;

/** Schema of the body of an event. */
export const sendEventBodySchema = z.pipe(
  withCustomProperties(
    { ...fieldSchemas('sendEvent'), ...eventSchemas },
    propertyValueSchema,
    [
      rule((body, report, isWrong) => {
        if (isWrong('email', 'userId')) return;
        if (body['email'] === undefined && body['userId'] === undefined)
          report('email', { code: 'noContact' });
      }),
    ],
    { anyOf: [{ required: ['email'] }, { required: ['userId'] }] },
  ),
  z.custom<SendEventBody, Record<string, unknown>>(),
);

/** The endpoints of the service. Where two paths fit a request, the one without a parameter wins. */
export const contract = {
  listTransactionalEmails: defineEndpoint({
    operationId: 'listTransactionalEmails',
    method: 'GET',
    path: '/v1/transactional',
    summary: 'List transactional emails',
    isRepeatable: true,
    query: z.strictObject({
      perPage: z.optional(
        z
          .int()
          .check(z.minimum(PER_PAGE.min), z.maximum(PER_PAGE.max))
          .register(z.globalRegistry, { default: PER_PAGE.default }),
      ),
      cursor: z.optional(nonEmptySchema),
    }),
    response: z.looseObject({
      pagination: z.looseObject({
        totalResults: z.int(),
        returnedResults: z.int(),
        perPage: z.int(),
        totalPages: z.int(),
        nextCursor: z.nullish(z.string()),
        nextPage: z.nullish(z.string().register(z.globalRegistry, { format: 'uri' })),
      }),
      data: z.array(
        z.looseObject({
          id: z.string(),
          name: z.string(),
          lastUpdated: z.string().register(z.globalRegistry, { format: 'date-time' }),
          dataVariables: z.array(z.string()),
        }),
      ),
    }),
  }),
  sendTransactionalEmail: defineEndpoint({
    operationId: 'sendTransactionalEmail',
    method: 'POST',
    path: '/v1/transactional',
    summary: 'Send a transactional email',
    isKeyed: true,
    isRepeatable: true,
    body: sendTransactionalEmailBodySchema,
    response: successSchema,
  }),
  getContact: defineEndpoint({
    operationId: 'getContact',
    method: 'GET',
    path: '/v1/contacts/{identifier}',
    summary: 'Read a contact',
    isRepeatable: true,
    params: contactParamsSchema,
    /** Custom properties are further top-level fields. */
    response: z.looseObject({ id: z.string(), ...readSchemas() }),
  }),
  updateContact: defineEndpoint({
    operationId: 'updateContact',
    method: 'PUT',
    path: '/v1/contacts/{identifier}',
    summary: 'Update a contact',
    isRepeatable: true,
    params: contactParamsSchema,
    body: updateContactBodySchema,
    /** `id` is that of the contact. */
    response: z.extend(successSchema, { id: z.nullish(z.string()) }),
  }),
  listContactProperties: defineEndpoint({
    operationId: 'listContactProperties',
    method: 'GET',
    path: '/v1/contacts/properties',
    summary: 'List contact properties',
    isRepeatable: true,
    query: z.strictObject({
      list: z.optional(z.enum(['all', 'custom']).register(z.globalRegistry, { default: 'all' })),
    }),
    response: z.array(
      z.looseObject({ key: z.string(), label: z.nullish(z.string()), type: propertyTypeSchema }),
    ),
  }),
  createContactProperty: defineEndpoint({
    operationId: 'createContactProperty',
    method: 'POST',
    path: '/v1/contacts/properties',
    summary: 'Create a custom contact property',
    isRepeatable: false,
    body: z.strictObject({ name: propertyNameSchema, type: propertyTypeSchema }),
    response: successSchema,
  }),
  listSubscriptionGroups: defineEndpoint({
    operationId: 'listSubscriptionGroups',
    method: 'GET',
    path: '/v1/subscription-groups',
    summary: 'List subscription groups',
    isRepeatable: true,
    response: z.array(
      z.looseObject({ id: z.string(), name: z.string(), description: z.nullish(z.string()) }),
    ),
  }),
  sendEvent: defineEndpoint({
    operationId: 'sendEvent',
    method: 'POST',
    path: '/v1/events/send',
    summary: 'Send an event',
    isKeyed: true,
    isRepeatable: true,
    body: sendEventBodySchema,
    response: successSchema,
  }),
};

/** Name of one of the endpoints. */
export type OperationId = keyof typeof contract;
