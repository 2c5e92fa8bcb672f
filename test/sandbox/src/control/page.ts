import * as z from 'zod';

export const pageQuery = z.strictObject({
  offset: z.int().min(0).optional().describe('How many to skip; 0 unless given.'),
  limit: z.int().min(1).max(1000).optional().describe('How many to give at most; 100 unless given.'),
});

/** A part of a list, and how long the whole is. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ total: z.int(), items: z.array(item) });
}

export function pageOf<T, U>(
  all: readonly T[],
  { offset, limit }: z.output<typeof pageQuery>,
  view: (item: T) => U,
): { total: number; items: U[] } {
  const start = offset ?? 0;
  return { total: all.length, items: all.slice(start, start + (limit ?? 100)).map(view) };
}
