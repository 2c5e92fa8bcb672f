import { z } from 'zod/v4';
import {
  emailSchema,
  propertyValueSchema,
  subscriptionGroupsSchema,
  successSchema,
  userIdSchema,
} from './common.js';
import { wholeObjectRule } from './check.js';
import { withCustomProperties } from './contact-fields.js';
import { defineEndpoint } from './endpoint.js';

/** Body of an event to send; custom properties of the contact are further top-level fields. */
export const sendEventBodySchema = withCustomProperties(
  {
    /** Contact's email address; it or `userId` is needed. */
    email: emailSchema.optional(),
    /** Contact's userId; it or `email` is needed. */
    userId: userIdSchema.optional(),
    /** Name of the event. */
    eventName: z.string().min(1, 'must not be empty'),
    /** First name to set on the contact. */
    firstName: z.string().optional(),
    /** Last name to set on the contact. */
    lastName: z.string().optional(),
    /** Values that become variables in the emails that the event triggers. */
    eventProperties: z.record(z.string(), propertyValueSchema).optional(),
    /** Groups to change on the contact, by id. */
    subscriptionGroups: subscriptionGroupsSchema.optional(),
  },
  propertyValueSchema,
)
  .check(
    wholeObjectRule((body, report, isWrong) => {
      if (isWrong('email', 'userId')) return;
      if (body['email'] === undefined && body['userId'] === undefined) {
        report(
          'email',
          "is missing: an event belongs to a contact, so give its 'email', its 'userId', or both",
        );
      }
    }),
  )
  .meta({ anyOf: [{ required: ['email'] }, { required: ['userId'] }] });

/** POST /v1/events/send */
export const sendEvent = defineEndpoint({
  operationId: 'sendEvent',
  method: 'POST',
  path: '/v1/events/send',
  summary: 'Send an event',
  section: 'POST /v1/events/send',
  tag: 'events',
  repeatability: 'keyed',
  body: sendEventBodySchema,
  answer: successSchema,
});
