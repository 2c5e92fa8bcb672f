import type { TransactionalEmailPage } from '../contract/types.js';
import { UnexpectedResponseError } from '../errors.js';
import { callError } from '../http/call-errors.js';
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
      const action = 'read the list to its end';
      const data = { action, attempts, totalRetryDelayMs, status, unclear: false };
      throw callError(UnexpectedResponseError, 'repeatedCursor', data);
    }
    seen.add(next);
    cursor = next;
  }
}
