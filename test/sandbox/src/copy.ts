import type * as z from 'zod';

/**
 * A copy of JSON data. Unlike that of `structuredClone` it is of the caller's own realm: under jest, which gives each
 * test file one, it strictly equals what a test writes down.
 */
export function copyOf<T>(schema: z.ZodType<T>, value: T): T {
  return schema.parse(JSON.parse(JSON.stringify(value)));
}
