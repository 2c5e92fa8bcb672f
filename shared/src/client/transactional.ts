import { EMAIL_FIELDS, listTransactionalEmails, sendTransactionalEmail } from '../contract/transactional.js';
import {
  PER_PAGE,
  type ListTransactionalEmailsQuery,
  type TransactionalEmail,
  type TransactionalEmailPage,
} from '../contract/types.js';
import type { TransactionalEmailMessage } from '../contract/messages.js';
import { ValidationError } from '../errors.js';
import { nearest } from '../nearest.js';
import type { Problem } from '../problem.js';
import type { CallOptions } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import { apiCall, read, send } from './calls.js';
import { fieldsOf } from './contact-values.js';
import { emailProblems, type EmailSchema } from './email-schema.js';
import { named, recipientOf } from './events.js';
import { iteratePages } from './pagination.js';
import type { ApiCall, SendResult } from './types.js';

/** How to go through the pages of transactional emails; limits and the rest hold for each request. */
export interface PagesOptions extends CallOptions {
  /** `nextCursor` of a page, to go on behind it; the first page unless given. */
  readonly cursor?: string | undefined;
  /** Items per request, 10 to 50; 50 unless given. */
  readonly perPage?: number | undefined;
}

/** How to go through all transactional emails. */
export interface IterateOptions extends PagesOptions {
  /** Items at most, over all pages; all unless given. */
  readonly limit?: number | undefined;
}

/** Transactional emails (interface: Transactional email). */
export class TransactionalResource<Emails extends EmailSchema = EmailSchema> {
  /** @internal */
  constructor(
    private readonly pipeline: Pipeline,
    private readonly emails?: Emails,
  ) {}

  /**
   * Reads one page of the designs. Interface: GET /v1/transactional.
   *
   * @param query `perPage`, 10 to 50 (20 unless given); `cursor`, the `nextCursor` of the page before.
   * @throws ValidationError for a query outside these bounds.
   */
  list(query: ListTransactionalEmailsQuery = {}, options?: CallOptions): ApiCall<TransactionalEmailPage> {
    const action = 'list transactional emails';
    return read(this.pipeline, listTransactionalEmails, { action, query }, options);
  }

  /**
   * Goes through the designs page by page.
   *
   * @throws UnexpectedResponseError when the service repeats a cursor, which would never end.
   */
  pages(options?: PagesOptions): AsyncGenerator<TransactionalEmailPage, void, undefined> {
    const { perPage = PER_PAGE.max, cursor: from, ...call } = options ?? {};
    return iteratePages((cursor = from) =>
      this.list({ perPage, ...(cursor === undefined ? {} : { cursor }) }, call).withResponse(),
    );
  }

  /**
   * Goes through all designs, each once, fetching pages as they are needed. Calls of `next()` may overlap.
   *
   * @throws ValidationError for a limit that is not a whole number of 0 or more.
   * @throws UnexpectedResponseError when the service repeats a cursor, which would never end.
   */
  iterate(options?: IterateOptions): AsyncGenerator<TransactionalEmail, void, undefined> {
    const { limit = Number.POSITIVE_INFINITY, ...rest } = options ?? {};
    if (!(limit === Number.POSITIVE_INFINITY || (Number.isInteger(limit) && limit >= 0))) {
      throw new ValidationError('The list cannot be read', [
        {
          path: ['limit'],
          code: 'wrongType',
          expected: 'count',
          given: String(limit),
        },
      ]);
    }
    const perPage = rest.perPage ?? Math.min(PER_PAGE.max, Math.max(PER_PAGE.min, limit));
    return itemsOf(this.pages({ ...rest, perPage }), limit);
  }

  /**
   * Sends a transactional email. All attempts carry the same idempotency key, the caller's or a random one, so we
   * assume that one email is sent. Interface: POST /v1/transactional.
   *
   * @throws ValidationError for a message that the interface does not allow. Nothing was sent then.
   * @throws NotFoundError for a 404. We assume that there is no such design.
   * @throws ConflictError for a 409. The interface does not say what it means: the key may have been used.
   */
  send(message: TransactionalEmailMessage<Emails>, options?: CallOptions): ApiCall<SendResult> {
    return apiCall(async () => {
      const { transactionalId, ...to } = fieldsOf(message);
      const problems = [
        ...emailProblems(this.emails, fieldsOf(message)),
        ...customFieldsOf(fieldsOf(message)),
      ];
      const action = `send ${named('email', transactionalId)}${recipientOf(' to ', to)}`;
      return send(this.pipeline, sendTransactionalEmail, { action, body: message, problems }, options);
    });
  }
}

/** Custom fields beside `addToAudience`: the interface allows names and groups there, and no others. */
function customFieldsOf(message: Readonly<Record<string, unknown>>): Problem[] {
  if (message['addToAudience'] !== true) return [];
  return Object.keys(message)
    .filter((name) => !EMAIL_FIELDS.includes(name) && nearest(name, EMAIL_FIELDS) === undefined)
    .map((name) => ({ path: [name], code: 'notInEmail' }));
}

async function* itemsOf(
  pages: AsyncIterable<TransactionalEmailPage>,
  limit: number,
): AsyncGenerator<TransactionalEmail, void, undefined> {
  let left = limit;
  if (left === 0) return;
  for await (const page of pages) {
    for (const item of page.data) {
      yield item;
      left -= 1;
      if (left === 0) return;
    }
  }
}
