import * as z from 'zod';

/** A rate limit: a bucket of `burst` tokens, filled again with `requestsPerSecond`. */
export const rateLimitSchema = z.strictObject({
  requestsPerSecond: z.number().positive(),
  /** Calls that may come at once; as many as come in a second unless given. */
  burst: z.int().min(1).optional(),
});

/** A rate limit: a bucket of `burst` tokens, filled again with `requestsPerSecond`. */
export type RateLimit = z.infer<typeof rateLimitSchema>;
