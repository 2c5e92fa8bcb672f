import * as z from '../zod.js';
import { dataVariableSchema, nonEmptySchema, successSchema } from './common.js';
import { fieldSchemas, fieldsSetBy } from './contact-fields.js';
import { defineEndpoint } from './endpoint.js';
import type { ContactDetails, ContactIdentifiers } from './events.js';
import { rule } from './rule.js';

/** Bounds of `perPage` (interface: Limits). */
export const PER_PAGE = { min: 10, max: 50, default: 20 } as const;

/** A transactional email design, as listed (interface: Transactional email). */
export interface TransactionalEmail {
  /** Identifier of the design; `transactionalId` when sending. */
  id: string;
  /** Display name. */
  name: string;
  /** ISO 8601 UTC timestamp. */
  lastUpdated: string;
  /** Names of the variables that the design expects. */
  dataVariables: string[];
  [field: string]: unknown;
}

/** Where a page stands in the whole list (interface: Pagination object). */
export interface Pagination {
  /** Total number of items. */
  totalResults: number;
  /** Items in this page. */
  returnedResults: number;
  /** Page size used. */
  perPage: number;
  /** Number of pages. */
  totalPages: number;
  /** Cursor of the next page; absent, null or empty on the last one. */
  nextCursor?: string | null | undefined;
  /** Ready-made URL of the next page. */
  nextPage?: string | null | undefined;
  [field: string]: unknown;
}

/** One page of transactional emails. */
export interface TransactionalEmailPage {
  pagination: Pagination;
  data: TransactionalEmail[];
}

/** Query of the list of transactional emails. */
export interface ListTransactionalEmailsQuery {
  /** Items per page, 10 to 50; 20 unless given. */
  perPage?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

const perPageMessage = `must be ${PER_PAGE.min} to ${PER_PAGE.max}`;

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
        .int('must be a whole number')
        .check(z.minimum(PER_PAGE.min, perPageMessage), z.maximum(PER_PAGE.max, perPageMessage))
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

type NoDetails = { [Name in keyof ContactDetails<'sendTransactionalEmail'>]?: undefined };

/**
 * A transactional email to send (interface: POST /v1/transactional). Fields of the contact come with
 * `addToAudience: true` only; the recipient's address may then be left out where `userId` names a contact that has
 * one.
 */
export type TransactionalEmailMessage = {
  /** Id of the design to send. */
  transactionalId: string;
  /** Values of the design's variables, by name. */
  dataVariables?: Record<string, string | number> | undefined;
} & (
  | ({
      /** Adds the recipient to the audience, or matches the contact that is there. */
      addToAudience: true;
    } & ContactIdentifiers &
      ContactDetails<'sendTransactionalEmail'>)
  | ({
      addToAudience?: boolean | undefined;
      /** Recipient address. */
      email: string;
      /** Client-side user identifier, for matching the contact. */
      userId?: string | undefined;
    } & NoDetails)
);

const DETAILS = fieldsSetBy('sendTransactionalEmail').filter((name) => name !== 'email' && name !== 'userId');

const shape: Record<string, z.ZodMiniType> = {
  ...fieldSchemas('sendTransactionalEmail'),
  transactionalId: nonEmptySchema,
  addToAudience: z.optional(z.boolean()),
  dataVariables: z.optional(z.record(z.string(), dataVariableSchema)),
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
          report('email', "is missing: an email needs a recipient's address");
        }
        if (addsToAudience) return;
        for (const field of DETAILS) {
          if (body[field] !== undefined) {
            report(field, "is kept only when 'addToAudience' is true; set that, or leave this out");
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

export const transactionalEndpoints = { listTransactionalEmails, sendTransactionalEmail };
