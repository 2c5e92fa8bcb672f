import * as z from 'zod/mini';

const messageSchema = z.object({ message: z.string() });

/** What an error says. Those of SQLite and of a test runner need not be of this realm, so what they are is read. */
export function reasonOf(error: unknown): string {
  return messageSchema.safeParse(error).data?.message ?? String(error);
}
