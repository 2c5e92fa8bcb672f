import * as z from 'zod/mini';

export const pageQuery = z.strictObject({
  offset: z.optional(z.int().check(z.minimum(0))).check(z.describe('How many to skip; 0 unless given.')),
  limit: z
    .optional(z.int().check(z.minimum(1), z.maximum(1000)))
    .check(z.describe('How many to give at most; 100 unless given.')),
});

/** A part of a list, and how long the whole is. */
export function page<Item extends z.ZodMiniType>(item: Item) {
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
