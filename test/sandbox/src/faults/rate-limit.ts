import * as z from 'zod';

const ABOVE_0 = 'must be a number above 0';

/** A rate limit: a bucket of `burst` tokens, filled again with `requestsPerSecond`. */
export const rateLimitSchema = z.strictObject({
  requestsPerSecond: z.number({ error: ABOVE_0 }).positive({ error: ABOVE_0 }),
  /** Calls that may come at once; as many as come in a second unless given. */
  burst: z.int().min(1).optional(),
});

/** A rate limit: a bucket of `burst` tokens, filled again with `requestsPerSecond`. */
export type RateLimit = z.infer<typeof rateLimitSchema>;
