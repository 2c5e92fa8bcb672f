import type { Pagination } from '../contract/transactional-list.js';
import { UnexpectedResponseError } from '../errors.js';
import type { WithResponse } from '../http/call.js';

/**
 * Follows cursors from page to page until there is none. Only cursors are believed: the totals of a list that
 * changes meanwhile say nothing of whether more comes.
 *
 * @throws UnexpectedResponseError when a cursor comes a second time.
 */
export async function* iteratePages<Page extends { readonly pagination: Pagination }>(
  fetchPage: (cursor: string | undefined) => Promise<WithResponse<Page>>,
): AsyncGenerator<Page, void, undefined> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const { data: page, response } = await fetchPage(cursor);
    yield page;
    const next = page.pagination.nextCursor;
    if (next === undefined || next === null || next === '') return;
    if (seen.has(next)) {
      const { attempts, totalRetryDelayMs, status } = response;
      throw new UnexpectedResponseError(
        `The list cannot be read to its end: the service gave the cursor of an earlier page again, after ${seen.size + 1} pages. Try again later; if it stays so, tell the service's people.`,
        { attempts, totalRetryDelayMs, status, unclear: false },
      );
    }
    seen.add(next);
    cursor = next;
  }
}
