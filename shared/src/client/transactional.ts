import { listTransactionalEmails, PER_PAGE, sendTransactionalEmail } from '../contract/transactional.js';
import type {
  ListTransactionalEmailsQuery,
  Pagination,
  TransactionalEmail,
  TransactionalEmailMessage,
} from '../contract/transactional.js';
import type { CallOptions, Pipeline } from '../http/pipeline.js';
import { iteratePages } from './pagination.js';
import { prepare } from './prepare.js';
import { withResponse } from './response-of.js';
import { sendResult } from './send-result.js';
import type { SendResult } from './types.js';

/** One page of transactional emails. */
export interface TransactionalEmailPage {
  readonly pagination: Pagination;
  readonly data: TransactionalEmail[];
}

/** How to go through all transactional emails. */
export interface IterateOptions {
  /** Items at most, over all pages; all unless given. */
  readonly limit?: number | undefined;
  /** Items per request, 10 to 50; 50 unless given. */
  readonly perPage?: number | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
}

/** Transactional emails (interface: Transactional email). */
export class TransactionalResource {
  readonly #pipeline: Pipeline;

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
  }

  /**
   * Reads one page of the designs. Interface: GET /v1/transactional.
   *
   * @param query `perPage`, 10 to 50 (20 unless given); `cursor`, the `nextCursor` of the page before.
   * @throws ValidationError for a query outside these bounds.
   */
  async list(
    query: ListTransactionalEmailsQuery = {},
    options?: CallOptions,
  ): Promise<TransactionalEmailPage> {
    const call = prepare(listTransactionalEmails, { action: 'list transactional emails', query });
    const { answer, response } = await this.#pipeline.run(call, options);
    const { pagination, data } = answerOf(answer);
    return withResponse({ pagination, data }, response);
  }

  /**
   * Goes through the designs page by page.
   *
   * @throws UnexpectedResponseError when the service repeats a cursor, which would never end.
   */
  pages(
    options: Omit<IterateOptions, 'limit'> = {},
  ): AsyncGenerator<TransactionalEmailPage, void, undefined> {
    const { perPage = PER_PAGE.max, signal } = options;
    return iteratePages((cursor) =>
      this.list({ perPage, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
    );
  }

  /**
   * Goes through all designs, each once, fetching pages as they are needed. Calls of `next()` may overlap.
   *
   * @throws UnexpectedResponseError when the service repeats a cursor, which would never end.
   * @throws RangeError for a limit that is not a whole number of 0 or more.
   */
  iterate(options: IterateOptions = {}): AsyncGenerator<TransactionalEmail, void, undefined> {
    const { limit = Number.POSITIVE_INFINITY } = options;
    if (!(limit === Number.POSITIVE_INFINITY || (Number.isInteger(limit) && limit >= 0))) {
      throw new RangeError(`'limit' must be a whole number of 0 or more, not ${limit}.`);
    }
    const perPage = options.perPage ?? Math.min(PER_PAGE.max, Math.max(PER_PAGE.min, limit));
    return this.#items(this.pages({ perPage, signal: options.signal }), limit);
  }

  async *#items(
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

  /**
   * Sends a transactional email. However often it has to be tried, it arrives once: all attempts carry the same
   * idempotency key, the caller's or a random one. Interface: POST /v1/transactional.
   *
   * @throws ValidationError for a message that the interface does not take. Nothing was sent then.
   * @throws NotFoundError when there is no such design.
   * @throws ConflictError when the caller's key was used for another message.
   */
  async send(message: TransactionalEmailMessage, options?: CallOptions): Promise<SendResult> {
    const call = prepare(sendTransactionalEmail, {
      action: `send email '${message.transactionalId}' to ${message.email ?? message.userId ?? 'nobody'}`,
      body: message,
    });
    return sendResult(await this.#pipeline.run(call, options));
  }
}

/** A read has an answer always; only a keyed write can be without one. */
function answerOf<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new TypeError('A read has an answer.');
  return answer;
}
