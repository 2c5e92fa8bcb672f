import { contract } from '../contract/endpoints.js';
import {
  PER_PAGE,
  type ListTransactionalEmailsQuery,
  type TransactionalEmail,
  type TransactionalEmailPage,
} from '../types.js';
import type { EmailSchema, TransactionalEmailMessage } from '../contract/messages.js';
import type { CallOptions } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import { fieldsOf } from '../is-record.js';
import { apiCall, call, send, sendingOf } from './calls.js';
import { emailProblems } from './schema.js';
import type { ApiCall, SendResult } from './types.js';

/** How to go through the designs; limits and the rest hold for each request. */
export type PagesOptions = ListTransactionalEmailsQuery & CallOptions;

/** Transactional emails (interface: Transactional email). */
export class TransactionalResource<Emails extends EmailSchema> {
  /** @internal */
  constructor(
    private readonly pipeline: Pipeline,
    private readonly schema: EmailSchema | undefined,
  ) {}

  /**
   * Reads one page of the designs. Interface: GET /v1/transactional.
   *
   * @param query `perPage`, 10 to 50 (20 unless given); `cursor`, the `nextCursor` of the page before.
   * @throws ValidationError for a query outside these bounds.
   */
  list(query: ListTransactionalEmailsQuery = {}, options?: CallOptions): ApiCall<TransactionalEmailPage> {
    const parts = { action: 'list transactional emails', query };
    return apiCall(() => call(this.pipeline, contract.listTransactionalEmails, parts, options));
  }

  /**
   * Reads the designs page by page, 50 on each unless given, until a page has no cursor. Totals are ignored: they can
   * change while the list is read.
   */
  async *pages(options?: PagesOptions): AsyncGenerator<TransactionalEmailPage, void, undefined> {
    const { perPage = PER_PAGE.max, cursor: from, ...limits } = options ?? {};
    let cursor = from;
    do {
      const page = await this.list({ perPage, cursor }, limits);
      yield page;
      cursor = page.pagination.nextCursor ?? '';
    } while (cursor !== '');
  }

  /**
   * Goes through all designs, each once, fetching pages as they are needed. Calls of `next()` may overlap.
   */
  async *iterate(options?: PagesOptions): AsyncGenerator<TransactionalEmail, void, undefined> {
    for await (const page of this.pages(options)) yield* page.data;
  }

  /**
   * Sends a transactional email. All attempts carry the same idempotency key, the caller's or a random one, so we
   * assume that one email is sent. Interface: POST /v1/transactional.
   *
   * @throws ValidationError for a message that breaks a rule. Nothing was sent then.
   * @throws NotFoundError for a 404. We assume that there is no such design.
   * @throws ConflictError for a 409. The interface does not say what it means: the key may have been used.
   */
  send(message: TransactionalEmailMessage<Emails>, options?: CallOptions): ApiCall<SendResult> {
    return apiCall(async () => {
      const fields = fieldsOf(message);
      const problems = emailProblems(this.schema, fields);
      const parts = { action: sendingOf('email', message), body: message, problems };
      return send(this.pipeline, contract.sendTransactionalEmail, parts, options);
    });
  }
}
