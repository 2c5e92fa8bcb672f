import type { TransactionalEmailPage } from '../contract/types.js';
import { UnexpectedResponseError } from '../errors.js';
import type { WithResponse } from '../http/call.js';

/**
 * Follows cursors from page to page until there is none. Totals are ignored: in a list that changes meanwhile they do
 * not say whether more follows.
 *
 * @throws UnexpectedResponseError when the service repeats a cursor.
 */
export async function* iteratePages(
  fetchPage: (cursor: string | undefined) => Promise<WithResponse<TransactionalEmailPage>>,
): AsyncGenerator<TransactionalEmailPage, void, undefined> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const { data: page, response } = await fetchPage(cursor);
    yield page;
    const next = page.pagination.nextCursor ?? '';
    if (next === '') return;
    if (seen.has(next)) {
      const { attempts, totalRetryDelayMs, status } = response;
      throw new UnexpectedResponseError(
        `The list cannot be read to its end: the service repeated the cursor of an earlier page after ${seen.size + 1} pages. Try again later; if it stays so, report it to the service.`,
        { attempts, totalRetryDelayMs, status, unclear: false },
      );
    }
    seen.add(next);
    cursor = next;
  }
}
