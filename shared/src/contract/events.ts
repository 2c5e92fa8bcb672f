import * as z from '../zod.js';
import { nonEmptySchema, propertyValueSchema, successSchema } from './common.js';
import type { PropertyValue } from './types.js';
import { fieldSchemas } from './contact-field-schemas.js';
import { defineEndpoint } from './endpoint.js';
import type { ContactDetails, ContactIdentifiers } from './messages.js';
import { jsonValueSchema } from './json.js';
import type { JsonValue } from './types.js';
import { withCustomProperties } from './property-names.js';
import { rule } from './rule.js';

/** Schemas of an event's own fields. */
export const eventSchemas = {
  eventName: nonEmptySchema,
  eventProperties: z.optional(z.record(z.string(), jsonValueSchema)),
};

/** An event on the wire; custom properties of the contact are further top-level fields. */
export type SendEventBody = ContactIdentifiers &
  ContactDetails<'sendEvent'> & {
    eventName: string;
    eventProperties?: Record<string, JsonValue> | undefined;
  } & Record<string, PropertyValue | Record<string, JsonValue> | undefined>;

/** Schema of {@link SendEventBody}. */
export const sendEventBodySchema = z.pipe(
  withCustomProperties(
    { ...fieldSchemas('sendEvent'), ...eventSchemas },
    propertyValueSchema,
    [
      rule((body, report, isWrong) => {
        if (isWrong('email', 'userId')) return;
        if (body['email'] === undefined && body['userId'] === undefined) {
          report('email', { code: 'noContact' });
        }
      }),
    ],
    { anyOf: [{ required: ['email'] }, { required: ['userId'] }] },
  ),
  z.custom<SendEventBody, Record<string, unknown>>(),
);

/** POST /v1/events/send */
export const sendEvent = defineEndpoint({
  operationId: 'sendEvent',
  method: 'POST',
  path: '/v1/events/send',
  summary: 'Send an event',
  tag: 'events',
  repeatability: 'keyed',
  body: sendEventBodySchema,
  response: successSchema,
});
