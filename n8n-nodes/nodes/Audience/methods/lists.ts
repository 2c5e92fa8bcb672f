import { isRecord } from 'audience-core/internal';
import type {
  ILoadOptionsFunctions,
  INodePropertyOptions,
  INodeListSearchItems,
  INodeListSearchResult,
} from 'n8n-workflow';
import { toNodeError } from '../node-error.js';
import { openSession, type Session } from '../service/session.js';

/** Asks the service something for a user in the editor. What fails is told in a sentence for that user. */
export async function inEditor<Result>(
  context: ILoadOptionsFunctions,
  ask: (session: Session) => Promise<Result>,
): Promise<Result> {
  try {
    return await ask(await openSession(context));
  } catch (error) {
    throw toNodeError(context.getNode(), error);
  }
}

/** Id of the email design that is chosen in the form; empty where there is none yet. */
export function chosenDesign(context: ILoadOptionsFunctions): string {
  const chosen: unknown = context.getNodeParameter('transactionalId', '');
  const value = isRecord(chosen) ? chosen['value'] : chosen;
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Subscription groups by name. */
export async function getSubscriptionGroups(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const groups = await inEditor(this, ({ api }) => api.subscriptionGroups.list());
  return groups
    .map(({ id, name, description }) => ({ name, value: id, description: description ?? '' }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Entries that a search collects before it shows them; further ones follow as the user scrolls. */
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
