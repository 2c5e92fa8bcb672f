import { z } from 'zod/v4';
import {
  dataVariableSchema,
  emailSchema,
  subscriptionGroupsSchema,
  successSchema,
  userIdSchema,
} from './common.js';
import { wholeObjectRule } from './check.js';
import { defineEndpoint } from './endpoint.js';

/** Bounds of `perPage` (interface: Limits). */
export const PER_PAGE = { min: 10, max: 50, default: 20 } as const;

/** A transactional email design, as listed (interface: Transactional email). */
export const transactionalEmailSchema = z.looseObject({
  /** Identifier of the design; `transactionalId` when sending. */
  id: z.string(),
  /** Display name. */
  name: z.string(),
  /** ISO 8601 UTC timestamp. */
  lastUpdated: z.string(),
  /** Names of the variables that the design expects. */
  dataVariables: z.array(z.string()),
});

/** A transactional email design, as listed. */
export type TransactionalEmail = z.infer<typeof transactionalEmailSchema>;

/** Where a page stands in the whole list (interface: Pagination object). */
export const paginationSchema = z.looseObject({
  totalResults: z.int(),
  returnedResults: z.int(),
  perPage: z.int(),
  totalPages: z.int(),
  /** Cursor of the next page; absent, null or empty on the last one. */
  nextCursor: z.string().nullish(),
  /** Ready-made URL of the next page. */
  nextPage: z.string().nullish(),
});

/** Where a page stands in the whole list. */
export type Pagination = z.infer<typeof paginationSchema>;

/** Query of the list of transactional emails. */
export const listTransactionalEmailsQuerySchema = z.strictObject({
  perPage: z
    .int('must be a whole number')
    .min(PER_PAGE.min, `must be ${PER_PAGE.min} to ${PER_PAGE.max}`)
    .max(PER_PAGE.max, `must be ${PER_PAGE.min} to ${PER_PAGE.max}`)
    .optional()
    .meta({ default: PER_PAGE.default }),
  cursor: z.string().min(1, 'must not be empty').optional(),
});

/** Query of the list of transactional emails: `perPage` 10 to 50 (20 unless given), `cursor` of the page before. */
export type ListTransactionalEmailsQuery = z.infer<typeof listTransactionalEmailsQuerySchema>;

/** GET /v1/transactional */
export const listTransactionalEmails = defineEndpoint({
  operationId: 'listTransactionalEmails',
  method: 'GET',
  path: '/v1/transactional',
  summary: 'List transactional emails',
  section: 'GET /v1/transactional',
  tag: 'transactional',
  repeatability: 'idempotent',
  query: listTransactionalEmailsQuerySchema,
  answer: z.looseObject({ pagination: paginationSchema, data: z.array(transactionalEmailSchema) }),
});

const CONTACT_INFORMATION = ['firstName', 'lastName', 'subscriptionGroups'] as const;

/** Body of a transactional email to send. */
export const sendTransactionalEmailBodySchema = z
  .strictObject({
    /** Recipient address. May be left out only where `addToAudience` and `userId` name a contact that has one. */
    email: emailSchema.optional(),
    /** Client-side user identifier, for matching the contact. */
    userId: userIdSchema.optional(),
    /** Id of the design to send. */
    transactionalId: z.string().min(1, 'must not be empty'),
    /** Whether the recipient is added to, or matched in, the audience. */
    addToAudience: z.boolean().optional(),
    /** Values of the design's variables, by name. */
    dataVariables: z.record(z.string(), dataVariableSchema).optional(),
    /** First name for the contact; only with `addToAudience`. */
    firstName: z.string().optional(),
    /** Last name for the contact; only with `addToAudience`. */
    lastName: z.string().optional(),
    /** Subscription groups for the contact, by id; only with `addToAudience`. */
    subscriptionGroups: subscriptionGroupsSchema.optional(),
  })
  .check(
    wholeObjectRule((body, report, isWrong) => {
      if (isWrong('addToAudience')) return;
      const addsToAudience = body['addToAudience'] === true;
      if (
        !isWrong('email', 'userId') &&
        body['email'] === undefined &&
        !(addsToAudience && body['userId'] !== undefined)
      ) {
        report('email', "is missing: an email needs a recipient's address");
      }
      if (addsToAudience) return;
      for (const field of CONTACT_INFORMATION) {
        if (body[field] !== undefined) {
          report(field, "is kept only when 'addToAudience' is true; set that, or leave this out");
        }
      }
    }),
  )
  .meta({
    anyOf: [
      {
        required: ['addToAudience'],
        anyOf: [{ required: ['email'] }, { required: ['userId'] }],
        properties: { addToAudience: { const: true } },
      },
      {
        required: ['email'],
        properties: Object.fromEntries(CONTACT_INFORMATION.map((field) => [field, false])),
      },
    ],
  });

/** A transactional email to send (interface: POST /v1/transactional). */
export type TransactionalEmailMessage = z.infer<typeof sendTransactionalEmailBodySchema>;

/** POST /v1/transactional */
export const sendTransactionalEmail = defineEndpoint({
  operationId: 'sendTransactionalEmail',
  method: 'POST',
  path: '/v1/transactional',
  summary: 'Send a transactional email',
  section: 'POST /v1/transactional',
  tag: 'transactional',
  repeatability: 'keyed',
  body: sendTransactionalEmailBodySchema,
  answer: successSchema,
});
