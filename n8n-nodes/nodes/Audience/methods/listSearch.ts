import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { inEditor } from './editor.js';

/** Entries that a search collects before it shows them; further ones follow as the person scrolls. */
const ENOUGH = 20;

/**
 * Email designs for the locator, by name or id. The service cannot search, so its pages are gone through until
 * enough designs match; the token is the cursor of the next page.
 */
export async function searchEmails(
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const wanted = (filter ?? '').trim().toLowerCase();
  return await inEditor(this, async ({ api }) => {
    const results: INodeListSearchItems[] = [];
    for await (const page of api.transactional.pages({ cursor: paginationToken })) {
      for (const { id, name } of page.data) {
        if (name.toLowerCase().includes(wanted) || id.toLowerCase().includes(wanted)) {
          results.push({ name, value: id });
        }
      }
      const next = page.pagination.nextCursor ?? '';
      if (next !== '' && results.length >= ENOUGH) return { results, paginationToken: next };
    }
    return { results };
  });
}
