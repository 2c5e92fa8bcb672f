import * as z from 'zod/mini';

/** Which part of a list: `offset` items are skipped, and at most `limit` given. */
export const searchQuery = z.strictObject({
  search: z.optional(z.string()),
  offset: z.optional(z.int().check(z.minimum(0))),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
});

export type SearchQuery = z.output<typeof searchQuery>;

/** A part of a list, 100 items unless the query says otherwise, and how long the whole is. */
export function pageOf<T, U>(
  all: readonly T[],
  { offset = 0, limit = 100 }: Omit<SearchQuery, 'search'>,
  view: (item: T) => U,
): { total: number; items: U[] } {
  return { total: all.length, items: all.slice(offset, offset + limit).map(view) };
}
