import type * as z from 'zod/mini';

/** A copy of JSON data: of the caller's own realm, unlike that of `structuredClone`, so that it strictly equals in jest. */
export function copyOf<T>(schema: z.ZodMiniType<T>, value: T): T {
  return schema.parse(JSON.parse(JSON.stringify(value)));
}
