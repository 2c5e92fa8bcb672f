import * as z from '../zod.js';
import { nonEmptySchema, successSchema } from './common.js';
import { fieldSchemas } from './contact-field-schemas.js';
import { fieldsSetBy } from './contact-fields.js';
import { defineEndpoint } from './endpoint.js';
import { jsonValueSchema } from './json.js';
import { PER_PAGE } from './types.js';
import type { TransactionalEmailMessage } from './messages.js';
import { rule } from './rule.js';

/** GET /v1/transactional */
export const listTransactionalEmails = defineEndpoint({
  operationId: 'listTransactionalEmails',
  method: 'GET',
  path: '/v1/transactional',
  summary: 'List transactional emails',
  tag: 'transactional',
  repeatability: 'idempotent',
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
});

const DETAILS = fieldsSetBy('sendTransactionalEmail').filter((name) => name !== 'email' && name !== 'userId');

/** Names of the fields of an email. */
export const EMAIL_FIELDS: readonly string[] = [
  ...fieldsSetBy('sendTransactionalEmail'),
  ...['transactionalId', 'addToAudience', 'dataVariables'],
];

const shape: Record<string, z.ZodMiniType> = {
  ...fieldSchemas('sendTransactionalEmail'),
  transactionalId: nonEmptySchema,
  addToAudience: z.optional(z.boolean()),
  dataVariables: z.optional(z.record(z.string(), jsonValueSchema)),
};

/** Schema of {@link TransactionalEmailMessage}. */
export const sendTransactionalEmailBodySchema = z.pipe(
  z
    .strictObject(shape)
    .check(
      rule((body, report, isWrong) => {
        if (isWrong('addToAudience')) return;
        const addsToAudience = body['addToAudience'] === true;
        const hasRecipient = body['email'] !== undefined || (addsToAudience && body['userId'] !== undefined);
        if (!hasRecipient && !isWrong('email', 'userId')) {
          report('email', { code: 'noRecipient' });
        }
        if (addsToAudience) return;
        for (const field of DETAILS) {
          if (body[field] !== undefined) {
            report(field, { code: 'needsAudience' });
          }
        }
      }),
    )
    .register(z.globalRegistry, {
      anyOf: [
        {
          required: ['addToAudience'],
          anyOf: [{ required: ['email'] }, { required: ['userId'] }],
          properties: { addToAudience: { const: true } },
        },
        {
          required: ['email'],
          properties: Object.fromEntries(DETAILS.map((field) => [field, false])),
        },
      ],
    }),
  z.custom<TransactionalEmailMessage, Record<string, unknown>>(),
);

/** POST /v1/transactional */
export const sendTransactionalEmail = defineEndpoint({
  operationId: 'sendTransactionalEmail',
  method: 'POST',
  path: '/v1/transactional',
  summary: 'Send a transactional email',
  tag: 'transactional',
  repeatability: 'keyed',
  body: sendTransactionalEmailBodySchema,
  response: successSchema,
});
