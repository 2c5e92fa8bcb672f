import * as z from 'zod/mini';
import { faultSchema } from './faults/fault.js';
import { rateLimitSchema } from './faults/rate-limit.js';
import { profileSchema } from './profile.js';

/** What is set on a sandbox beside what its account holds: all of it outlives a restart, and is part of a snapshot. */
export const settingsSchema = z.object({
  /** How far the clock is from the machine's, and where it stands still, in milliseconds. */
  clock: z.object({ offsetMs: z.number(), stoppedAt: z.nullable(z.number()) }),
  faults: z.object({
    /** How many were ever set. */
    last: z.int(),
    set: z.array(faultSchema),
  }),
  rateLimit: z.nullable(rateLimitSchema),
  profile: profileSchema,
});

/** What is set on a sandbox beside what its account holds. */
export type Settings = z.output<typeof settingsSchema>;
