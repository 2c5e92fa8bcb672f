import * as z from 'zod/mini';

/** What is searched for, and which part of the list: `offset` items are skipped, and at most `limit` given. */
export const searchQuery = z.strictObject({
  search: z.optional(z.string()),
  offset: z.optional(z.int().check(z.minimum(0))),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
});

/** The items with a value that holds the text, without case, the newest first. */
export function found<Item>(
  all: Iterable<Item>,
  search: string,
  valuesOf: (item: Item) => readonly unknown[],
): Item[] {
  const wanted = search.trim();
  const part = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu');
  const holds = (value: unknown) =>
    value !== null && part.test(typeof value === 'string' ? value : JSON.stringify(value));
  const items: Item[] = [];
  for (const item of all) {
    if (wanted === '' || valuesOf(item).some(holds)) items.push(item);
  }
  return items.reverse();
}

/** A part of a list, 100 items unless the query says otherwise, and how long the whole is. */
export function pageOf<T, U>(
  all: readonly T[],
  { offset = 0, limit = 100 }: Omit<z.output<typeof searchQuery>, 'search'>,
  view: (item: T) => U,
): { total: number; items: U[] } {
  return { total: all.length, items: all.slice(offset, offset + limit).map(view) };
}
